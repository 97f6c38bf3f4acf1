package io.nightjar.jobs.lake;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.pipeline.explain.FindingSentences;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Small runs for tests that need rows in a lake. */
public final class LakeFixtures {

    /** Begins the day on which every run of these tests happens. */
    public static final Instant MIDNIGHT = Instant.parse("2026-11-20T00:00:00Z");

    public static final String OPTIONS = "{\"level\":[\"snapshot-isolation\",\"serializable\"]}";

    private LakeFixtures() {}

    /** T3 should have read from T2 the value that it read from T1. */
    public static Finding staleRead(String key) {
        return staleRead(key, IsolationLevel.SNAPSHOT_ISOLATION);
    }

    private static Finding staleRead(String key, IsolationLevel level) {
        List<Participant> participants = List.of(
                new Participant(3, Role.READER, 30, 32),
                new Participant(2, Role.EXPECTED_WRITER, 20, 22),
                new Participant(1, Role.OBSERVED_WRITER, 10, 12));
        List<Edge> edges = List.of(
                new Edge(1, 3, EdgeType.WR, key, "1", "1", EdgeEvidence.VALUE),
                new Edge(1, 2, EdgeType.WW, key, "1", "2", EdgeEvidence.TIMESTAMP),
                new Edge(2, 3, EdgeType.TS, null, null, null, EdgeEvidence.TIMESTAMP));
        return new Finding(
                Anomaly.EXT,
                null,
                level,
                "chronos-si",
                key,
                participants,
                new Expectation("2", 2L, "1", 1L, Origin.STALE),
                8L,
                false,
                edges);
    }

    public static TxnRow txn(long txnId, OpRow... ops) {
        return txn(txnId, List.of(ops));
    }

    public static TxnRow txn(long txnId, List<OpRow> ops) {
        return new TxnRow(
                txnId, txnId % 2, txnId, "committed", txnId * 10, txnId * 10 + 2, null, "orders.parquet", txnId, ops);
    }

    /** Returns the transactions of {@link #staleRead}. */
    public static TxnRow staleReadTxn(String key, long txnId) {
        return txnId == 3
                ? txn(3, new OpRow("w", "other", "7"), new OpRow("r", key, "1"))
                : txn(txnId, new OpRow("w", key, Long.toString(txnId)));
    }

    /** Returns the ordinal of the operation at fault in {@link #staleRead}. */
    public static int staleReadOp(Participant participant) {
        return participant.role() == Role.READER ? 1 : 0;
    }

    /** Returns the explanation of {@link #staleRead}. */
    public static String explanation(String key) {
        return FindingSentences.explain(staleRead(key), txnId -> staleReadTxn(key, txnId));
    }

    public static void addStaleRead(RunWriter run, String key) {
        addStaleRead(run, key, IsolationLevel.SNAPSHOT_ISOLATION);
    }

    private static void addStaleRead(RunWriter run, String key, IsolationLevel level) {
        run.addAnomaly(
                ExplainedFinding.of(
                        staleRead(key, level), txnId -> staleReadTxn(key, txnId), LakeFixtures::staleReadOp),
                explanation(key),
                null);
    }

    public static RunFacts facts(Instant startedAt) {
        return facts(startedAt, OPTIONS);
    }

    private static RunFacts facts(Instant startedAt, String options) {
        return new RunFacts(
                "orders.parquet", "b1", startedAt, startedAt.plusSeconds(2), "0.1.0", options, "sha256:abc");
    }

    public static RunResult result(String runId, long anomalies) {
        return result(runId, anomalies, "timestamps");
    }

    private static RunResult result(String runId, long anomalies, String evidenceOfSerializable) {
        Verdict verdict = anomalies == 0 ? Verdict.HOLDS : Verdict.VIOLATED;
        Map<String, Long> types = anomalies == 0 ? Map.of() : Map.of("EXT", anomalies);
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>();
        levels.put(
                IsolationLevel.SNAPSHOT_ISOLATION,
                new LevelResult(verdict, "timestamps", null, anomalies, types, true, 0));
        levels.put(
                IsolationLevel.SERIALIZABLE,
                new LevelResult(Verdict.UNDECIDED, evidenceOfSerializable, "budget", 0, Map.of(), false, 0));
        return new RunResult(
                "orders.parquet",
                verdict,
                new RunResult.Size(3, 4, 2, 2),
                new RunResult.How("timestamps", "local", runId, 0.25),
                levels,
                new RunResult.Report(List.of(), anomalies, new RunResult.Faults(anomalies, true), List.of(), null));
    }

    /** Writes a complete run in which these keys were read stale. */
    public static void writeRun(Path lake, String runId, String history, Instant startedAt, String... keys) {
        try (RunWriter run = Lake.open(lake).begin(runId, LakeNames.historyId(history))) {
            for (String key : keys) {
                addStaleRead(run, key);
            }
            run.commit(result(run.runId(), keys.length), facts(startedAt));
        }
    }

    /** Writes a complete run of a version with another definition of serializable, in which a key was read stale at each level. */
    public static void writeRun(
            Path lake,
            String runId,
            Instant startedAt,
            int definition,
            String evidence,
            String ofSnapshot,
            String ofSerial) {
        String options = definition == 1 ? "{}" : "{\"definitions\":\"serializable:" + definition + "\"}";
        try (RunWriter run = Lake.open(lake).begin(runId, LakeNames.historyId("a"))) {
            addStaleRead(run, ofSnapshot, IsolationLevel.SNAPSHOT_ISOLATION);
            addStaleRead(run, ofSerial, IsolationLevel.SERIALIZABLE);
            run.commit(result(run.runId(), 2, evidence), facts(startedAt, options));
        }
    }

    /** Writes a complete run with rows in every table. */
    public static void writeFullRun(Path lake, String runId) {
        try (RunWriter run = Lake.open(lake).begin(runId, LakeNames.historyId("orders.parquet"))) {
            addStaleRead(run, "x");
            LakeRow.Ids ids = run.ids();
            run.add(new LakeRow.LintFinding(ids, "L13", "warning", 1, "T3", "start_ts looks like the begin time"));
            run.add(new LakeRow.DeadLetter(ids, "orders.parquet", 9, "unknown op kind: kind=z", "{\"txn\":9}"));
            run.add(new LakeRow.Component(ids, 0, 2, 3, 2, "done", 17, 0.5));
            run.add(stage(ids, "read", 3));
            run.add(verdictChange(ids, 1, MIDNIGHT, true));
            run.add(new LakeRow.WatchInterval(
                    ids,
                    1,
                    MIDNIGHT,
                    3,
                    4,
                    12L,
                    new LakeRow.WatchInterval.Counts(2, 1, 0, 0, 0, 0, 1),
                    new LakeRow.WatchInterval.Times(5, 20, 90, 5_000),
                    1,
                    2L,
                    3));
            run.commit(result(runId, 1), facts(MIDNIGHT));
        }
    }

    /** Returns a stage that read three transactions. */
    public static LakeRow.Stage stage(LakeRow.Ids ids, String name, long recordsIn) {
        LakeRow.Stage.Counters counters = new LakeRow.Stage.Counters(3L, null, null, null, null, null, null);
        return new LakeRow.Stage(ids, name, 0.1, recordsIn, 4L, 1_000L, null, 2_000L, counters);
    }

    /** Returns a change of anomaly {@code a<seq>}. */
    static LakeRow.VerdictChange verdictChange(LakeRow.Ids ids, long seq, Instant when, boolean stands) {
        return new LakeRow.VerdictChange(
                ids, seq, "a" + seq, "final", "EXT", "serializable", 3, null, "1", null, when, when, 0, stands);
    }
}
