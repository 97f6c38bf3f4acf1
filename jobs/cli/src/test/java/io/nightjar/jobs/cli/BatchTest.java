package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.lake.Lake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several histories in one call. */
class BatchTest {

    private static final Pattern RUN_ID = Pattern.compile("\"run_id\":\"([^\"]*)\"");

    @TempDir
    Path folder;

    @Test
    void batchEndsWithSummaryAndListsRejectedHistories() throws IOException {
        Path holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)");
        Path violated = history("violated.txt", "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,_)");
        Path bad = history("bad.txt", "s1 T1 [1,2]: w(x,");

        CommandRun run = CommandRun.of(
                "check", "--lake", "none", holds.toString(), bad.toString(), violated.toString(), holds.toString());

        Stream<String> verdictLines = run.out().lines().filter(line -> !line.startsWith("  ") && !line.isEmpty());
        assertThat(verdictLines.map(line -> line.replace(folder + "/", "").replaceAll("  \\(.*", "")))
                .containsExactly(
                        "holds.txt: HOLDS",
                        "bad.txt: REJECTED",
                        "violated.txt: VIOLATED by 1 anomaly",
                        "holds.txt: HOLDS",
                        "4 histories: 1 violated by 1 anomaly, 2 hold, 1 rejected");
        assertThat(run.err()).startsWith("nightjar: [" + bad + " line=1]");
        assertThat(run.code()).isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void headlineCountsFaultsOfSeveralLevelsAndNamesOnce() throws IOException {
        String abortedRead = "s1 T1! [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,1)";
        Path once = history("once.txt", abortedRead);
        Path twice = history("twice.txt", abortedRead + "\ns3 T3 [5,6]: w(y,1)\ns4 T4 [7,8]: r(y,_)");

        CommandRun run = CommandRun.of(
                "check", "--lake", "none", "--level", "all", once.toString(), twice.toString(), once.toString());

        assertThat(run.out())
                .contains("once.txt: VIOLATED by at least 1 anomaly  (2 transactions")
                .contains("twice.txt: VIOLATED by at least 2 anomalies  (4 transactions")
                .containsPattern("read-committed +violated +by values  G1a 1\n")
                .containsPattern("snapshot-isolation +violated +by timestamps  EXT 1\n")
                .endsWith("3 histories: 3 violated by at least 4 anomalies\n");
    }

    @Test
    void knownAnomaliesAreViolationsInTheSummary() throws IOException {
        Path violated = history("violated.txt", "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,_)");
        String lake = folder.resolve("known").toString();
        CommandRun.of("check", "--lake", lake, violated.toString());

        CommandRun run = CommandRun.of(
                "check",
                "--lake",
                lake,
                "--baseline",
                "latest",
                "--fail-on",
                "new",
                violated.toString(),
                violated + "");

        assertThat(run.out()).endsWith("2 histories: 2 violated by 2 anomalies\n");
        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
    }

    @Test
    void threadCountDoesNotChangeOutputOfSmallHistories() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("check", "--json", "--lake", "none", "--threads"));
        for (int i = 0; i < 100; i++) {
            String text =
                    switch (i % 5) {
                        case 0 -> "s1 T1 [1,2]: w(x," + i + ")\ns2 T2 [3,4]: r(x,_)";
                        case 1 -> "s1 T1 [1,2]: w(x," + i;
                        case 2 -> "s1 T1: w(x,1)\ns2 T2: w(x,1)\ns3 T3: r(x,1)";
                        default -> "s1 T1 [1,2]: w(x," + i + ")";
                    };
            arguments.add(history("h" + i + ".txt", text).toString());
        }
        arguments.add(70, folder.resolve("missing.txt").toString());

        CommandRun alone = withThreads(arguments, "1");
        CommandRun together = withThreads(arguments, "3");

        assertThat(withoutSeconds(together)).isEqualTo(withoutSeconds(alone)).hasLineCount(101);
        assertThat(together.err()).isEqualTo(alone.err()).contains("missing.txt");
        assertThat(together.code()).isEqualTo(alone.code());

        Path lake = folder.resolve("lake");
        arguments.set(3, lake.toString());
        CommandRun written = withThreads(arguments, "3");
        assertThat(withoutSeconds(written).replaceAll("\"run_id\":\"[^\"]*\"", "\"run_id\":null"))
                .isEqualTo(withoutSeconds(alone));
        List<String> runs = RUN_ID.matcher(written.out())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(runs).hasSize(80).doesNotHaveDuplicates();
        assertThat(Lake.open(lake).completeRuns()).containsExactlyInAnyOrderElementsOf(runs);
        assertThat(Lake.open(lake).incompleteRuns()).isEmpty();
    }

    private static CommandRun withThreads(List<String> arguments, String count) {
        List<String> all = new ArrayList<>(arguments);
        all.add(5, count);
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static String withoutSeconds(CommandRun run) {
        return run.out().replaceAll("\"seconds\":[^,}]*", "");
    }

    @Test
    void oneHistoryNeedsNoSummary() throws IOException {
        Path holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)");

        assertThat(CommandRun.of("check", "--lake", "none", holds.toString()).out())
                .doesNotContain("histories");
    }

    @Test
    void jsonIsOneObjectForEachHistoryAndNothingElse() throws IOException {
        Path holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)");
        Path bad = history("bad.txt", "s1 T1 [1,2]: w(x,");

        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", holds.toString(), bad.toString());

        assertThat(run.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"schema\":1,"));
    }

    @Test
    void verdictsAreColouredWhereThatIsWanted() throws IOException {
        String holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)").toString();

        assertThat(CommandRun.of("check", holds, "--lake", "none").out()).doesNotContain("\u001b");
        assertThat(CommandRun.of("check", holds, "--lake", "none", "--color", "never")
                        .out())
                .doesNotContain("\u001b");
        assertThat(CommandRun.of("check", holds, "--lake", "none", "--color=always")
                        .out())
                .contains(": \u001b[32mHOLDS\u001b[0m  (");
        assertThat(CommandRun.of("check", "--help", "--color", "always").out()).contains("\u001b[");
        assertThat(CommandRun.of("check", holds, "--color", "sometimes").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void coloursAreForTerminalsThatWantThem() {
        assertThat(Terminal.Colours.AUTO.areOn(true, Map.of("TERM", "xterm"))).isTrue();
        assertThat(Terminal.Colours.AUTO.areOn(true, Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Terminal.Colours.AUTO.areOn(true, Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Terminal.Colours.AUTO.areOn(true, Map.of("TERM", "dumb"))).isFalse();
        assertThat(Terminal.Colours.AUTO.areOn(false, Map.of())).isFalse();
        assertThat(Terminal.Colours.ALWAYS.areOn(false, Map.of("NO_COLOR", "1")))
                .isTrue();
        assertThat(Terminal.Colours.NEVER.areOn(true, Map.of())).isFalse();
    }

    @Test
    void addressesAreNoFolders() throws IOException {
        String holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)").toString();

        CommandRun lake = CommandRun.of("check", holds, "--lake", "hdfs://host/lake");
        CommandRun input = CommandRun.of("check", "hdfs://host/h.parquet", "--lake", "none");

        assertThat(lake.code()).isEqualTo(ExitCode.USAGE);
        assertThat(lake.err())
                .startsWith("nightjar: [hdfs://host/lake] addresses of this scheme are not supported: scheme=hdfs");
        assertThat(input.code()).isEqualTo(ExitCode.USAGE);
        assertThat(Path.of("hdfs:")).doesNotExist();
    }

    @Test
    void unsupportedAddressesAreWrongUsage() throws IOException {
        String holds = history("holds.txt", "s1 T1 [1,2]: w(x,1)").toString();
        List<List<String>> calls = List.of(
                List.of("check", "hdfs://bucket/h.parquet", "--lake", "none"),
                List.of("check", holds, "--lake", "abfs://container/lake"),
                List.of("check", holds, "--lake", "http://host/lake"),
                List.of("check", "http://host", "--lake", "none"),
                List.of("check", "s3:///h.txt", "--lake", "none"),
                List.of("check", "https://host/h?sig=1", "--lake", "none", "--engine", "flink", "--cluster", "host:1"),
                List.of("check", holds, "--lake", "none", "--witness", "s3://bucket/w.jsonl"),
                List.of("convert", holds, "hdfs://host:1/h.parquet"),
                List.of("convert", holds, "https://host/h.parquet"),
                List.of("generate", "http://host/h.parquet"),
                List.of("report", "s3://bucket/lake", "-o", "s3://bucket/page.html"),
                List.of("sql", "--lake", "http://host/lake", "SELECT 1"),
                List.of("verdict", "hdfs://bucket/lake"),
                List.of("lake", "http://host/lake"),
                List.of("serve", "http://host/lake"),
                List.of("mock", "--history", "s3://bucket/m.jsonl"),
                List.of("record", "http://host/r.jsonl", "--jdbc", "jdbc:h2:mem:x"),
                List.of("watch", holds, "--lake", "none", "--archive", "http://host/a"));
        for (List<String> call : calls) {
            CommandRun run = CommandRun.of(call.toArray(String[]::new));

            assertThat(run.code()).as(call + run.err()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .as(call.toString())
                    .containsAnyOf("not supported", "without query", "only read", "write ", "expected=");
        }
        CommandRun secret = CommandRun.of("check", "gs://user:secret@bucket/h?sig=signature", "--lake", "none");
        assertThat(secret.err()).contains("scheme=gs").doesNotContain("secret").doesNotContain("signature");
    }

    @Test
    void folderWithoutHistoriesIsReported() throws IOException {
        history("README.md", "hello");

        CommandRun run = CommandRun.of(
                "check", folder.toString(), "--lake", folder.resolve("lake").toString());

        assertThat(run.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(run.err())
                .startsWith("nightjar: [" + folder
                        + "] directory holds no history: files=1 expected=one of parquet|arrow|jsonl|")
                .endsWith("; name a file or directory that is a history\n");
    }

    private Path history(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text + "\n");
    }
}
