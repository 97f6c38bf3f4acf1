package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows that checks by values and cycles write to the lake, and their independence of the execution. */
class ValueTablesTest {

    /** A write skew, a lost update of other keys, and a list that was read against its order. */
    private static final String SKEW_AND_MORE =
            """
            s1 T1: r(x,_) w(y,1)
            s2 T2: r(y,_) w(x,1)
            s3 T3: r(z,_) w(z,1)
            s4 T4: r(z,_) w(z,2)
            s5 T5: append(l,1) r(m,[1])
            s6 T6: append(m,1) r(l,[1])
            """;

    @TempDir
    private Path folder;

    private Path lake;
    private Path history;

    @BeforeEach
    void writeHistory() throws IOException {
        lake = folder.resolve("lake");
        history = Files.writeString(folder.resolve("history.txt"), SKEW_AND_MORE);
    }

    @Test
    void storedRunIsReturnedWithElleLevels() {
        CommandRun first = check("--level", "all,PL-3,strict-serializable", "--run-id", "rNight");
        CommandRun second = check("--level", "all,PL-3,strict-serializable", "--run-id", "rNight");

        assertThat(second).isEqualTo(first);
        assertThat(JsonTree.object(first.out())).containsKeys("not", "also_not", "not_because");
    }

    @Test
    void lintLocatesValuesWrittenTwiceOrNever() throws IOException {
        Files.writeString(
                history,
                """
                s1 T1: w(x,1)
                s2 T2: w(x,1)
                s3 T3: r(y,7)
                """);
        check("--level", "ser");

        assertThat(JsonTree.lines(CommandRun.of(
                                "sql",
                                "--json",
                                "--lake",
                                lake.toString(),
                                "SELECT example FROM lint_findings ORDER BY rule_id")
                        .out()))
                .extracting(row -> row.get("example"))
                .containsExactly(
                        "[" + history + " row=2] txn_id=2 key=x value=1",
                        "[" + history + " row=3] txn_id=3 key=y value=7");
    }

    @Test
    void aRunWithAnotherOrderOfVersionsIsAnother() {
        check("--level", "PL-3", "--run-id", "rNight");

        assertThat(check("--level", "PL-3", "--version-order", "wfr", "--run-id", "rNight")
                        .code())
                .isEqualTo(64);
    }

    @Test
    void theKeysOfTheResultAreThoseOfTheContract() {
        Map<String, Object> result = JsonTree.object(check("--level", "all").out());

        assertThat(result.keySet())
                .containsSubsequence(
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
                        "anomalies");
        Map<String, Map<String, Object>> levels = JsonTree.at(result, "levels");
        assertThat(levels.keySet())
                .containsExactly(
                        "read-committed", "read-atomic", "causal", "prefix", "snapshot-isolation", "serializable");
        List<Map<String, Object>> anomalies = JsonTree.at(result, "anomalies");
        assertThat(anomalies).isNotEmpty().allSatisfy(anomaly -> assertThat(anomaly.keySet())
                .containsExactly("id", "type", "pattern", "level", "transactions", "key", "explanation"));
    }

    @Test
    void everyCycleEdgeHasTypeEvidenceAndBothEnds() {
        check("--level", "all");

        List<Map<String, Object>> edges = CommandRun.rows(
                lake,
                "SELECT e.edge_type, e.evidence, e.from_txn_id, e.to_txn_id"
                        + " FROM anomaly_edges e JOIN anomalies USING (anomaly_id, run_id)"
                        + " WHERE anomaly_type IN ('G1c', 'G2-item', 'commit-order-cycle')");
        assertThat(edges).hasSizeGreaterThan(3).allSatisfy(edge -> {
            assertThat((String) edge.get("edge_type")).isIn("ww", "wr", "rw", "so", "rt", "ts");
            assertThat((String) edge.get("evidence"))
                    .isIn("timestamp", "version", "list", "value", "session", "realtime");
            assertThat(edge.get("from_txn_id")).isNotEqualTo(edge.get("to_txn_id"));
        });
    }

    @Test
    void everyAnomalySaysWhoFoundItAndAtWhichLevel() {
        check("--level", "all");

        List<Map<String, Object>> anomalies = CommandRun.rows(
                lake, "SELECT anomaly_type, algorithm, level_violated, txn_count, explanation FROM anomalies");
        assertThat(anomalies).isNotEmpty().allSatisfy(anomaly -> {
            assertThat((String) anomaly.get("algorithm"))
                    .isIn("read-committed", "read-atomic", "causal", "saturation", "decision", "antichain", "cycle");
            assertThat((String) anomaly.get("level_violated")).isNotBlank();
            assertThat((Long) anomaly.get("txn_count")).isPositive();
            assertThat((String) anomaly.get("explanation")).isNotBlank();
        });
    }

    @Test
    void componentsThatWereSearchedAreListed() throws IOException {
        Files.writeString(
                history,
                """
                s1 T1: r(x,_) w(y,1)
                s2 T2: r(y,_) w(x,1)
                s3 T3: r(a,_) w(b,1)
                s4 T4: r(b,_) w(a,1)
                """);
        check("--level", "si,ser");

        List<Map<String, Object>> components = CommandRun.rows(
                lake, "SELECT component_id, session_count, txn_count, key_count, status FROM components");
        assertThat(components).hasSize(2).allSatisfy(component -> {
            assertThat(component).containsEntry("session_count", 2L).containsEntry("txn_count", 2L);
            assertThat(component).containsEntry("key_count", 2L);
        });
    }

    @Test
    void verdictsOfLevelsAreInTheirTable() {
        check("--level", "all,PL-3");

        assertThat(CommandRun.rows(lake, "SELECT level FROM level_verdicts WHERE verdict = 'violated' ORDER BY level"))
                .extracting(row -> row.get("level"))
                .contains("PL-3", "serializable", "read-committed");
    }

    @Test
    void everyAnomalyCanBeExplained() {
        CommandRun run = check("--level", "all,PL-3");
        List<Map<String, Object>> anomalies = JsonTree.at(JsonTree.object(run.out()), "anomalies");

        assertThat(anomalies).isNotEmpty().allSatisfy(anomaly -> {
            CommandRun explained = CommandRun.of("explain", lake.toString(), (String) anomaly.get("id"));
            assertThat(explained.code()).as("%s", explained).isZero();
            assertThat(explained.out()).contains((String) anomaly.get("type"));
        });
    }

    @Test
    void anomaliesDoNotDependOnThreadsOrRowOrder() throws IOException {
        Path file = folder.resolve("generated.jsonl");
        CommandRun.of(
                "generate",
                file.toString(),
                "--transactions",
                "400",
                "--store",
                "si",
                "--sessions",
                "8",
                "--keys",
                "60");
        List<String> rows = new ArrayList<>(Files.readAllLines(file));
        Path shuffled = folder.resolve("shuffled.jsonl");
        Collections.shuffle(rows, new Random(1));
        Files.write(shuffled, rows);

        Set<String> one = ids(file, "1");

        assertThat(one).isNotEmpty();
        assertThat(ids(file, "2")).isEqualTo(one);
        assertThat(ids(shuffled, "2")).isEqualTo(one);
    }

    private static Set<String> ids(Path file, String threads) {
        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--lake",
                "none",
                "--evidence",
                "values",
                "--level",
                "all,PL-3",
                "--threads",
                threads,
                file.toString());
        Set<String> ids = new TreeSet<>();
        JsonTree.<List<Map<String, Object>>>at(JsonTree.object(run.out()), "anomalies")
                .forEach(anomaly -> ids.add(anomaly.get("type") + " " + anomaly.get("id")));
        return ids;
    }

    private CommandRun check(String... options) {
        List<String> args = new ArrayList<>(
                List.of("check", history.toString(), "--json", "--evidence", "values", "--lake", lake.toString()));
        args.addAll(List.of(options));
        return CommandRun.of(args.toArray(String[]::new));
    }
}
