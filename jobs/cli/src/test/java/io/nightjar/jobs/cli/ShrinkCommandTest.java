package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The smallest histories that still show an anomaly. */
class ShrinkCommandTest {

    private static final String SKEW =
            """
            s1 T1 [1,2]: w(x,1) w(y,1) w(z,1)
            s2 T2 [3,9]: r(x,1) r(y,1) w(x,2) r(z,1)
            s3 T3 [4,8]: r(x,1) r(y,1) w(y,2) w(z,3)
            s4 T4 [10,11]: r(x,2) r(y,2)
            """;

    @TempDir
    private Path folder;

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "register, timestamps, 'si,ser'",
        "register, values, 'rc,cc,si,ser'",
        "list, timestamps, 'si,ser'",
        "list, values, 'rc,PL-SI,ser'"
    })
    void eachAnomalyTypeRemainsInFewTransactions(String model, String evidence, String levels) {
        Path history = folder.resolve("history.jsonl");
        Path lake = folder.resolve("lake");
        CommandRun.of(
                "generate",
                "" + history,
                "--model",
                model,
                "--transactions",
                "2000",
                "--keys",
                "50",
                "--seed",
                "3",
                "--fault",
                "stale-read=1,lost-update=1,aborted-read=1,garbage-value=1,session-break=1,intermediate-read=1");
        assertThat(CommandRun.check(history, lake, "--evidence", evidence, "--level", levels)
                        .code())
                .isEqualTo(1);

        for (Map<String, Object> anomaly : CommandRun.rows(
                lake,
                "SELECT anomaly_type AS type, level_violated AS level, min(anomaly_id) AS id FROM anomalies GROUP BY ALL")) {
            Path small = folder.resolve("small.jsonl");
            CommandRun run = CommandRun.of("shrink", "" + lake, "" + anomaly.get("id"), "-o", "" + small, "--json");

            assertThat(run.code()).as("%s %s", anomaly, run.err()).isZero();
            Map<String, Object> result = JsonTree.object(run.out());
            assertThat((Long) result.get("transactions")).as("%s", result).isLessThan(15);
            assertThat(result).containsEntry("from_transactions", 2_000L).containsEntry("minimal", true);
            CommandRun again = CommandRun.of(
                    "check",
                    "" + small,
                    "--lake",
                    "none",
                    "--json",
                    "--level",
                    "" + anomaly.get("level"),
                    "--evidence",
                    evidence);
            Map<String, Object> types =
                    JsonTree.at(JsonTree.object(again.out()), "levels", "" + anomaly.get("level"), "types");
            assertThat(types).as("%s", again.out()).containsKey("" + anomaly.get("type"));
        }
    }

    @Test
    void shrinkWithoutAnomalyNamesTheMissingArgument() {
        CommandRun run = CommandRun.of("shrink", "-o", "" + folder.resolve("small.txt"));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("nightjar: no anomaly given; name one, nightjar explain nightjar-lake lists them");
    }

    @Test
    void aWriteSkewIsTwoTransactionsOfTwoOperations() throws IOException {
        Path small = shrunk(SKEW, "small.txt", "--level", "ser", "--evidence", "values");

        assertThat(Files.readAllLines(small)).hasSizeBetween(2, 3);
        assertThat(CommandRun.of("check", "" + small, "--lake", "none").code()).isEqualTo(1);
    }

    @Test
    void timestampsStayWhereTheyAreTheEvidence() throws IOException {
        Path small = shrunk(
                "s1 T1 [1,2]: w(x,1) w(q,4)\ns1 T2 [3,4]: w(x,2)\ns2 T3 [5,6]: r(q,4) r(x,1)\n",
                "small.txt",
                "--level",
                "si");

        assertThat(Files.readString(small))
                .isEqualTo("s1 T1 [1,2]: w(x,1)\ns1 T2 [3,4]: w(x,2)\ns2 T3 [5,6]: r(x,1)\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "arrow", "jsonl", "edn", "elle.json", "dbcop.json", "plume", "txt"})
    void anyFormatIsWritten(String extension) throws IOException {
        String numbered = SKEW.replace('x', '7').replace('y', '8').replace('z', '9');
        Path small = shrunk(numbered, "small." + extension, "--level", "ser", "--evidence", "values");

        CommandRun again = CommandRun.of("check", "" + small, "--lake", "none", "--level", "ser");
        assertThat(again.code()).as("%s", again).isEqualTo(1);
    }

    private static final String SHIFTS =
            """
            s0 T1 [1,2]: w(t/1,'{"c":5}')@1 w(t/4,'{"c":6}')@1
            s1 T2 [3,5]: p[t]("c >= 4",[],2) r(t/1,'{"c":5}')@1 r(t/4,'{"c":6}')@1 w(t/2,'{"c":7}')@1
            s2 T3 [4,6]: p[t]("c >= 4",[],2) r(t/1,'{"c":5}')@1 r(t/4,'{"c":6}')@1 w(t/3,'{"c":8}')@1
            s3 T4 [7,7]: p[t]("c = 5",[],0)
            """;

    @Test
    void predicateReadsLoseRowsWithAllOfTheirKeys() throws IOException {
        assertThat(Files.readAllLines(shrunk(SHIFTS, "skew.txt", "--level", "PL-3")))
                .hasSize(2)
                .allMatch(line -> line.contains("p[t](\"c >= 4\",[],0) w(t/"));
    }

    @Test
    void aRowThatIsMissedStays() throws IOException {
        List<String> missed = Files.readAllLines(shrunk(SHIFTS, "missed.txt", "--level", "si"));

        assertThat(missed).hasSize(2);
        assertThat(missed.get(0)).contains("w(t/1,");
        assertThat(missed.get(1)).endsWith("p[t](\"c = 5\",[],0)");
    }

    @Test
    void unshrinkableAnomalyIsReported() throws IOException {
        Path history = Files.writeString(folder.resolve("history.txt"), SKEW);
        Path lake = folder.resolve("lake");
        CommandRun.check(history, lake, "--level", "ser");
        String id = (String) CommandRun.rows(lake, "FROM anomalies").get(0).get("anomaly_id");

        assertThat(shrink(lake, "a0000", "small.txt").code()).isEqualTo(64);
        assertThat(shrink(lake, id, "no/such/folder.txt").code()).isEqualTo(64);
        assertThat(shrink(lake, id, "history.txt").code()).isEqualTo(64);
        assertThat(shrink(lake, id, "small.unknown").code()).isEqualTo(64);
        assertThat(shrink(folder.resolve("nowhere"), id, "small.txt").code()).isEqualTo(64);
        Files.writeString(history, "s1 T1 [1,2]: w(x,1)\n");
        assertThat(shrink(lake, id, "small.txt").code()).isEqualTo(64);
        Files.delete(history);
        assertThat(shrink(lake, id, "small.txt").code()).isEqualTo(3);
        assertThat(folder.resolve("small.txt")).doesNotExist();
    }

    @Test
    void movedHistoryIsReadFromGivenPath() throws IOException {
        Path history = Files.writeString(folder.resolve("history.txt"), SKEW);
        Path lake = folder.resolve("lake");
        CommandRun.check(history, lake, "--level", "ser");
        String id = (String) CommandRun.rows(lake, "FROM anomalies").get(0).get("anomaly_id");
        Path moved = Files.move(history, folder.resolve("moved.txt"));

        assertThat(shrink(lake, id, "small.txt", "--history", "" + moved).code())
                .isZero();
    }

    /** Without the writer, reads of its value would be anomalies that the history never had. */
    @Test
    void smallestHistoryHasNoOtherAnomaly() throws IOException {
        Path small = shrunk(
                """
                s1 T1: w(x,1)
                s2 T2: r(x,1) w(x,2) w(z,1)
                s3 T3: r(x,1) w(x,3)
                s4 T4: w(y,7)
                s3 T5: r(y,7)
                """,
                "small.txt",
                "--level",
                "si",
                "--evidence",
                "values");

        CommandRun again = CommandRun.of("check", "" + small, "--lake", "none", "--json", "--level", "pc,si");
        assertThat(again.out()).contains("\"prefix\":{\"verdict\":\"holds\"").doesNotContain("garbage-read");
        assertThat(Files.readString(small)).contains("T1", "T2", "T3").doesNotContain("T4", "T5", "w(z");
    }

    private CommandRun shrink(Path lake, String id, String out, String... more) {
        List<String> args = new java.util.ArrayList<>(List.of("shrink", "" + lake, id, "-o", "" + folder.resolve(out)));
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray(new String[0]));
    }

    private Path shrunk(String notation, String out, String... options) throws IOException {
        Path history = Files.writeString(folder.resolve("history.txt"), notation);
        Path lake = folder.resolve("lake");
        CommandRun.check(history, lake, options);
        String id = (String) CommandRun.rows(lake, "FROM anomalies").get(0).get("anomaly_id");
        CommandRun run = shrink(lake, id, out);
        assertThat(run.code()).as("%s", run).isZero();
        return folder.resolve(out);
    }
}
