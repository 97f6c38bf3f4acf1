package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code check} for scripts and people. */
class CheckCommandTest {

    private static final String CLEAN =
            """
            s1 T1 [1,2]: w(x,1)
            s2 T2 [3,3]: r(x,1) r(y,_)
            """;
    private static final String VIOLATED =
            """
            s1 T1 [1,2]: w(x,1)
            s2 T2 [3,4]: r(x,7)
            """;
    private static final String UNDECIDED =
            """
            s1 T1: append(x,1)
            s2 T2: append(x,1)
            s3 T3: r(x,[1])
            """;

    @TempDir
    private Path folder;

    private Path clean;
    private Path violated;
    private Path undecided;
    private Path rejected;
    private Path lake;

    @BeforeEach
    void writeHistories() throws IOException {
        clean = Files.writeString(folder.resolve("clean.txt"), CLEAN);
        violated = Files.writeString(folder.resolve("violated.txt"), VIOLATED);
        undecided = Files.writeString(folder.resolve("undecided.txt"), UNDECIDED);
        rejected = Files.writeString(folder.resolve("rejected.jsonl"), "{\"txn\":1,\"ops\":[[\"q\",\"x\",1]]}\n");
        lake = folder.resolve("lake");
    }

    // ---------------------------------------------------------------- exit codes

    @Test
    void theCodeTellsTheVerdict() {
        assertThat(check(clean).code()).isEqualTo(0);
        assertThat(check(violated).code()).isEqualTo(1);
        assertThat(check(undecided).code()).isEqualTo(2);
        assertThat(check(rejected).code()).isEqualTo(3);
    }

    @Test
    void overSeveralHistoriesTheWorstCodeIsReturned() {
        assertThat(check(clean, undecided).code()).isEqualTo(2);
        assertThat(check(undecided, violated, clean).code()).isEqualTo(1);
        assertThat(check(violated, rejected, undecided).code()).isEqualTo(3);
    }

    @Test
    void aViolationOutweighsAnUndecidedLevel() {
        assertThat(CommandRun.of("check", violated.toString(), "--level", "all", "--lake", "none")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void levelsThatTimestampsCannotDecideAreDecidedFromValues() {
        Map<String, Object> result = json("check", clean.toString(), "--level", "all", "--lake", "none");

        assertThat(result.get("verdict")).isEqualTo("holds");
        assertThat(result.get("evidence")).isEqualTo("mixed");
        assertThat(JsonTree.<String>at(result, "levels", "causal", "evidence")).isEqualTo("values");
        assertThat(JsonTree.<String>at(result, "levels", "causal", "verdict")).isEqualTo("holds");
        assertThat(JsonTree.<String>at(result, "levels", "snapshot-isolation", "evidence"))
                .isEqualTo("timestamps");
        assertThat(JsonTree.<String>at(result, "levels", "snapshot-isolation", "verdict"))
                .isEqualTo("holds");
    }

    @Test
    void cyclesOfVersionsInTheOrderOfCommitTimestampsAreEvidenceOfTimestamps() throws IOException {
        Path history = Files.writeString(
                folder.resolve("skew.txt"),
                """
                s1 T1 [1,4]: r(x,_) r(y,_) w(x,1)
                s2 T2 [2,5]: r(x,_) r(y,_) w(y,2)
                s3 T3 [6,7]: w(x,3)
                """);
        Map<String, Object> timed = json("check", "" + history, "--level", "PL-SI,PL-3,rc", "--lake", "none");
        Map<String, Object> untimed =
                json("check", "" + history, "--level", "PL-SI,PL-3", "--evidence", "values", "--lake", "none");

        assertThat(JsonTree.<String>at(timed, "levels", "PL-3", "verdict")).isEqualTo("violated");
        assertThat(JsonTree.<String>at(timed, "levels", "PL-3", "evidence")).isEqualTo("timestamps");
        assertThat(JsonTree.<String>at(timed, "levels", "PL-SI", "evidence")).isEqualTo("timestamps");
        assertThat(JsonTree.<String>at(timed, "levels", "read-committed", "evidence"))
                .isEqualTo("values");
        assertThat(JsonTree.<String>at(untimed, "levels", "PL-3", "evidence")).isEqualTo("values");
    }

    @Test
    void manySessionsMayBeginWithATransactionThatOnlyRead() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int session = 0; session < 100; session++) {
            rows.append("s%d T%d [%d,_]: r(x,_)%n".formatted(session, session, session));
        }
        Path history = Files.writeString(folder.resolve("readers.txt"), rows);

        assertThat(json("check", history.toString(), "--level", "si,ser", "--lake", "none")
                        .get("verdict"))
                .isEqualTo("holds");
    }

    @Test
    void missingTimestampsLeaveSiAndSerUndecided() {
        Map<String, Object> result = json("check", undecided.toString(), "--evidence", "timestamps", "--lake", "none");

        for (String level : List.of("snapshot-isolation", "serializable")) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict")).isEqualTo("undecided");
            assertThat(JsonTree.<String>at(result, "levels", level, "evidence")).isEqualTo("timestamps");
            assertThat(JsonTree.<String>at(result, "levels", level, "reason"))
                    .startsWith("3 of 3 committed transactions without start or commit timestamp");
        }
    }

    @Test
    void valuesAskedForAreNotDecidedByTimestamps() {
        Map<String, Object> result = json("check", clean.toString(), "--evidence", "values", "--lake", "none");

        assertThat(result.get("evidence")).isEqualTo("values");
        assertThat(result.get("verdict")).isEqualTo("holds");
        assertThat(result.get("keys")).isEqualTo(2L);
    }

    @Test
    void aClusterThatIsNotReachedIsWorthARetry() {
        CommandRun run = CommandRun.of(
                "check", clean.toString(), "--engine", "flink", "--cluster", "127.0.0.1:1", "--lake", lake.toString());

        assertThat(run)
                .isEqualTo(new CommandRun(
                        75,
                        "",
                        "nightjar: cluster failed: cannot reach it: cluster=127.0.0.1:1 reason=Connection refused;"
                                + " see that it runs and that this is its REST address\n"));
        assertThat(lake).doesNotExist();
    }

    // ---------------------------------------------------------------- wrong usage

    @Test
    void usageErrorPrintsOneLineAndWritesNothing() {
        List<List<String>> calls = List.of(
                List.of("check"),
                List.of("check", clean.toString(), "--level", "nonsense"),
                List.of("check", clean.toString(), "--level", ""),
                List.of("check", clean.toString(), "--evidence", "rumours"),
                List.of("check", clean.toString(), "--engine", "spark"),
                List.of("check", clean.toString(), "--engine", "flink", "--threads", "2"),
                List.of("check", clean.toString(), "--engine", "flink", "--parallelism", "0"),
                List.of("check", clean.toString(), "--engine", "flink", "--cluster", "localhost"),
                List.of("check", clean.toString(), "--parallelism", "2"),
                List.of("check", clean.toString(), "--cluster", "localhost:8081"),
                List.of("check", clean.toString(), "--threads", "0"),
                List.of("check", clean.toString(), "--threads", "many"),
                List.of("check", clean.toString(), "--memory", "lots"),
                List.of("check", clean.toString(), "--memory", "0"),
                List.of("check", clean.toString(), "--max-anomalies", "-1"),
                List.of("check", clean.toString(), "--max-dead-letters", "-1"),
                List.of("check", clean.toString(), "--from", "xml"),
                List.of("check", clean.toString(), "--run-id", "1starts-with-a-digit"),
                List.of("check", clean.toString(), "--run-id", "../escape"),
                List.of("check", clean.toString(), violated.toString(), "--run-id", "r1"),
                List.of("check", clean.toString(), "--lake", clean.toString()),
                List.of("check", clean.toString(), "--lake", folder.toString()),
                List.of("check", clean.toString(), "--nonsense"));
        for (List<String> call : calls) {
            List<String> args = new ArrayList<>(call);
            if (!args.contains("--lake")) {
                args.addAll(List.of("--lake", lake.toString()));
            }
            CommandRun run = CommandRun.of(args.toArray(new String[0]));

            assertThat(run.code()).as("%s %s", call, run).isEqualTo(64);
            assertThat(run.out()).as("%s", call).isEmpty();
            assertThat(run.err()).as("%s", call).startsWith("nightjar: ").doesNotContain("\tat ");
            assertThat(lake).as("%s", call).doesNotExist();
        }
    }

    // ---------------------------------------------------------------- json

    @Test
    void resultKeysHaveContractOrder() {
        Map<String, Object> result =
                json("check", violated.toString(), "--lake", lake.toString(), "--level", "si,cser");

        assertThat(result.keySet())
                .containsExactly(
                        "schema",
                        "history",
                        "verdict",
                        "transactions",
                        "operations",
                        "sessions",
                        "keys",
                        "evidence",
                        "engine",
                        "run_id",
                        "seconds",
                        "levels",
                        "anomalies",
                        "lint");
        assertThat(JsonTree.<Map<String, Object>>at(result, "levels").keySet())
                .containsExactlyInAnyOrder("snapshot-isolation", "commit-order-serializable");
        Map<String, Object> si = JsonTree.at(result, "levels", "snapshot-isolation");
        assertThat(si.keySet()).containsExactly("verdict", "evidence", "anomalies", "types", "exact");
        List<Map<String, Object>> anomalies = JsonTree.at(result, "anomalies");
        assertThat(anomalies).isNotEmpty().allSatisfy(anomaly -> assertThat(anomaly.keySet())
                .containsExactly("id", "type", "pattern", "level", "transactions", "key", "explanation"));
    }

    @Test
    void resultHasInputAndFindings() {
        Map<String, Object> result =
                json("check", violated.toString(), "--lake", lake.toString(), "--level", "si,cser");

        assertThat(result)
                .containsEntry("schema", 1L)
                .containsEntry("history", violated.toString())
                .containsEntry("verdict", "violated")
                .containsEntry("transactions", 2L)
                .containsEntry("operations", 2L)
                .containsEntry("sessions", 2L)
                .containsEntry("keys", 1L)
                .containsEntry("evidence", "timestamps")
                .containsEntry("engine", "local");
        assertThat(result.get("run_id")).asString().startsWith("r");
        assertThat(JsonTree.<Object>at(result, "levels", "snapshot-isolation", "types"))
                .isEqualTo(Map.of("EXT", 1L));
        List<Map<String, Object>> anomalies = JsonTree.at(result, "anomalies");
        assertThat(anomalies).extracting(anomaly -> anomaly.get("level")).contains("snapshot-isolation");
        assertThat(anomalies).extracting(anomaly -> anomaly.get("transactions")).containsOnly(List.of(2L, 1L));
        assertThat(anomalies).extracting(anomaly -> anomaly.get("key")).containsOnly("x");
    }

    @Test
    void anUndecidedLevelHasAReasonBetweenEvidenceAndCounts() {
        Map<String, Object> result = json("check", undecided.toString(), "--lake", "none");

        Map<String, Object> si = JsonTree.at(result, "levels", "snapshot-isolation");
        assertThat(si.keySet()).containsExactly("verdict", "evidence", "reason", "anomalies", "types");
        assertThat(result.get("evidence")).isEqualTo("values");
    }

    @Test
    void everyHistoryHasOneLineInArgumentOrder() {
        CommandRun run = CommandRun.of(
                "check",
                rejected.toString(),
                violated.toString(),
                clean.toString(),
                "--json",
                "--lake",
                lake.toString());

        List<Map<String, Object>> lines = JsonTree.lines(run.out());
        assertThat(run.code()).isEqualTo(3);
        assertThat(lines)
                .extracting(line -> line.get("history"))
                .containsExactly(rejected.toString(), violated.toString(), clean.toString());
        assertThat(lines).extracting(line -> line.get("verdict")).containsExactly("rejected", "violated", "holds");
        assertThat(lines.get(0).keySet()).containsExactly("schema", "history", "verdict", "error", "file", "row");
        assertThat(lines.get(0).get("error")).asString().startsWith("[" + rejected + " ");
        assertThat(lines.get(0)).containsEntry("file", rejected.toString()).containsEntry("row", 1L);
        assertThat(Lake.open(lake).completeRuns()).hasSize(2);
    }

    @Test
    void rejectedHistoryHasLineAndHidesNoOther() throws IOException {
        Files.createDirectories(lake.resolve("_runs"));
        Path tables = Files.createDirectories(lake.resolve("level_verdicts"));
        Path inTheWay = Files.writeString(tables.resolve("history_id=" + LakeNames.historyId(clean.toString())), "");

        CommandRun run = CommandRun.of(
                "check",
                violated.toString(),
                clean.toString(),
                undecided.toString(),
                "--json",
                "--lake",
                lake.toString());

        List<Map<String, Object>> lines = JsonTree.lines(run.out());
        assertThat(run.code()).as("%s", run).isEqualTo(75);
        assertThat(lines).extracting(line -> line.get("verdict")).containsExactly("violated", "failed", "undecided");
        assertThat(lines.get(1)).containsEntry("history", clean.toString());
        assertThat(lines.get(1).get("file")).asString().startsWith(inTheWay.toString());
        assertThat(run.err()).contains(lines.get(1).get("error").toString());
    }

    @Test
    void misuseThatOnlyOneHistoryShowsHidesNoOther() {
        CommandRun run = CommandRun.of(
                "check",
                clean.toString(),
                rejected.toString(),
                violated.toString(),
                "--initial-value",
                "none",
                "--json",
                "--lake",
                "none");

        assertThat(run.code()).as("%s", run).isEqualTo(64);
        assertThat(JsonTree.lines(run.out()))
                .extracting(line -> line.get("verdict"))
                .containsExactly("failed", "rejected", "failed");
    }

    @Test
    void theListIsCutAndTheCountsAreNot() throws IOException {
        StringBuilder history = new StringBuilder("s1 T1 [1,2]: w(x,1)\n");
        for (int txn = 2; txn < 152; txn++) {
            history.append("s2 T%d [%d,%d]: r(x,%d)%n".formatted(txn, 2 * txn, 2 * txn + 1, 1000 + txn));
        }
        Path many = Files.writeString(folder.resolve("many.txt"), history);

        Map<String, Object> cut =
                json("check", many.toString(), "--level", "si", "--max-anomalies", "5", "--lake", lake.toString());
        Map<String, Object> byDefault = json("check", many.toString(), "--level", "si", "--lake", "none");
        Map<String, Object> none =
                json("check", many.toString(), "--level", "si", "--lake", "none", "--max-anomalies", "0");

        for (Map<String, Object> result : List.of(cut, byDefault, none)) {
            assertThat(JsonTree.<Long>at(result, "levels", "snapshot-isolation", "anomalies"))
                    .isEqualTo(150);
            assertThat(JsonTree.<Object>at(result, "levels", "snapshot-isolation", "types"))
                    .isEqualTo(Map.of("EXT", 150L));
            assertThat(result.get("verdict")).isEqualTo("violated");
        }
        assertThat(JsonTree.<List<Object>>at(cut, "anomalies")).hasSize(5);
        assertThat(JsonTree.<List<Object>>at(byDefault, "anomalies")).hasSize(100);
        assertThat(JsonTree.<List<Object>>at(none, "anomalies")).isEmpty();
        assertThat(CommandRun.rows(lake, "SELECT count(*) AS n FROM anomalies")).containsExactly(Map.of("n", 150L));
    }

    @Test
    void theSummaryForAPersonIsShort() throws IOException {
        for (Path history : List.of(clean, violated, undecided)) {
            CommandRun run = CommandRun.of("check", history.toString(), "--level", "all", "--lake", lake.toString());

            assertThat(run.out().lines().count()).as(run.out()).isBetween(2L, 20L);
            assertThat(run.out()).startsWith(history + ": ");
        }
    }

    // ---------------------------------------------------------------- runs

    @Test
    void theSameRunIdReturnsTheStoredVerdict() {
        String first = CommandRun.of(
                        "check", violated.toString(), "--json", "--lake", lake.toString(), "--run-id", "rNight")
                .out();
        CommandRun second =
                CommandRun.of("check", violated.toString(), "--json", "--lake", lake.toString(), "--run-id", "rNight");

        assertThat(second.code()).isEqualTo(1);
        assertThat(second.out()).isEqualTo(first);
        assertThat(Lake.open(lake).completeRuns()).containsExactly("rNight");
        assertThat(CommandRun.rows(lake, "SELECT count(*) AS n FROM runs")).containsExactly(Map.of("n", 1L));
    }

    @Test
    void runIdOfOtherInputOrOptionsIsWrongUsage() throws IOException {
        CommandRun.of("check", violated.toString(), "--lake", lake.toString(), "--run-id", "rNight");

        CommandRun otherInput =
                CommandRun.of("check", clean.toString(), "--lake", lake.toString(), "--run-id", "rNight");
        CommandRun otherOptions = CommandRun.of(
                "check", violated.toString(), "--level", "si", "--lake", lake.toString(), "--run-id", "rNight");
        Files.writeString(violated, CLEAN);
        CommandRun changedInput =
                CommandRun.of("check", violated.toString(), "--lake", lake.toString(), "--run-id", "rNight");

        for (CommandRun run : List.of(otherInput, otherOptions, changedInput)) {
            assertThat(run.code()).as("%s", run).isEqualTo(64);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .startsWith("nightjar: run id is taken by a run ")
                    .contains("run-id=rNight");
        }
        assertThat(Lake.open(lake).completeRuns()).containsExactly("rNight");
    }

    @Test
    void aRunOverADirectoryIsKnownAgain() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(
                parts.resolve("a.jsonl"),
                "{\"txn\":1,\"session\":0,\"start\":1,\"commit\":2,\"ops\":[[\"w\",\"x\",1]]}\n");
        Files.writeString(
                parts.resolve("b.jsonl"),
                "{\"txn\":2,\"session\":1,\"start\":3,\"commit\":4,\"ops\":[[\"r\",\"x\",1]]}\n");
        String[] call = {"check", parts.toString(), "--json", "--lake", lake.toString(), "--run-id", "rParts"};
        CommandRun first = CommandRun.of(call);

        assertThat(first.code()).as("%s", first).isZero();
        assertThat(CommandRun.of(call)).isEqualTo(first);
        Files.writeString(
                parts.resolve("c.jsonl"), "{\"txn\":3,\"session\":2,\"start\":5,\"ops\":[[\"r\",\"x\",1]]}\n");
        assertThat(CommandRun.of(call).code()).isEqualTo(64);
    }

    @Test
    void noLakeMeansNoRunAndNoFiles() throws IOException {
        Map<String, Object> result = json("check", violated.toString(), "--lake", "none");

        assertThat(result).containsEntry("run_id", null);
        assertThat(Path.of("nightjar-lake")).doesNotExist();
    }

    // ---------------------------------------------------------------- generated histories

    @Test
    void plantedFaultsAreReportedAsTheSideFileSays() throws IOException {
        for (String out : List.of("faulty.parquet", "faulty.jsonl")) {
            Path file = folder.resolve(out);
            CommandRun.of(
                    "generate",
                    file.toString(),
                    "--transactions",
                    "2000",
                    "--fault",
                    "stale-read=2,lost-update=2,session-break=2,aborted-read=2,intermediate-read=2,clock-skew=2,"
                            + "start-after-commit=2,garbage-value=2");
            List<String> expected = new ArrayList<>();
            for (Map<String, Object> fault : JsonTree.lines(Files.readString(folder.resolve(out + ".faults.jsonl")))) {
                for (Map<String, Object> anomaly : JsonTree.<List<Map<String, Object>>>at(fault, "expected")) {
                    expected.add(anomaly.get("type") + " " + anomaly.get("level") + " " + anomaly.get("transactions")
                            + " " + anomaly.get("key"));
                }
            }

            Map<String, Object> result = json("check", file.toString(), "--level", "si", "--lake", "none");

            List<String> found = new ArrayList<>();
            for (Map<String, Object> anomaly : JsonTree.<List<Map<String, Object>>>at(result, "anomalies")) {
                List<Object> txns = JsonTree.at(anomaly, "transactions");
                found.add(anomaly.get("type") + " " + anomaly.get("level") + " "
                        + (anomaly.get("type").equals("NOCONFLICT") ? txns : txns.subList(0, 1)) + " "
                        + anomaly.get("key"));
            }
            assertThat(expected).isNotEmpty();
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    // ---------------------------------------------------------------- files that are never written

    @Test
    void aWitnessNeverReplacesTheHistory() throws IOException {
        Path linked = Files.createSymbolicLink(folder.resolve("link.txt"), clean);
        for (Path witness : List.of(clean, linked)) {
            CommandRun run = witnessed(clean, witness);

            assertThat(run.code()).isEqualTo(64);
            assertThat(run.err()).contains("output is the input: path=" + witness);
        }
        assertThat(clean).hasContent(CLEAN);
    }

    @Test
    void witnessInHistoryDirectoryIsRejected() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Path part = Files.writeString(parts.resolve("a.jsonl"), "{\"session\":1,\"ops\":[]}\n");
        for (Path witness : List.of(part, parts.resolve("b.jsonl"))) {
            CommandRun run = witnessed(parts, witness);

            assertThat(run.code()).isEqualTo(64);
            assertThat(run.err()).contains("output lies in the input: path=" + witness + " input=" + parts);
        }
        assertThat(parts.toFile().list()).containsExactly("a.jsonl");
    }

    @Test
    void tablesAndArtifactsInHistoryDirectoryAreRejected() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.jsonl"), "{\"session\":1,\"ops\":[]}\n");
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), parts);

        for (Path inside : List.of(parts.resolve("lake"), linked.resolve("deep/er/lake"))) {
            for (String option : List.of("--lake", "--artifacts")) {
                String other = option.equals("--lake") ? "--artifacts" : "--lake";
                CommandRun run = CommandRun.of(
                        "check",
                        parts.toString(),
                        option,
                        inside.toString(),
                        other,
                        folder.resolve("apart").toString());

                assertThat(run.code()).isEqualTo(64);
                assertThat(run.err())
                        .isEqualTo("nightjar: output lies in the input: " + option + "=" + inside + " input=" + parts
                                + "; the next check would reject the history, choose a location outside with " + option
                                + ", or a name there that begins with _\n");
            }
        }
        assertThat(CommandRun.of("check", parts.toString(), "--lake", "none", "--artifacts", parts.toString())
                        .code())
                .isEqualTo(64);
        assertThat(parts.toFile().list()).containsExactly("a.jsonl");
    }

    @Test
    void tablesUnderSkippedNameInHistoryDirectoryAreAllowed() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.jsonl"), "{\"session\":1,\"ops\":[]}\n");
        String inside = parts.resolve("_checked/lake").toString();

        assertThat(CommandRun.of("check", parts.toString(), "--lake", inside).code())
                .isZero();
        assertThat(CommandRun.of("check", parts.toString(), "--lake", inside).code())
                .isZero();
    }

    @Test
    void unwritableWitnessIsWrongUsageBeforeCheck() {
        Path nowhere = folder.resolve("no/such/witness");

        assertThat(witnessed(clean, folder).err()).contains("output is a directory: path=" + folder);
        assertThat(witnessed(clean, nowhere).err()).contains("no such directory: path=" + nowhere.getParent());
        assertThat(witnessed(clean, nowhere).code()).isEqualTo(64);
        assertThat(lake).doesNotExist();
    }

    private CommandRun witnessed(Path history, Path witness) {
        return CommandRun.of("check", history.toString(), "--lake", lake.toString(), "--witness", witness.toString());
    }

    @Test
    void anUnknownEvidenceIsNamedWithThoseThatAre() {
        CommandRun run = CommandRun.of("check", clean.toString(), "--lake", "none", "--evidence", "guesses");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo("nightjar: unknown evidence: evidence=guesses expected=auto|timestamps|values|versions\n");
    }

    @Test
    void anEmptyNameIsNotTheWorkingDirectory() {
        CommandRun run = CommandRun.of("check", "", "--lake", "none");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).isEqualTo("nightjar: [] no such file or directory\n");
    }

    // ---------------------------------------------------------------- helpers

    private static CommandRun check(Path... histories) {
        List<String> args = new ArrayList<>(List.of("check", "--lake", "none"));
        for (Path history : histories) {
            args.add(history.toString());
        }
        return CommandRun.of(args.toArray(new String[0]));
    }

    private static Map<String, Object> json(String... args) {
        List<String> withJson = new ArrayList<>(List.of(args));
        withJson.add("--json");
        CommandRun run = CommandRun.of(withJson.toArray(new String[0]));
        assertThat(run.out().lines()).as("%s", run).hasSize(1);
        return JsonTree.object(run.out());
    }
}
