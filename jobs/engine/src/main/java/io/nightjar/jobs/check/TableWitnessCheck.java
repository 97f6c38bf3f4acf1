package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.predicate.TableCheck;
import io.nightjar.pipeline.predicate.TableCheckRequest;
import io.nightjar.pipeline.predicate.TableOutcome;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tries whether an order that explains all items of a history of tables also explains its predicate reads. */
final class TableWitnessCheck {

    /*
     * A history without timestamps and versions does not state the order in which rows were written. Where items have a
     * witness, its commits are such an order, and with it predicate reads can be evaluated. The order of the database
     * may be another, so a mismatch proves nothing; a match is a proof, since every read and predicate read was
     * replayed. Where commit timestamps of some transactions order the versions of a row, the order must agree with
     * them too.
     *
     *   serializable         versions are numbered as the witness commits; the graph of versions finds an order, which
     *                        is replayed
     *   snapshot isolation   with the order of commits each transaction has a choice of snapshots; a search finds one
     *                        that explains its predicate reads too; it is replayed
     */

    /** Maximum number of operations of a transaction in ids of versions. */
    private static final int MAX_OPS = 1 << 20;

    private final ValidatingScanner rows;
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final StageMetrics stages;
    private final Witness witness;
    private final Long2IntOpenHashMap positionOf; // position in the witness, by transaction id
    private boolean isOfUse = true; // false once the history contradicts the witness or contains more than it

    /**
     * @param initialValue the value that, besides null, reads return for the initial state; null if only null does
     * @param witness that was replayed with all items
     */
    TableWitnessCheck(
            ValidatingScanner rows,
            @Nullable String initialValue,
            CheckOptions options,
            StageMetrics stages,
            Witness witness) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
        this.witness = witness;
        positionOf = new Long2IntOpenHashMap(witness.txnIds().length);
        positionOf.defaultReturnValue(-1);
        for (int position = 0; position < witness.txnIds().length; position++) {
            positionOf.put(witness.txnIds()[position], position);
        }
    }

    /**
     * Returns the outcome of the tables together with the levels that the witness proves.
     *
     * @param open levels that are undecided only because of predicate reads
     */
    TableOutcome with(TableOutcome tables, Set<IsolationLevel> open) throws IOException {
        boolean isSerial = LevelLattice.implies(witness.level(), IsolationLevel.SERIALIZABLE);
        boolean isSnapshots = LevelLattice.implies(witness.level(), IsolationLevel.SNAPSHOT_ISOLATION);
        TableOutcome found = isSerial ? proved(IsolationLevel.SERIALIZABLE) : null;
        IsolationLevel proof = IsolationLevel.SERIALIZABLE;
        if (found == null && isSnapshots && isOfUse) {
            found = proved(IsolationLevel.SNAPSHOT_ISOLATION);
            proof = IsolationLevel.SNAPSHOT_ISOLATION;
        }
        if (found == null) {
            return tables;
        }
        Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
        answers.putAll(tables.answers());
        for (IsolationLevel level : open) {
            if (LevelLattice.implies(proof, level)) {
                answers.put(level, new TableOutcome.Answer(false, null, false));
            }
        }
        return tables.with(answers, tables.serialOrder() == null ? found.serialOrder() : tables.serialOrder());
    }

    /** Returns the outcome with the witness if it proves a level, else null. */
    private @Nullable TableOutcome proved(IsolationLevel level) throws IOException {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE;
        TableCheckRequest question = new TableCheckRequest(EnumSet.of(level), !isSerial, isSerial, false, false, null);
        try (StageMetrics.Stage stage = stages.begin("verify", rows.source())) {
            TableOutcome found = OutOfMemoryGuard.runOrNull(() -> {
                TableCheck check = gathered(isSerial);
                return check == null ? null : check.check(question);
            });
            stage.advance(rows.summary().txnCount());
            boolean isProved = found != null
                    && found.malformed() == null
                    && found.findings().total() == 0
                    && found.answers().containsKey(level)
                    && found.answers().get(level).doubt() == null;
            return isProved ? found : null;
        }
    }

    /** Returns the history in the order of the witness; null if it states an order itself, or does not fit. */
    private @Nullable TableCheck gathered(boolean isSerial) throws IOException {
        TableCheck check = new TableCheck(1).placingSnapshots();
        check.initialValue(initialValue);
        ScanPass.OfSlices adding = slice -> {
            HistorySlice whole = slice.whole().withoutConditions();
            isOfUse &= !hasVersions(whole) && check.byteSize() <= options.memoryBytes() / TableRun.SHARE_FOR_HISTORY;
            if (isOfUse) {
                check.add(isSerial ? numbered(whole) : timed(whole));
            }
        };
        rows.pass(TableRun.COLUMNS, BadRowHandler.PASS_OVER, adding);
        return isOfUse ? check : null;
    }

    private static boolean hasVersions(HistorySlice slice) {
        return slice.version != null
                && Arrays.stream(slice.version, 0, slice.opCount).anyMatch(number -> number != HistorySlice.NONE);
    }

    private static boolean hasCommits(HistorySlice slice) {
        return slice.commitTs != null
                && Arrays.stream(slice.commitTs, 0, slice.txnCount).anyMatch(commit -> commit != HistorySlice.NONE);
    }

    /** Assigns commits uneven times and snapshots even times, as the witness has them. */
    private HistorySlice timed(HistorySlice slice) {
        isOfUse &= !hasCommits(slice); // otherwise some transaction lacks a commit timestamp
        long[] starts = new long[slice.txnCount];
        long[] commits = new long[slice.txnCount];
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int position = positionOf.get(slice.txnId[txn]);
            starts[txn] = position < 0 ? HistorySlice.NONE : 2L * witness.snapshotOf()[position];
            commits[txn] = position < 0 ? HistorySlice.NONE : 2L * witness.commitOf()[position] + 1;
        }
        return slice.withTimestamps(starts, commits);
    }

    private HistorySlice numbered(HistorySlice slice) {
        long[] versions = new long[slice.opCount];
        Arrays.fill(versions, HistorySlice.NONE);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int position = positionOf.get(slice.txnId[txn]);
            int first = slice.firstOpOf[txn];
            isOfUse &= slice.firstOpOf[txn + 1] - first < MAX_OPS;
            for (int op = first; position >= 0 && op < slice.firstOpOf[txn + 1]; op++) {
                if (OpKind.isWrite(slice.kind[op])) {
                    versions[op] = (1L + witness.commitOf()[position]) * MAX_OPS + (op - first);
                }
            }
        }
        long[] none = new long[slice.txnCount];
        Arrays.fill(none, HistorySlice.NONE);
        return slice.withTimestamps(none, hasCommits(slice) ? slice.commitTs : none)
                .withNumbers(HistoryColumn.VERSION, versions);
    }
}
