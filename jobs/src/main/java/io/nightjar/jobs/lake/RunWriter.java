package io.nightjar.jobs.lake;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Story;
import io.nightjar.formats.finding.Story.Actor;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.PlainText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.pipeline.explain.EdgeReasons;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes one run into a lake. Nothing of it is visible before {@link #commit}; closing without it removes everything.
 *
 * <p>Rows are written by one thread. Each table takes {@link #MAX_ROWS} rows; methods that add rows of which there may be
 * more say whether there was room, and the caller tells the user in a lint finding.
 */
public final class RunWriter implements AutoCloseable {

    /** The most rows that one run has in one table. */
    public static final long MAX_ROWS = 1_000_000;

    private static final int MAX_OPS_CHARS = 4_000;
    private static final int MAX_VALUE_CHARS = 2_000;
    private static final int MAX_RAW_CHARS = 4_000;

    private final Lake lake;
    private final String runId;
    private final String historyId;
    private final RunLock lock;
    private final boolean isLakeNew;
    private final long maxRows;
    private final Map<LakeTable, TableFile> files = new EnumMap<>(LakeTable.class);
    private final LiveParts liveParts = new LiveParts();
    private boolean isCommitted;
    private boolean isClosed;

    RunWriter(Lake lake, String runId, String historyId, RunLock lock, boolean isLakeNew, long maxRows) {
        this.lake = lake;
        this.runId = runId;
        this.historyId = historyId;
        this.lock = lock;
        this.isLakeNew = isLakeNew;
        this.maxRows = maxRows;
    }

    public String runId() {
        return runId;
    }

    public String historyId() {
        return historyId;
    }

    /**
     * Adds an anomaly with its transactions and edges: all of it, or nothing if one of the three tables has no room left.
     *
     * @param explanation the sentence that says why it is an anomaly
     * @param relatedTo the id of the anomaly of which this one is another telling, or null
     * @return whether there was room
     */
    public boolean addAnomaly(Story story, String explanation, String relatedTo) {
        Finding finding = story.finding();
        if (rows(LakeTable.ANOMALIES) >= maxRows
                || rows(LakeTable.ANOMALY_TXNS) + finding.participants().size() > maxRows
                || rows(LakeTable.ANOMALY_EDGES) + finding.edges().size() > maxRows) {
            return false;
        }
        String anomalyId = finding.anomalyId();
        Set<Long> sessions = addTxns(anomalyId, story);
        addAnomalyRow(anomalyId, finding, explanation, relatedTo, sessions.size());
        addEdges(anomalyId, finding);
        return true;
    }

    private void addAnomalyRow(
            String anomalyId, Finding finding, String explanation, String relatedTo, long sessionCount) {
        Set<Long> txnIds = new HashSet<>();
        Long minCommitTs = null;
        Long maxCommitTs = null;
        for (Participant participant : finding.participants()) {
            txnIds.add(participant.txnId());
            Long commitTs = orNull(participant.commitTs());
            if (commitTs != null) {
                minCommitTs = minCommitTs == null ? commitTs : Math.min(minCommitTs, commitTs);
                maxCommitTs = maxCommitTs == null ? commitTs : Math.max(maxCommitTs, commitTs);
            }
        }
        Expectation read =
                finding.expectation() == null ? new Expectation(null, null, null, null, null) : finding.expectation();
        int difference = ValueText.firstDifference(read.expected(), read.observed());
        add(
                LakeTable.ANOMALIES,
                anomalyId,
                runId,
                historyId,
                finding.anomaly().spelling(),
                finding.pattern(),
                finding.level() == null ? null : finding.level().longName(),
                finding.algorithm(),
                finding.objectKey(),
                (long) txnIds.size(),
                sessionCount,
                minCommitTs,
                maxCommitTs,
                ValueText.cutAround(read.expected(), difference, MAX_VALUE_CHARS),
                read.expectedWriter(),
                ValueText.cutAround(read.observed(), difference, MAX_VALUE_CHARS),
                read.observedWriter(),
                read.origin() == null ? null : read.origin().word(),
                finding.slack(),
                finding.dependsOnUnknown(),
                finding.fingerprint(),
                explanation,
                relatedTo);
    }

    /** Returns the sessions that take part. */
    private Set<Long> addTxns(String anomalyId, Story story) {
        Set<Long> sessions = new HashSet<>();
        long txnSeq = 0;
        for (Actor actor : story.actors()) {
            txnSeq++;
            Participant participant = actor.participant();
            TxnRow txn = actor.txn();
            int fault = actor.opIndex();
            String opsText = null;
            if (txn != null) {
                sessions.add(txn.sessionId());
                opsText = OpsText.cut(txn, fault, story.finding().key(), MAX_OPS_CHARS);
            }
            add(
                    LakeTable.ANOMALY_TXNS,
                    anomalyId,
                    runId,
                    historyId,
                    txnSeq,
                    participant.role().word(),
                    participant.txnId(),
                    txn == null ? null : txn.sessionId(),
                    txn == null ? null : txn.sessionSeq(),
                    txn == null ? null : txn.status(),
                    orNull(participant.startTs()),
                    orNull(participant.commitTs()),
                    fault < 0 ? null : (long) fault,
                    opsText,
                    txn == null ? null : txn.place().file(),
                    txn == null ? null : txn.place().row(),
                    txn == null ? null : orNull(txn.invokeNs()),
                    txn == null ? null : orNull(txn.completeNs()),
                    txn == null ? null : extra(txn));
        }
        return sessions;
    }

    /** Half a JSON object would be none. */
    private static String extra(TxnRow txn) {
        return txn.extra() == null || txn.extra().length() > MAX_OPS_CHARS ? null : txn.extra();
    }

    private void addEdges(String anomalyId, Finding finding) {
        long edgeSeq = 0;
        for (Edge edge : finding.edges()) {
            edgeSeq++;
            add(
                    LakeTable.ANOMALY_EDGES,
                    anomalyId,
                    runId,
                    historyId,
                    edgeSeq,
                    edge.fromTxnId(),
                    edge.toTxnId(),
                    edge.type().word(),
                    edge.key(),
                    ValueText.cut(edge.fromValue(), MAX_VALUE_CHARS),
                    ValueText.cut(edge.toValue(), MAX_VALUE_CHARS),
                    edge.evidence().word(),
                    ValueText.cut(PlainText.flat(EdgeReasons.of(edge)), MAX_VALUE_CHARS),
                    PlainText.flat(edge.predicate()),
                    ReasonText.of(edge.reason()));
        }
    }

    /**
     * Adds what lint says of the history.
     *
     * @param severity error, warning or info
     * @param example one place where it shows; null if there is none to name
     * @return whether there was room
     */
    public boolean addLintFinding(String ruleId, String severity, long count, String example, String message) {
        return addIfRoom(LakeTable.LINT_FINDINGS, runId, historyId, ruleId, severity, count, example, message);
    }

    /**
     * Adds a row of the input that was set aside.
     *
     * @param sourceRow counted from 1
     * @return whether there was room
     */
    public boolean addDeadLetter(String sourceFile, long sourceRow, String reason, String rawText) {
        String raw = ValueText.cut(rawText, MAX_RAW_CHARS);
        return addIfRoom(LakeTable.DEAD_LETTERS, runId, historyId, sourceFile, sourceRow, reason, raw);
    }

    /** Adds a part of the history that was checked by itself; says whether there was room. */
    public boolean addComponent(
            long componentId, long sessions, long txns, long keys, String status, long searchStates, double seconds) {
        return addIfRoom(
                LakeTable.COMPONENTS,
                runId,
                historyId,
                componentId,
                sessions,
                txns,
                keys,
                status,
                searchStates,
                seconds);
    }

    /**
     * Adds what one station did; -1 for a number that was not measured.
     *
     * @param counters by the names of their columns, those that the station has
     */
    public boolean addStage(
            String stage,
            double seconds,
            long recordsIn,
            long recordsOut,
            long bytesRead,
            long bytesSpilled,
            long peakMemoryBytes,
            Map<String, Long> counters) {
        return addIfRoom(
                LakeTable.STAGES,
                runId,
                historyId,
                stage,
                seconds,
                measured(recordsIn),
                measured(recordsOut),
                measured(bytesRead),
                measured(bytesSpilled),
                measured(peakMemoryBytes),
                counters.get("txns_read"),
                counters.get("ops_read"),
                counters.get("dead_letters"),
                counters.get("components_done"),
                counters.get("components_total"),
                counters.get("anomalies"));
    }

    /**
     * Completes the run and makes it visible.
     *
     * @param result has this run's id
     */
    public void commit(RunResult result, RunFacts facts) {
        if (!runId.equals(result.runId())) {
            throw new IllegalArgumentException("result of another run: runId=" + runId + " result=" + result.runId());
        }
        addRun(result, facts);
        mergeLive();
        StoredRun run = new StoredRun(runId, historyId, Lake.SCHEMA_VERSION, facts, result);
        for (TableFile file : files.values()) {
            file.finish();
        }
        publishTables();
        liveParts.removeMerged();
        DurableFiles.writeWhole(lake.runFolder(runId).resolve(Lake.RUN_JSON), RunJson.write(run));
        List<Path> parents = new ArrayList<>(List.of(lake.runFolder(runId).getParent()));
        for (LakeTable table : files.keySet()) { // what is published has its own folder on the disk
            parents.add(lake.tableFolder(table, historyId, runId).getParent());
        }
        DurableFiles.forceFolders(parents, lake.root());
        DurableFiles.writeWhole(lake.runFolder(runId).resolve(Lake.SUCCESS), "");
        isCommitted = true;
    }

    /** The run's own row comes last: engines that do not look at _SUCCESS join with it, and so see whole runs. */
    private void publishTables() {
        for (Map.Entry<LakeTable, TableFile> file : files.entrySet()) {
            if (file.getKey() != LakeTable.RUNS) {
                file.getValue().publish();
            }
        }
        files.get(LakeTable.RUNS).publish();
    }

    private void addRun(RunResult result, RunFacts facts) {
        add(
                LakeTable.RUNS,
                runId,
                historyId,
                facts.historyUri(),
                result.verdict().word(),
                facts.startedAt(),
                facts.finishedAt(),
                result.engine(),
                result.evidence(),
                result.transactions(),
                result.operations(),
                result.sessions(),
                result.keys(),
                facts.checkerVersion(),
                Lake.SCHEMA_VERSION,
                facts.optionsJson(),
                facts.inputFingerprint(),
                facts.batchId());
        for (Map.Entry<IsolationLevel, LevelResult> entry : result.levels().entrySet()) {
            LevelResult level = entry.getValue();
            add(
                    LakeTable.LEVEL_VERDICTS,
                    runId,
                    historyId,
                    entry.getKey().longName(),
                    level.verdict().word(),
                    level.evidence(),
                    level.reason(),
                    level.anomalies(),
                    level.seconds());
        }
    }

    /** Gives back what is held; without a {@link #commit} before, also removes what was written. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            for (TableFile file : files.values()) {
                file.close();
            }
            if (!isCommitted) {
                new LakeCleaner(lake.root()).removeAttempt(historyId, runId);
            }
        } finally {
            lock.close();
        }
        if (!isCommitted && isLakeNew) {
            new LakeCleaner(lake.root()).removeLakeIfEmpty();
        }
    }

    private boolean addIfRoom(LakeTable table, Object... cells) {
        if (rows(table) >= maxRows) {
            return false;
        }
        add(table, cells);
        return true;
    }

    /**
     * Adds what became of a finding while its history was watched; says whether there was room.
     *
     * @param cells those of {@link LakeTable#VERDICT_CHANGES} behind the ids of run and history
     */
    public boolean addVerdictChange(Object... cells) {
        return addIfRoom(LakeTable.VERDICT_CHANGES, withIds(cells));
    }

    /**
     * Adds how a watch went for some seconds; says whether there was room.
     *
     * @param cells those of {@link LakeTable#WATCH_INTERVALS} behind the ids of run and history
     */
    public boolean addWatchInterval(Object... cells) {
        return addIfRoom(LakeTable.WATCH_INTERVALS, withIds(cells));
    }

    private Object[] withIds(Object[] cells) {
        Object[] row = new Object[cells.length + 2];
        row[0] = runId;
        row[1] = historyId;
        System.arraycopy(cells, 0, row, 2, cells.length);
        return row;
    }

    /**
     * Shows what the tables of a watch have got since the last time to those who look for runs that are going on.
     *
     * @param json makes what {@code live.json} says, from the parts there are
     */
    public void publishLive(Function<List<String>, String> json) {
        for (LakeTable table : List.of(LakeTable.VERDICT_CHANGES, LakeTable.WATCH_INTERVALS)) {
            endLivePart(table);
        }
        DurableFiles.createFolder(lake.runFolder(runId));
        DurableFiles.writeWhole(
                lake.runFolder(runId).resolve(Lake.LIVE_JSON), json.apply(liveParts.names(lake.root())));
    }

    private void endLivePart(LakeTable table) {
        TableFile file = files.remove(table);
        if (file != null) {
            file.finish();
            file.publish();
            liveParts.add(table, file);
            file.close();
        }
    }

    /** What a watch showed in parts becomes one file a table. */
    private void mergeLive() {
        for (LakeTable table : List.of(LakeTable.VERDICT_CHANGES, LakeTable.WATCH_INTERVALS)) {
            if (liveParts.rows(table) == 0) {
                continue;
            }
            endLivePart(table);
            if (liveParts.areSeveral(table)) {
                TableFile merged =
                        TableFile.create(table, lake.tableFolder(table, historyId, runId), liveParts.count());
                files.put(table, merged);
                liveParts.copy(table, merged);
            }
        }
    }

    private void add(LakeTable table, Object... cells) {
        if (isCommitted || isClosed) {
            throw new IllegalStateException("run is over: runId=" + runId);
        }
        TableFile file = files.get(table);
        if (file == null) {
            file = TableFile.create(table, lake.tableFolder(table, historyId, runId), liveParts.count());
            files.put(table, file);
        }
        file.add(cells);
    }

    private long rows(LakeTable table) {
        TableFile file = files.get(table);
        return liveParts.rows(table) + (file == null ? 0 : file.rowCount());
    }

    private static Long measured(long number) {
        return number < 0 ? null : number;
    }

    private static Long orNull(long timestamp) {
        return timestamp == HistorySlice.NONE ? null : timestamp;
    }
}
