package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command of the pages on importing runs, and the samples match their manifest. */
class ImportPagesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path SAMPLES = ROOT.resolve("datasets/samples");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"from-a-table.md", "from-mysql.md", "from-jepsen.md", "from-postgresql.md"})
    void everyCommandOfThePageRuns(String page) throws IOException {
        int count = 0;
        for (String line : Files.readAllLines(ROOT.resolve("docs").resolve(page))) {
            boolean isOfServer =
                    line.contains("jdbc:") || page.equals("from-postgresql.md") && !line.contains("samples/");
            if (line.startsWith("nightjar ") && !isOfServer) {
                CommandRun run = CommandRun.of(inThisFolder(line));

                assertThat(run.code()).as("%s%n%s", line, run).isZero();
                count++;
            }
        }
        assertThat(count).isGreaterThan(2);
    }

    @Test
    void joinPrintsDocumentedOutput() throws IOException {
        CommandRun run = CommandRun.of(
                "convert",
                "--reads",
                SAMPLES + "/join/client.jsonl",
                "--commits",
                SAMPLES + "/debezium-postgresql",
                "--join-on",
                "xid",
                "--committed-only",
                "--json",
                folder.resolve("joined.jsonl").toString());

        String summary = run.err().lines().findFirst().orElse("");
        assertThat(Files.readString(ROOT.resolve("docs/from-mysql.md"))).contains(summary);
        assertThat(JsonTree.lines(run.out()).get(0))
                .containsEntry("transactions", 5L)
                .containsEntry("operations", 9L)
                .containsEntry("left_out_aborted", 0L)
                .containsEntry("left_out_unknown", 0L)
                .containsEntry("dead_letters", 0L)
                .containsEntry("tables_left_out", List.of())
                .containsEntry("matched", 2L)
                .containsEntry("unmatched_reads", 1L)
                .containsEntry("unmatched_commits", 1L)
                .containsEntry("unknown_resolved", 1L);
        assertThat(Files.readAllLines(folder.resolve("joined.jsonl")))
                .contains(
                        "{\"txn\":2,\"session\":1,\"seq\":0,\"status\":\"committed\",\"commit\":2,\"invoke\":12,\"complete\":30,"
                                + "\"ops\":[[\"r\",1,10,{\"version\":1}],[\"w\",1,30,{\"version\":2}]],\"xid\":783}",
                        "{\"txn\":5,\"session\":2,\"seq\":0,\"status\":\"committed\",\"commit\":3,"
                                + "\"ops\":[[\"w\",2,21,{\"version\":2}],[\"d\",1,null,{\"version\":3}]],\"xid\":\"782\"}");
    }

    @Test
    void aJoinNeedsBothSides() {
        CommandRun run = CommandRun.of("convert", "--reads", "a.jsonl", "b.jsonl");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--reads, --commits and --join-on belong together");
    }

    /** A sample is identified by its content, so that a change is noticed, and its verdicts by a check. */
    @Test
    void samplesMatchManifest() throws IOException {
        List<Map<String, Object>> manifest = JsonTree.lines(Files.readString(SAMPLES.resolve("manifest.jsonl")));
        List<String> named = new ArrayList<>();
        for (Map<String, Object> entry : manifest) {
            Path sample = SAMPLES.resolve(String.valueOf(entry.get("path")));
            named.add(String.valueOf(entry.get("path")));
            CommandRun run = CommandRun.of("check", sample.toString(), "--level", "all", "--json", "--lake", "none");
            Map<String, Object> result = JsonTree.lines(run.out()).get(0);

            assertThat(digest(sample)).as("%s", entry).isEqualTo(entry.get("sha256"));
            assertThat(result.get("verdict")).as("%s", entry).isEqualTo(entry.get("verdict"));
            assertThat(result.get("transactions")).as("%s", entry).isEqualTo(entry.get("transactions"));
            if (!"rejected".equals(entry.get("verdict"))) {
                Map<String, Map<String, Object>> levels = JsonTree.at(result, "levels");
                assertThat(levels.keySet()).as("%s", entry).hasSize(6);
                levels.forEach((level, answer) -> assertThat(answer)
                        .as("%s of %s", level, entry)
                        .containsEntry("verdict", JsonTree.at(entry, "levels", level)));
            }
        }
        try (Stream<Path> entries = Files.list(SAMPLES)) {
            assertThat(entries.map(entry -> entry.getFileName().toString())
                            .filter(name -> !name.equals("manifest.jsonl") && !name.equals("join")))
                    .as("each sample is in the manifest")
                    .allMatch(named::contains);
        }
    }

    private String[] inThisFolder(String line) {
        return Stream.of(line.substring("nightjar ".length()).split(" "))
                .map(word ->
                        word.replace("datasets/samples", SAMPLES.toString()).replace("/tmp", folder.toString()))
                .toArray(String[]::new);
    }

    /** Returns the hash of a file, or of the names and contents of a folder in their order. */
    private static String digest(Path sample) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(sample)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(sample.relativize(file).toString(), file));
        }
        try (DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                out.write(file.getKey().getBytes(StandardCharsets.UTF_8));
                Files.copy(file.getValue(), out);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
