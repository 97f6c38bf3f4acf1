package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Counts of the contents of a history, from one visit of each row. Cheap enough for every check. */
public final class HistoryFacts implements Serializable {

    /*
     * Operations of a transaction are counted by kind in one long, some bits for each kind, as many operations at a
     * time as these can count:
     *
     *   63    56 55                16 15       8 7        0
     *   +-------+-- ... -------------+----------+----------+
     *   | unused| kind 6 ... kind 2  |  kind 1  |  kind 0  |
     *   +-------+-- ... -------------+----------+----------+
     *
     * Relational and conditional kinds are counted one by one, in the slices that have them. Counts of committed
     * operations refer to items.
     */
    private static final long serialVersionUID = 1;
    private static final int KIND_COUNT = OpKind.ITEM_COUNT;
    private static final int COUNTER_BITS = Math.min(8, Long.SIZE / KIND_COUNT);
    private static final int COUNTER_MAX = (1 << COUNTER_BITS) - 1;
    private static final long WRITE_COUNTERS = writeCounters();

    private final long[] txnCountByStatus = new long[3];
    private final long[] opCountByKind = new long[OpKind.COUNT];
    private final long[] committedOpCountByKind = new long[OpKind.COUNT];

    long timestampedCount;
    long clientTimedCount;
    long committedWriterCount;
    long commitBeforeStartCount;
    long startIsCommitCount;
    long clockStepCount;
    long versionedCount;
    long knownWriterCount;
    long minTs = Long.MAX_VALUE;
    long maxTs = Long.MIN_VALUE;

    @Nullable
    String untimedExample;

    @Nullable
    String commitBeforeStartExample;

    @Nullable
    String startIsCommitExample;

    @Nullable
    String clockStepExample;

    @Nullable
    String setOrCounterExample;

    private boolean isWriter; // of the transaction counted last
    private boolean countsErasures; // whether erasures are not also counted as deletions
    private boolean countsFiles; // whether the items counted are the operations of the file

    /** Returns the facts of one slice. */
    public static HistoryFacts of(HistorySlice slice) {
        HistoryFacts facts = new HistoryFacts();
        facts.add(slice);
        return facts;
    }

    /**
     * Adds only the counts of predicate reads, evaluated rows and deletions that {@link #add} would add, if the slice
     * has any.
     */
    public void addRelational(HistorySlice some) {
        if (some.firstOpOf != null && some.whole().isRelational()) {
            countRelational(some.whole());
        }
    }

    /** Adds the facts of later rows; the order matters only for examples, of which the first are retained. */
    public void merge(HistoryFacts later) {
        for (int status = 0; status < txnCountByStatus.length; status++) {
            txnCountByStatus[status] += later.txnCountByStatus[status];
        }
        for (int kind = 0; kind < OpKind.COUNT; kind++) {
            opCountByKind[kind] += later.opCountByKind[kind];
            committedOpCountByKind[kind] += later.committedOpCountByKind[kind];
        }
        timestampedCount += later.timestampedCount;
        clientTimedCount += later.clientTimedCount;
        committedWriterCount += later.committedWriterCount;
        commitBeforeStartCount += later.commitBeforeStartCount;
        startIsCommitCount += later.startIsCommitCount;
        clockStepCount += later.clockStepCount;
        clockStepExample = clockStepExample != null ? clockStepExample : later.clockStepExample;
        versionedCount += later.versionedCount;
        knownWriterCount += later.knownWriterCount;
        minTs = Math.min(minTs, later.minTs);
        maxTs = Math.max(maxTs, later.maxTs);
        untimedExample = untimedExample != null ? untimedExample : later.untimedExample;
        commitBeforeStartExample =
                commitBeforeStartExample != null ? commitBeforeStartExample : later.commitBeforeStartExample;
        startIsCommitExample = startIsCommitExample != null ? startIsCommitExample : later.startIsCommitExample;
        setOrCounterExample = setOrCounterExample != null ? setOrCounterExample : later.setOrCounterExample;
    }

    /** Adds a slice; missing columns count as empty. The order of slices matters only for examples. */
    public void add(HistorySlice some) {
        HistorySlice slice = some.items();
        addRelational(some);
        HistorySlice whole = some.whole();
        countsFiles = some.firstOpOf == null || !whole.isConditional() && !whole.isRelational();
        countsErasures = some.firstOpOf == null || !whole.isRelational();
        for (int op = 0; !countsFiles && op < whole.opCount; op++) {
            opCountByKind[whole.kind[op]] += OpKind.isRelational(whole.kind[op]) ? 0 : 1;
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            byte status = slice.status[txn];
            txnCountByStatus[status]++;
            boolean isCommitted = status == TxnStatus.COMMITTED;
            isWriter = false;
            if (slice.firstOpOf != null) {
                countOps(slice, txn, isCommitted);
            }
            if (isCommitted) {
                countCommitted(slice, txn);
            }
        }
    }

    private void countRelational(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                byte kind = slice.kind[op];
                if (OpKind.isRelational(kind)) {
                    opCountByKind[kind]++;
                    committedOpCountByKind[kind] += slice.status[txn] == TxnStatus.COMMITTED ? 1 : 0;
                }
            }
        }
    }

    /** Operations of all kinds that files call by a word. */
    public long opCount(String word) {
        long sum = 0;
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            sum += OpKind.name(kind).equals(word) ? opCountByKind[kind] : 0;
        }
        return sum;
    }

    /** Reads by a condition. */
    public long predicateCount() {
        return opCountByKind[OpKind.PREDICATE] + opCountByKind[OpKind.PREDICATE_ANSWER];
    }

    /** Returns the number of predicate reads, evaluated rows, and deletions. */
    public long relationalCount() {
        long sum = 0;
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            sum += OpKind.isRelational(kind) ? opCountByKind[kind] : 0;
        }
        return sum;
    }

    /** Returns the number of conditional writes and increments, which values may decide where timestamps cannot. */
    public long conditionalCount() {
        long sum = opCountByKind[OpKind.INCREMENT];
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            sum += OpKind.isConditional(kind) ? opCountByKind[kind] : 0;
        }
        return sum;
    }

    public long txnCount() {
        return txnCountByStatus[0] + txnCountByStatus[1] + txnCountByStatus[2];
    }

    /** @param status a {@link TxnStatus} */
    public long txnCount(byte status) {
        return txnCountByStatus[status];
    }

    public long committedCount() {
        return txnCountByStatus[TxnStatus.COMMITTED];
    }

    public long opCount() {
        long sum = 0;
        for (long count : opCountByKind) {
            sum += count;
        }
        return sum;
    }

    /** @param kind an {@link OpKind} */
    public long opCount(byte kind) {
        return opCountByKind[kind];
    }

    /** @param kind an {@link OpKind} */
    public long committedOpCount(byte kind) {
        return committedOpCountByKind[kind];
    }

    /** Returns the number of reads of committed transactions: only these are checked. */
    public long committedReadCount() {
        long reads = 0;
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            reads += OpKind.isRead(kind) ? committedOpCountByKind[kind] : 0;
        }
        return reads;
    }

    public long committedWriteCount() {
        long writes = 0;
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            writes += OpKind.isWrite(kind) ? committedOpCountByKind[kind] : 0;
        }
        return writes;
    }

    /** Returns the number of committed transactions that change something. */
    public long committedWriterCount() {
        return committedWriterCount;
    }

    /**
     * Returns the number of committed transactions with a start timestamp and, unless they only read, a commit
     * timestamp.
     */
    public long timestampedCount() {
        return timestampedCount;
    }

    /** Returns whether timestamps can be evidence: every committed transaction has them. */
    public boolean areTimestampsComplete() {
        return timestampedCount == committedCount();
    }

    /** Returns whether the history has committed transactions and none of them has timestamps. */
    public boolean areTimestampsAbsent() {
        return timestampedCount == 0 && committedCount() > 0;
    }

    /** Returns the number of committed transactions with both times of the client's clock. */
    public long clientTimedCount() {
        return clientTimedCount;
    }

    /** Operations of committed transactions with a version. */
    public long versionedCount() {
        return versionedCount;
    }

    /** Returns the number of reads of committed transactions whose writer the source provides. */
    public long knownWriterCount() {
        return knownWriterCount;
    }

    /**
     * Returns whether every read and write of a register has a version, every such read its writer, and every read of a
     * list a version.
     */
    public boolean areVersionsComplete() {
        long reads = committedOpCountByKind[OpKind.READ];
        long versioned = reads + committedOpCountByKind[OpKind.WRITE] + committedOpCountByKind[OpKind.READ_LIST];
        long others = committedOpCountByKind[OpKind.ADD] + committedOpCountByKind[OpKind.INCREMENT];
        return versioned > 0 && versionedCount == versioned && knownWriterCount == reads && others == 0;
    }

    /** Returns the smallest start timestamp of a committed transaction; greater than {@link #maxTs} if none has one. */
    public long minTs() {
        return minTs;
    }

    /** Returns the greatest timestamp of a committed transaction. */
    public long maxTs() {
        return maxTs;
    }

    private void countOps(HistorySlice slice, int txn, boolean isCommitted) {
        byte[] kind = slice.kind;
        int end = slice.firstOpOf[txn + 1];
        for (int op = slice.firstOpOf[txn]; op < end; ) {
            int stop = Math.min(end, op + COUNTER_MAX);
            long counters = 0;
            for (; op < stop; op++) {
                if (kind[op] < KIND_COUNT) {
                    counters += 1L << (kind[op] * COUNTER_BITS);
                } else {
                    isWriter |= OpKind.isWrite(kind[op]);
                }
            }
            addCounters(counters, isCommitted);
        }
        if (isCommitted) {
            countColumns(slice, txn);
        }
    }

    private static long writeCounters() {
        long counters = 0;
        for (byte kind = 0; kind < KIND_COUNT; kind++) {
            counters |= OpKind.isWrite(kind) ? (long) COUNTER_MAX << COUNTER_BITS * kind : 0;
        }
        return counters;
    }

    private void addCounters(long counters, boolean isCommitted) {
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            long count = counters >>> COUNTER_BITS * kind & COUNTER_MAX;
            opCountByKind[kind] += countsFiles ? count : 0;
            if (isCommitted && (kind != OpKind.ERASE || countsErasures)) {
                committedOpCountByKind[kind] += count;
            }
        }
        isWriter |= (counters & WRITE_COUNTERS) != 0;
    }

    private void countColumns(HistorySlice slice, int txn) {
        if (setOrCounterExample == null
                && committedOpCountByKind[OpKind.ADD] + committedOpCountByKind[OpKind.INCREMENT] > 0) {
            setOrCounterExample = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn];
        }
        if (slice.version != null) {
            versionedCount += countPresent(slice.version, slice.firstOpOf[txn], slice.firstOpOf[txn + 1]);
        }
        if (slice.writerTxn != null) {
            knownWriterCount += countPresent(slice.writerTxn, slice.firstOpOf[txn], slice.firstOpOf[txn + 1]);
        }
    }

    private static int countPresent(long[] column, int from, int to) {
        int count = 0;
        for (int op = from; op < to; op++) {
            if (column[op] != HistorySlice.NONE) {
                count++;
            }
        }
        return count;
    }

    private void countCommitted(HistorySlice slice, int txn) {
        if (isWriter) {
            committedWriterCount++;
        }
        if (slice.invokeNs != null
                && slice.invokeNs[txn] != HistorySlice.NONE
                && slice.completeNs[txn] != HistorySlice.NONE) {
            clientTimedCount++;
            if (slice.completeNs[txn] < slice.invokeNs[txn]) {
                clockStepCount++;
                clockStepExample = clockStepExample != null
                        ? clockStepExample
                        : slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " invoke_ns=" + slice.invokeNs[txn]
                                + " complete_ns=" + slice.completeNs[txn];
            }
        }
        long start = slice.startTs == null ? HistorySlice.NONE : slice.startTs[txn];
        long commit = slice.commitTsOf(txn, !isWriter);
        if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
            if (untimedExample == null) {
                untimedExample = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn];
            }
            return;
        }
        timestampedCount++;
        minTs = Math.min(minTs, start);
        maxTs = Math.max(maxTs, Math.max(start, commit));
        if (commit < start) {
            commitBeforeStartCount++;
            commitBeforeStartExample = firstOf(commitBeforeStartExample, slice, txn);
        } else if (commit == start && isWriter) {
            startIsCommitCount++;
            startIsCommitExample = firstOf(startIsCommitExample, slice, txn);
        }
    }

    private static String firstOf(@Nullable String known, HistorySlice slice, int txn) {
        return known != null
                ? known
                : slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " start_ts=" + slice.startTs[txn]
                        + " commit_ts=" + slice.commitTs[txn];
    }
}
