package io.nightjar.jobs.watch;

import io.nightjar.formats.history.CopyFilter;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.LongOrdinals;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows up to a cut that later transactions are checked against, without writes that are no longer needed. */
final class CarryOver {

    /*
     * Definitions. The rows end at a cut; later rows start after a base. Needed of the former are:
     *
     *   versions of a key   all that committed after the base, and the last before it
     *   lists               every append
     *   sessions            the last position of each
     *
     * Algorithm. Every row is read twice: observe() finds the last ones, take() copies them.
     */

    private static final String FILE = "carried";
    private static final int OPS_IN_SLICE = 1 << 12;

    private final long base;
    private final LongSet counted;
    private final LongOrdinals numberKeys = new LongOrdinals();
    private final StringPool keyNames = new StringPool();
    private final SliceTaker to;
    private final Long2LongOpenHashMap lastOfSession = new Long2LongOpenHashMap();
    private long[] lastOf = new long[1 << 10]; // by key, the last commit up to the base
    private @Nullable SliceBuilder open;
    private LongSet countedHere = new LongOpenHashSet();

    /**
     * @param counted unknown transactions promoted to committed
     * @param to consumer of the needed rows
     */
    CarryOver(long base, LongSet counted, SliceTaker to) {
        this.base = base;
        this.counted = counted;
        this.to = to;
        Arrays.fill(lastOf, Long.MIN_VALUE);
    }

    /** Consumer of rows, one slice at a time. */
    @FunctionalInterface
    interface SliceTaker {
        void take(HistorySlice slice) throws IOException;
    }

    private boolean counts(HistorySlice slice, int txn) {
        return slice.status[txn] == TxnStatus.COMMITTED || counted.contains(slice.txnId[txn]);
    }

    private boolean mayCount(HistorySlice slice, int txn) {
        boolean isTimed = slice.commitTs != null && slice.commitTs[txn] != HistorySlice.NONE;
        return counts(slice, txn) || slice.status[txn] == TxnStatus.UNKNOWN && isTimed;
    }

    // ---------------------------------------------------------------- the last ones

    void observe(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (!counts(slice, txn)) {
                continue;
            }
            long session = slice.sessionId[txn];
            boolean isFirst = !lastOfSession.containsKey(session);
            if (isFirst || lastOfSession.get(session) < slice.sessionSeq[txn]) {
                lastOfSession.put(session, slice.sessionSeq[txn]);
            }
            long commit = FilteredSource.commit(slice, txn);
            for (int op = slice.firstOpOf[txn]; commit <= base && op < slice.firstOpOf[txn + 1]; op++) {
                if (OpKind.isWrite(slice.kind[op])) {
                    int key = key(slice, op);
                    lastOf[key] = Math.max(lastOf[key], commit);
                }
            }
        }
    }

    private int key(HistorySlice slice, int op) {
        int key = slice.keyType == ValueType.STRING
                ? keyNames.internFrom(slice.keyNames, (int) slice.key[op])
                : numberKeys.ordinal(slice.key[op]);
        if (key >= lastOf.length) {
            int before = lastOf.length;
            lastOf = Arrays.copyOf(lastOf, key + (key >> 1));
            Arrays.fill(lastOf, before, lastOf.length, Long.MIN_VALUE);
        }
        return key;
    }

    // ---------------------------------------------------------------- taking them

    void take(HistorySlice slice) throws IOException {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (mayCount(slice, txn)) {
                take(slice, txn);
            }
        }
    }

    private void take(HistorySlice slice, int txn) throws IOException {
        long commit = FilteredSource.commit(slice, txn);
        boolean isHead = counts(slice, txn) && lastOfSession.get(slice.sessionId[txn]) == slice.sessionSeq[txn];
        boolean isNeeded = isHead;
        for (int op = slice.firstOpOf[txn]; !isNeeded && op < slice.firstOpOf[txn + 1]; op++) {
            isNeeded = isNeeded(slice, op, commit);
        }
        if (!isNeeded) {
            return;
        }
        SliceBuilder into = open == null ? new SliceBuilder(FILE) : open;
        open = into;
        into.copyTxn(slice, txn, into.txnCount() + 1, new CopyFilter() {
            @Override
            public boolean keepsOp(int op) {
                return isNeeded(slice, op, commit);
            }
        });
        if (slice.status[txn] != TxnStatus.COMMITTED && counts(slice, txn)) {
            countedHere.add(slice.txnId[txn]);
        }
        if (into.opCount() >= OPS_IN_SLICE || into.txnCount() >= OPS_IN_SLICE) {
            give(into);
        }
    }

    private boolean isNeeded(HistorySlice slice, int op, long commit) {
        byte kind = slice.kind[op];
        return OpKind.isWrite(kind) && (kind == OpKind.APPEND || commit > base || commit >= lastOf[key(slice, op)]);
    }

    private void give(SliceBuilder built) throws IOException {
        HistorySlice slice = built.build();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (countedHere.contains(slice.txnId[txn])) {
                slice.status[txn] = TxnStatus.COMMITTED; // as was decided where it was read
            }
        }
        open = null;
        countedHere = new LongOpenHashSet();
        to.take(slice);
    }

    /** Passes on the last slice, after every row has been consumed. */
    void end() throws IOException {
        if (open != null) {
            give(open);
        }
    }
}
