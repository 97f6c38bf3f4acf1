package io.nightjar.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunResultJsonTest {

    @Test
    void objectHasContractKeysInOrder() {
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>();
        levels.put(
                IsolationLevel.READ_COMMITTED,
                new LevelResult(Verdict.HOLDS, "values", null, 0, Map.of(), false, 0.01));
        levels.put(
                IsolationLevel.SERIALIZABLE,
                new LevelResult(Verdict.VIOLATED, "values", null, 1, Map.of("G2-item", 1L), false, 0.02));
        levels.put(
                IsolationLevel.SNAPSHOT_ISOLATION,
                new LevelResult(Verdict.UNDECIDED, "values", "budget", 0, Map.of(), false, 0));
        ListedAnomaly anomaly = new ListedAnomaly(
                "a1", "G2-item", "write-skew", IsolationLevel.SERIALIZABLE, List.of(1L, 2L), "x", "because");

        String json = RunResultJson.write(result("r1", 0.12, 4, levels, List.of(anomaly)));

        assertThat(json)
                .isEqualTo(
                        "{\"schema\":1,\"history\":\"a.jsonl\",\"verdict\":\"violated\",\"transactions\":4,"
                                + "\"operations\":9,\"sessions\":2,\"keys\":2,\"evidence\":\"values\",\"engine\":\"local\","
                                + "\"run_id\":\"r1\",\"seconds\":0.12,\"levels\":{"
                                + "\"read-committed\":{\"verdict\":\"holds\",\"evidence\":\"values\",\"anomalies\":0,\"types\":{}},"
                                + "\"serializable\":{\"verdict\":\"violated\",\"evidence\":\"values\",\"anomalies\":1,"
                                + "\"types\":{\"G2-item\":1},\"exact\":false},"
                                + "\"snapshot-isolation\":{\"verdict\":\"undecided\",\"evidence\":\"values\","
                                + "\"reason\":\"budget\",\"anomalies\":0,\"types\":{}}},"
                                + "\"anomalies\":[{\"id\":\"a1\",\"type\":\"G2-item\",\"pattern\":\"write-skew\","
                                + "\"level\":\"serializable\",\"transactions\":[1,2],\"key\":\"x\",\"explanation\":\"because\"}],\"lint\":[]}");
    }

    @Test
    void lintAndOtherTellingsAreReadBackTheSame() {
        ListedAnomaly first = new ListedAnomaly("a1", "lost-update", null, null, List.of(1L), "x", "e")
                .withTellings(new RunResult.Tellings("stale", null, List.of("G2-item")));
        ListedAnomaly second = new ListedAnomaly("a2", "G2-item", null, null, List.of(1L), "x", "e")
                .withTellings(new RunResult.Tellings(null, "a1", List.of()));
        RunResult result = new RunResult(
                "a.jsonl",
                Verdict.VIOLATED,
                new RunResult.Size(4, 9, 2, 2),
                new RunResult.How("values", "local", null, 0),
                Map.of(),
                new RunResult.Report(
                        List.of(first, second),
                        7,
                        new RunResult.Faults(5, false),
                        List.of(new RunResult.Lint("L17", "warning", 1, "no committed transaction")),
                        null));

        assertThat(RunResultJson.read(RunResultJson.writeWhole(result))).isEqualTo(result);
        assertThat(RunResultJson.write(result))
                .contains("\"lint\":[{\"rule_id\":\"L17\",\"severity\":\"warning\",\"count\":1,"
                        + "\"message\":\"no committed transaction\"}]");
    }

    @Test
    void writtenResultIsReadBack() {
        Map<IsolationLevel, LevelResult> levels = Map.of(
                IsolationLevel.SERIALIZABLE,
                new LevelResult(Verdict.UNDECIDED, "values", "a \"reason\"", 2, Map.of("EXT", 2L), false, 0));
        ListedAnomaly anomaly =
                new ListedAnomaly("a1", "EXT", null, IsolationLevel.SERIALIZABLE, List.of(), null, "line\nline");
        RunResult result = result(null, 1.5, 1L << 60, levels, List.of(anomaly));

        assertThat(RunResultJson.read(RunResultJson.writeWhole(result))).isEqualTo(result);
    }

    @Test
    void levelsRuledOutFollowTheLevelsAskedFor() {
        ElleRuledOutLevels ruledOut = new ElleRuledOutLevels(
                List.of("repeatable-read"), List.of("serializable"), Map.of("repeatable-read", List.of("G2-item")));

        String json = RunResultJson.write(result(Map.of(), List.of(), ruledOut));

        assertThat(json)
                .contains("\"levels\":{},\"not\":[\"repeatable-read\"],\"also_not\":[\"serializable\"],"
                        + "\"not_because\":{\"repeatable-read\":[\"G2-item\"]},\"anomalies\":[]");
    }

    @Test
    void levelsRuledOutAreReadBackTheSame() {
        ElleRuledOutLevels ruledOut =
                new ElleRuledOutLevels(List.of("a", "b"), List.of(), Map.of("a", List.of("G0", "G1c")));
        RunResult result = result(Map.of(), List.of(), ruledOut);

        assertThat(RunResultJson.read(RunResultJson.writeWhole(result))).isEqualTo(result);
    }

    @Test
    void emptyRuledOutListDiffersFromMissing() {
        assertThat(RunResultJson.write(result(Map.of(), List.of(), ElleRuledOutLevels.NONE)))
                .contains("\"not\":[],\"also_not\":[],\"not_because\":{}");
        assertThat(RunResultJson.write(result(Map.of(), List.of(), null))).doesNotContain("not\"");
    }

    @Test
    void levelsOfElleAreReadBackByTheirLongNames() {
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>();
        for (IsolationLevel level : IsolationLevel.values()) {
            levels.put(level, new LevelResult(Verdict.HOLDS, "values", null, 0, Map.of(), false, 0));
        }
        RunResult result = result(levels, List.of(), null);

        assertThat(RunResultJson.read(RunResultJson.writeWhole(result))).isEqualTo(result);
        assertThat(RunResultJson.write(result)).contains("\"PL-3\":{", "\"strong-session-read-committed\":{");
    }

    @Test
    void anomalyThatRulesOutNoLevelHasNullLevel() {
        ListedAnomaly anomaly = new ListedAnomaly("a1", "duplicate-write", null, null, List.of(1L), "x", "e");
        RunResult result = result(Map.of(), List.of(anomaly), null);

        assertThat(RunResultJson.write(result)).contains("\"level\":null");
        assertThat(RunResultJson.read(RunResultJson.writeWhole(result))).isEqualTo(result);
    }

    @Test
    void numbersAboveTwoToTheFiftyThirdAreStrings() {
        long exact = 1L << 53;
        ListedAnomaly anomaly = new ListedAnomaly(
                "a1", "EXT", null, IsolationLevel.SERIALIZABLE, List.of(exact, exact + 1, -exact - 1), "x", "e");

        String json = RunResultJson.write(result("r1", 0, 4, Map.of(), List.of(anomaly)));

        assertThat(json).contains("\"transactions\":[9007199254740992,\"9007199254740993\",\"-9007199254740993\"]");
    }

    @Test
    void secondsAreNeverInScientificNotation() {
        assertThat(RunResultJson.write(result("r1", 0.00001, 4, Map.of(), List.of())))
                .contains("\"seconds\":0,");
        assertThat(RunResultJson.write(result("r1", 120000000, 4, Map.of(), List.of())))
                .contains("\"seconds\":120000000,");
    }

    @Test
    void aRunWithoutTablesHasANullRunId() {
        assertThat(RunResultJson.write(result(null, 0, 4, Map.of(), List.of()))).contains("\"run_id\":null,");
    }

    @Test
    void aRejectedHistoryHasItsErrorWithFileAndRow() {
        InputLocation location = InputLocation.line("b.jsonl", 2);

        assertThat(RunResultJson.notChecked("b.jsonl", "rejected", location + " bad: \"x\"", location))
                .isEqualTo("{\"schema\":1,\"history\":\"b.jsonl\",\"verdict\":\"rejected\","
                        + "\"error\":\"[b.jsonl line=2] bad: \\\"x\\\"\",\"file\":\"b.jsonl\",\"row\":2}");
    }

    @Test
    void unknownKeysAreSkipped() {
        String json = RunResultJson.write(result("r1", 0, 4, Map.of(), List.of()));
        String withMore = json.replace("\"levels\":", "\"more\":{\"a\":[1,{}]},\"levels\":");

        assertThat(RunResultJson.read(withMore)).isEqualTo(RunResultJson.read(json));
    }

    @Test
    void damagedTextIsRefused() {
        assertThatThrownBy(() -> RunResultJson.read("{\"schema\":1,"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a result: text={\"schema\":1,");
    }

    private static RunResult result(
            String runId,
            double seconds,
            long transactions,
            Map<IsolationLevel, LevelResult> levels,
            List<ListedAnomaly> anomalies) {
        return new RunResult(
                "a.jsonl",
                Verdict.VIOLATED,
                new RunResult.Size(transactions, 9, 2, 2),
                new RunResult.How("values", "local", runId, seconds),
                levels,
                new RunResult.Report(
                        anomalies, anomalies.size(), new RunResult.Faults(anomalies.size(), true), List.of(), null));
    }

    private static RunResult result(
            Map<IsolationLevel, LevelResult> levels, List<ListedAnomaly> anomalies, ElleRuledOutLevels ruledOut) {
        return new RunResult(
                "a.jsonl",
                Verdict.VIOLATED,
                new RunResult.Size(4, 9, 2, 2),
                new RunResult.How("values", "local", null, 0),
                levels,
                new RunResult.Report(
                        anomalies,
                        anomalies.size(),
                        new RunResult.Faults(anomalies.size(), true),
                        List.of(),
                        ruledOut));
    }
}
