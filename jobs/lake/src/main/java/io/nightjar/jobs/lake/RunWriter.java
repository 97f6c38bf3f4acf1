package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.ExplainedFinding.Actor;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.explain.EdgeReasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run into a lake. Nothing of it is visible before {@link #commit}; closing without it removes everything.
 *
 * <p>Rows are added by one thread; another one may encode them. Each table takes {@link #MAX_ROWS} rows; methods that
 * add rows of which there may be more return whether the row was accepted, and the caller reports omitted rows in a
 * lint finding.
 */
public final class RunWriter implements AutoCloseable {

    /** Maximum number of rows of a run in one table. */
    public static final long MAX_ROWS = 1_000_000;

    private static final int MAX_OPS_CHARS = 4_000;
    private static final int MAX_VALUE_CHARS = 2_000;

    private final Lake lake;
    private final LakeRow.Ids ids;
    private final RunLock lock;
    private final boolean isLakeNew;
    private final long maxRows;
    private final Map<LakeTable, TableFile> files = new EnumMap<>(LakeTable.class);
    private final long[] rowsOf = new long[LakeTable.values().length]; // number of rows in its file, by table
    private final AsyncRowEncoder encoder = new AsyncRowEncoder();
    private final LiveParts liveParts = new LiveParts();
    private boolean isCommitted;
    private boolean isPublished; // at least one table
    private boolean isClosed;

    RunWriter(Lake lake, String runId, String historyId, RunLock lock, boolean isLakeNew, long maxRows) {
        this.lake = lake;
        this.ids = new LakeRow.Ids(runId, historyId);
        this.lock = lock;
        this.isLakeNew = isLakeNew;
        this.maxRows = maxRows;
    }

    /** Returns the ids that begin each row of the run. */
    public LakeRow.Ids ids() {
        return ids;
    }

    public String runId() {
        return ids.runId();
    }

    public String historyId() {
        return ids.historyId();
    }

    /**
     * Adds an anomaly with its transactions and edges: all of it, or nothing if one of the three tables is full.
     *
     * @param explanation the sentence that explains why it is an anomaly
     * @param relatedTo the id of the anomaly that this anomaly reports in another form, or null
     * @return whether it was accepted
     */
    public boolean addAnomaly(ExplainedFinding story, String explanation, @Nullable String relatedTo) {
        Finding finding = story.finding();
        if (rows(LakeTable.ANOMALIES) >= maxRows
                || rows(LakeTable.ANOMALY_TXNS) + finding.participants().size() > maxRows
                || rows(LakeTable.ANOMALY_EDGES) + finding.edges().size() > maxRows) {
            return false;
        }
        LakeRow.AnomalyKey id = new LakeRow.AnomalyKey(finding.anomalyId(), ids);
        Set<Long> sessions = addTxns(id, story);
        write(new LakeRow.Anomaly(
                id,
                finding.anomaly().spelling(),
                finding.pattern(),
                finding.level() == null ? null : finding.level().longName(),
                finding.algorithm(),
                finding.objectKey(),
                extent(finding, sessions.size()),
                read(finding.expectation()),
                finding.slack(),
                finding.dependsOnUnknown(),
                finding.fingerprint(),
                explanation,
                relatedTo));
        addEdges(id, finding);
        return true;
    }

    private static LakeRow.Anomaly.Extent extent(Finding finding, long sessionCount) {
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
        return new LakeRow.Anomaly.Extent(txnIds.size(), sessionCount, minCommitTs, maxCommitTs);
    }

    private static LakeRow.Anomaly.Read read(@Nullable Expectation read) {
        if (read == null) {
            return new LakeRow.Anomaly.Read(null, null, null, null, null);
        }
        int difference = ValueText.firstDifference(read.expected(), read.observed());
        return new LakeRow.Anomaly.Read(
                ValueText.cutAround(read.expected(), difference, MAX_VALUE_CHARS),
                read.expectedWriter(),
                ValueText.cutAround(read.observed(), difference, MAX_VALUE_CHARS),
                read.observedWriter(),
                read.origin() == null ? null : read.origin().word());
    }

    /** Returns the sessions of participants. */
    private Set<Long> addTxns(LakeRow.AnomalyKey anomaly, ExplainedFinding story) {
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
            write(new LakeRow.AnomalyTxn(
                    anomaly,
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
                    txn == null ? null : txn.location().file(),
                    txn == null ? null : txn.location().row(),
                    txn == null ? null : orNull(txn.invokeNs()),
                    txn == null ? null : orNull(txn.completeNs()),
                    txn == null ? null : extra(txn)));
        }
        return sessions;
    }

    /**
     * Returns the further members of a transaction; null if they are too long, since half a JSON object would be none.
     */
    private static @Nullable String extra(TxnRow txn) {
        return txn.extra() == null || txn.extra().length() > MAX_OPS_CHARS ? null : txn.extra();
    }

    private void addEdges(LakeRow.AnomalyKey anomaly, Finding finding) {
        long edgeSeq = 0;
        for (Edge edge : finding.edges()) {
            edgeSeq++;
            write(new LakeRow.AnomalyEdge(
                    anomaly,
                    edgeSeq,
                    edge.fromTxnId(),
                    edge.toTxnId(),
                    edge.type().word(),
                    edge.key(),
                    ValueText.cut(edge.fromValue(), MAX_VALUE_CHARS),
                    ValueText.cut(edge.toValue(), MAX_VALUE_CHARS),
                    edge.evidence().word(),
                    ValueText.cut(SanitizedText.flat(EdgeReasons.of(edge)), MAX_VALUE_CHARS),
                    SanitizedText.flat(edge.predicate()),
                    ReasonText.of(edge.reason())));
        }
    }

    /** Adds a row of a table that has few; returns whether it was accepted. */
    public boolean add(LakeRow row) {
        if (rows(row.table()) >= maxRows) {
            return false;
        }
        write(row);
        return true;
    }

    /**
     * Completes the run and makes it visible.
     *
     * @param result has this run's id
     */
    public void commit(RunResult result, RunFacts facts) {
        if (!runId().equals(result.runId())) {
            throw new IllegalArgumentException("result of another run: runId=" + runId() + " result=" + result.runId());
        }
        addRun(result, facts);
        encoder.settle();
        mergeLive();
        StoredRun run = new StoredRun(runId(), historyId(), Lake.SCHEMA_VERSION, facts, result);
        for (TableFile file : files.values()) {
            file.finish();
        }
        publishTables();
        liveParts.removeMerged();
        DurableFiles.writeWhole(lake.runFolder(runId()).resolve(Lake.RUN_JSON), RunJson.write(run));
        List<Path> parents = new ArrayList<>(List.of(lake.runFolder(runId()).getParent()));
        for (LakeTable table : files.keySet()) { // a published run has its own folder on the disk
            parents.add(lake.tableFolder(table, historyId(), runId()).getParent());
        }
        DurableFiles.forceFolders(parents, lake.root());
        succeed(lake.runFolder(runId()).resolve(Lake.SUCCESS));
        isCommitted = true;
    }

    /** Makes the run visible; in a store only if no other process has done so. */
    private void succeed(Path success) {
        if (!Addresses.isRemote(success)) {
            DurableFiles.writeWhole(success, "");
            return;
        }
        byte[] content = (UUID.randomUUID() + "\n").getBytes(StandardCharsets.US_ASCII); // recognizes its own write
        try {
            Files.write(success, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException other) {
            isCommitted = true; // the other process has files of the same names, which remain
            throw new UsageException("run was completed by another process: run-id=" + runId() + " lake=" + lake.root()
                    + "; choose another --run-id");
        } catch (IOException e) {
            throw LakeException.of("write", success, e);
        }
    }

    /**
     * Publishes the tables; the run's own row last: engines that ignore _SUCCESS join with it, and so see whole runs.
     */
    private void publishTables() {
        isPublished = true;
        for (Map.Entry<LakeTable, TableFile> file : files.entrySet()) {
            if (file.getKey() != LakeTable.RUNS) {
                file.getValue().publish();
            }
        }
        requireNonNull(files.get(LakeTable.RUNS)).publish();
    }

    private void addRun(RunResult result, RunFacts facts) {
        write(new LakeRow.Run(
                ids,
                facts.historyUri(),
                result.verdict().word(),
                facts.startedAt(),
                facts.finishedAt(),
                result.engine(),
                result.evidence(),
                new LakeRow.Run.Counts(result.transactions(), result.operations(), result.sessions(), result.keys()),
                facts.checkerVersion(),
                Lake.SCHEMA_VERSION,
                facts.optionsJson(),
                facts.inputFingerprint(),
                facts.batchId()));
        for (Map.Entry<IsolationLevel, LevelResult> entry : result.levels().entrySet()) {
            LevelResult level = entry.getValue();
            write(new LakeRow.LevelVerdict(
                    ids,
                    entry.getKey().longName(),
                    level.verdict().word(),
                    level.evidence(),
                    level.reason(),
                    level.anomalies(),
                    level.seconds(),
                    level.isWhole()));
        }
    }

    /** Releases its resources; without a {@link #commit} before, also removes the written files. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            try {
                closeEncoder();
            } finally {
                closeFiles();
            }
        } finally {
            lock.close();
        }
        if (!isCommitted && isLakeNew) {
            new LakeCleaner(lake.root()).removeLakeIfEmpty();
        }
    }

    private void closeFiles() {
        for (TableFile file : files.values()) {
            file.close();
        }
        if (!isCommitted && (isPublished || !Addresses.isRemote(lake.root()))) {
            new LakeCleaner(lake.root()).removeAttempt(historyId(), runId());
        }
    }

    /** Closes the encoder; ignores its failure unless the run is committed, since that failure was already reported. */
    private void closeEncoder() {
        try {
            encoder.close();
        } catch (LakeException failure) {
            if (isCommitted) {
                throw failure;
            }
        }
    }

    /**
     * Publishes new rows of the tables of a watch to readers of running runs.
     *
     * @param json makes the content of {@code live.json} from the parts
     */
    public void publishLive(Function<List<String>, String> json) {
        for (LakeTable table : List.of(LakeTable.VERDICT_CHANGES, LakeTable.WATCH_INTERVALS)) {
            endLivePart(table);
        }
        DurableFiles.createFolder(lake.runFolder(runId()));
        DurableFiles.writeWhole(
                lake.runFolder(runId()).resolve(Lake.LIVE_JSON), json.apply(liveParts.names(lake.root())));
    }

    private void endLivePart(LakeTable table) {
        encoder.settle();
        rowsOf[table.ordinal()] = 0;
        TableFile file = files.remove(table);
        if (file != null) {
            file.finish();
            file.publish();
            liveParts.add(table, file);
            file.close();
        }
    }

    /** Merges the published parts of a watch into one file a table. */
    private void mergeLive() {
        for (LakeTable table : List.of(LakeTable.VERDICT_CHANGES, LakeTable.WATCH_INTERVALS)) {
            if (liveParts.rows(table) == 0) {
                continue;
            }
            endLivePart(table);
            if (liveParts.areSeveral(table)) {
                TableFile merged = newFile(table);
                files.put(table, merged);
                liveParts.copy(table, merged);
            }
        }
    }

    private void write(LakeRow row) {
        if (isCommitted || isClosed) {
            throw new IllegalStateException("run is over: runId=" + runId());
        }
        LakeTable table = row.table();
        TableFile file = files.get(table);
        if (file == null) {
            file = newFile(table);
            files.put(table, file);
        }
        rowsOf[table.ordinal()]++;
        encoder.add(file, row);
    }

    private TableFile newFile(LakeTable table) {
        return TableFile.create(table, lake.tableFolder(table, historyId(), runId()), liveParts.count());
    }

    private long rows(LakeTable table) {
        return liveParts.rows(table) + rowsOf[table.ordinal()];
    }

    private static @Nullable Long orNull(long timestamp) {
        return timestamp == HistorySlice.NONE ? null : timestamp;
    }
}
