package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard input and named pipes are read as files are, though they can be read only once. */
class PipesTest {

    /** A lost update, which only a second reading finds when it is decided from values. */
    private static final String LOST_UPDATE =
            """
            {"txn":1,"session":0,"ops":[["w","x",1]]}
            {"txn":2,"session":1,"ops":[["r","x",1],["w","x",2]]}
            {"txn":3,"session":2,"ops":[["r","x",1],["w","x",3]]}
            """;

    @TempDir
    private Path folder;

    private final InputStream stdin = System.in;
    private Path file;

    @BeforeEach
    void writeTheHistory() throws IOException {
        file = Files.writeString(folder.resolve("h.jsonl"), LOST_UPDATE);
    }

    @AfterEach
    void giveStandardInputBack() {
        System.setIn(stdin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/stdin"})
    void standardInputIsCheckedAsAFileIs(String name) {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));

        CommandRun run = CommandRun.of("check", name, "--level", "all", "--lake", "none", "--json");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        Map<String, Object> result = JsonTree.object(run.out());
        assertThat(result).containsEntry("history", "-").containsEntry("keys", 1L);
        assertThat(withoutNames(run.out()))
                .isEqualTo(withoutNames(
                        CommandRun.of("check", file.toString(), "--level", "all", "--lake", "none", "--json")
                                .out()));
    }

    private static String withoutNames(String json) {
        return json.replaceAll("\"(history|seconds)\":(\"[^\"]*\"|[0-9.]+)", "");
    }

    @Test
    void aNamedPipeIsCheckedAsAFileIs() throws Exception {
        Path pipe = namedPipe(Files.readAllBytes(file));

        CommandRun run = CommandRun.of("check", pipe.toString(), "--lake", "none", "--json");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(JsonTree.object(run.out())).containsEntry("history", pipe.toString());
    }

    @Test
    void flinkChecksPipesToo() {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));
        Path lake = folder.resolve("lake");

        CommandRun run = CommandRun.of(
                "check", "-", "--engine", "flink", "--parallelism", "2", "--lake", lake.toString(), "--json");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(JsonTree.object(run.out())).containsEntry("history", "-");
        assertThat(CommandRun.rows(lake, "SELECT sum(bytes_spilled)::BIGINT AS n FROM stages WHERE stage = 'read'"))
                .isEqualTo(List.of(Map.of("n", (long) LOST_UPDATE.length())));
    }

    @Test
    void whatIsKeptOfAPipeCountsAsSpilled() {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));
        Path lake = folder.resolve("lake");

        CommandRun.check(Path.of("-"), lake);

        assertThat(CommandRun.rows(lake, "SELECT sum(bytes_spilled)::BIGINT AS n FROM stages"))
                .isEqualTo(List.of(Map.of("n", (long) LOST_UPDATE.length())));
        assertThat(CommandRun.rows(lake, "SELECT DISTINCT source_file AS f FROM anomaly_txns"))
                .isEqualTo(List.of(Map.of("f", "-")));
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl.gz", ".jsonl.zst", ".edn", ".txt"})
    void theFormatIsRecognisedByWhatComesThrough(String extension) throws IOException {
        Path converted = folder.resolve("converted" + extension);
        assertThat(CommandRun.of("convert", file.toString(), converted.toString())
                        .code())
                .isZero();
        pipeIn(Files.readAllBytes(converted));

        CommandRun run = CommandRun.of("check", "-", "--level", "ser", "--lake", "none", "--json");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(JsonTree.object(run.out())).containsEntry("transactions", 3L);
    }

    @Test
    void noFilesRemain() throws IOException {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));

        CommandRun.of("check", "-", "--lake", "none");

        try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("nightjar-pipe-")))
                    .isEmpty();
        }
    }

    @Test
    void aPipeAmongThePartsOfADirectoryIsForeignAndNotWaitedFor() throws Exception {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.copy(file, parts.resolve("a.jsonl"));
        assertThat(new ProcessBuilder("mkfifo", parts.resolve("b.jsonl").toString())
                        .start()
                        .waitFor())
                .isZero();

        CommandRun run = CommandRun.of("check", parts.toString(), "--lake", "none");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("foreign file in a directory that is one history: file=b.jsonl");
    }

    @Test
    void anEmptyPipeIsRejectedAsAnEmptyFileIs() {
        pipeIn(new byte[0]);

        CommandRun run = CommandRun.of("check", "-", "--lake", "none", "--json");

        assertThat(run.code()).isEqualTo(3);
        assertThat(JsonTree.object(run.out())).containsEntry("history", "-").containsEntry("verdict", "rejected");
        assertThat(run.err()).startsWith("nightjar: [-] file is empty: bytes=0");
    }

    @Test
    void aPipeThatEndsInTheMiddleOfARowIsRejectedWithItsPlace() {
        pipeIn(LOST_UPDATE.substring(0, LOST_UPDATE.length() - 20).getBytes(StandardCharsets.UTF_8));

        CommandRun run = CommandRun.of("check", "-", "--lake", "none");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("nightjar: [- line=3] ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "inspect"})
    void standardInputTwiceIsWrongUsage(String command) {
        CommandRun run = CommandRun.of(command, "-", "/dev/stdin");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("standard input can be read once only");
    }

    @Test
    void inspectReadsAPipeAsOftenAsItNeeds() {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));

        CommandRun run = CommandRun.of("inspect", "-", "--json");

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(JsonTree.object(run.out())).containsEntry("history", "-").containsEntry("transactions", 3L);
    }

    @Test
    void queriesReadAPipeOnceHoweverOftenTheyNameIt() {
        pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));

        CommandRun run =
                CommandRun.of("sql", "--csv", "SELECT count(*) AS n FROM history('-') a, history('/dev/stdin') b");

        assertThat(run.out()).as("%s", run).isEqualTo("n\n9\n");
    }

    @Test
    void runsKnowTheSamePipeAgain() {
        Path lake = folder.resolve("lake");
        for (String time : List.of("first", "second")) {
            pipeIn(LOST_UPDATE.getBytes(StandardCharsets.UTF_8));

            CommandRun run = CommandRun.check(Path.of("-"), lake, "--run-id", "night");

            assertThat(run.code()).as("%s %s", time, run).isEqualTo(1);
        }
        pipeIn(LOST_UPDATE.replace("3", "4").getBytes(StandardCharsets.UTF_8));

        assertThat(CommandRun.check(Path.of("-"), lake, "--run-id", "night").code())
                .isEqualTo(64);
    }

    private static void pipeIn(byte[] bytes) {
        System.setIn(new ByteArrayInputStream(bytes));
    }

    /** Creates a pipe in the file system into which one process writes once. */
    private Path namedPipe(byte[] bytes) throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(pipe)) {
                out.write(bytes);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        writer.setDaemon(true);
        writer.start();
        return pipe;
    }
}
