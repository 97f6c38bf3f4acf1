package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SearchedKeys;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays of all predicate reads of a history in orders of snapshots and commits, one after another. */
public final class SearchReplay {

    private final TableHistory history = new TableHistory(null);
    private boolean isFinished;

    /** Adds a whole slice, in the order of the rows. */
    public void add(HistorySlice slice) {
        history.add(slice);
    }

    /** Returns the bytes stored, about. */
    public long byteSize() {
        return history.byteSize();
    }

    /**
     * Adds the keys of rows that predicate reads omitted though they match in an order, and that computed answers are
     * wrong, by the id of the reading transaction.
     *
     * @param txnIds the transactions of the order
     * @param snapshotOf positions of their snapshots, which observe the commits at earlier positions
     * @param commitOf positions of their commits
     * @return whether any was added; null if none was, though something is wrong or cannot be replayed
     */
    public @Nullable Boolean addOmitted(
            long[] txnIds, int[] snapshotOf, int[] commitOf, Map<Long, Set<String>> keysOf) {
        if (!isFinished) {
            history.finish();
            isFinished = true;
        }
        if (!place(txnIds, snapshotOf, commitOf)) {
            return null;
        }
        TableVersions versions = new TableVersions(history);
        UndecidedReasons doubts = new UndecidedReasons();
        OmittedRows omitted = OmittedRows.of(history, versions, doubts);
        boolean isAdded = false;
        for (IntIterator reads = omitted.predicateReads().iterator(); reads.hasNext(); ) {
            int op = reads.nextInt();
            Set<String> keys = keysOf.computeIfAbsent(history.txnId[history.txnOfOp(op)], absent -> new HashSet<>());
            for (int key : omitted.of(op)) {
                isAdded |= keys.add(history.keyName(key));
            }
        }
        for (IntIterator wrong = omitted.wrongAnswers().iterator(); wrong.hasNext(); ) {
            isAdded |= SearchedKeys.addAnswers(keysOf, history.txnId[history.txnOfOp(wrong.nextInt())]);
        }
        boolean isExplained = doubts.isEmpty() && omitted.wrongAnswers().isEmpty();
        return isAdded || isExplained && omitted.predicateReads().isEmpty() ? Boolean.valueOf(isAdded) : null;
    }

    /** Replaces timestamps by an order, commits at uneven times; returns whether it has all committed transactions. */
    private boolean place(long[] txnIds, int[] snapshotOf, int[] commitOf) {
        Long2IntOpenHashMap positionOf = new Long2IntOpenHashMap(txnIds.length);
        positionOf.defaultReturnValue(-1);
        for (int position = 0; position < txnIds.length; position++) {
            positionOf.put(txnIds[position], position);
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            int position = positionOf.get(history.txnId[txn]);
            if (position < 0 && history.status[txn] == TxnStatus.COMMITTED
                    || position >= 0 && history.status[txn] == TxnStatus.UNKNOWN) {
                return false;
            }
            history.startTs[txn] = position < 0 ? TableHistory.NO_NUMBER : 2L * snapshotOf[position];
            history.commitTs[txn] = position < 0 ? TableHistory.NO_NUMBER : 2L * commitOf[position] + 1;
        }
        return true;
    }
}
