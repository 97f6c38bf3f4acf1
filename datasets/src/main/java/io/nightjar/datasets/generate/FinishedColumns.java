package io.nightjar.datasets.generate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The columns of the slice that is being filled with finished transactions. */
final class FinishedColumns {

    private static final int OPS_PER_SLICE = 1 << 16;
    private static final int MAX_TXNS_PER_SLICE = 1 << 12;
    private static final String NAME = "generated";

    private final int opsPerTxn;
    private final int capacity;
    private final int cellsPerKey;
    private @Nullable SliceBuilder built; // of operations with outcomes
    private final @Nullable ActiveLists lists;
    private final @Nullable ListsOfSlice listsOfSlice;

    private long firstRow = 1;
    private int txnCount;
    private long[] sessionId;
    private long[] sessionSeq;
    private byte[] status;
    private long[] startTs;
    private long[] commitTs;
    private long[] invokeNs;
    private long[] completeNs;
    private int opCount;
    private byte[] kind;
    private long[] key;
    private long[] value;

    /**
     * @param lists null for others than lists, whose cells are their keys
     * @param cellsPerKey number of cells of a key; 0 for operations without outcomes
     */
    FinishedColumns(int opsPerTxn, @Nullable ActiveLists lists, int cellsPerKey) {
        this.cellsPerKey = cellsPerKey;
        this.opsPerTxn = opsPerTxn;
        this.capacity = Math.max(1, Math.min(MAX_TXNS_PER_SLICE, OPS_PER_SLICE / opsPerTxn));
        this.lists = lists;
        this.listsOfSlice = lists == null ? null : new ListsOfSlice();
        allocate();
    }

    private void allocate() {
        txnCount = 0;
        sessionId = new long[capacity];
        sessionSeq = new long[capacity];
        status = new byte[capacity];
        startTs = new long[capacity];
        commitTs = new long[capacity];
        invokeNs = new long[capacity];
        completeNs = new long[capacity];
        opCount = 0;
        kind = new byte[capacity * opsPerTxn];
        key = new long[capacity * opsPerTxn];
        value = new long[capacity * opsPerTxn];
    }

    boolean isFull() {
        return txnCount == capacity;
    }

    boolean isEmpty() {
        return txnCount == 0;
    }

    /** @param commit {@code HistorySlice.NONE} if the transaction was aborted */
    void add(OpenTxn txn, long seq, long commit, long completedNs) {
        boolean isCommitted = commit != HistorySlice.NONE;
        if (cellsPerKey > 0) {
            build(txn, seq, commit, completedNs);
            return;
        }
        sessionId[txnCount] = txn.session;
        sessionSeq[txnCount] = seq;
        status[txnCount] = isCommitted ? TxnStatus.COMMITTED : TxnStatus.ABORTED;
        startTs[txnCount] = txn.start;
        commitTs[txnCount] = commit;
        invokeNs[txnCount] = txn.invokeNs;
        completeNs[txnCount] = completedNs;
        if (lists == null) {
            addRegisterOps(txn);
        } else {
            addListOps(txn, isCommitted);
        }
        txnCount++;
    }

    private void build(OpenTxn txn, long seq, long commit, long completedNs) {
        SliceBuilder slice = built == null ? new SliceBuilder(NAME) : built;
        built = slice;
        slice.keysAreLongs();
        slice.valuesAreLongs();
        long row = firstRow + txnCount++;
        slice.beginTxn(row, row, txn.session, seq);
        slice.status(commit != HistorySlice.NONE ? TxnStatus.COMMITTED : TxnStatus.ABORTED);
        slice.timestamps(txn.start, commit).clientTimes(txn.invokeNs, completedNs);
        for (int op = 0; op < txn.opCount; op++) {
            long ofKey = txn.cell[op] / cellsPerKey;
            if (txn.kind[op] == OpKind.READ_LIST) {
                slice.beginList();
                for (int i = 0; i < txn.value[op]; i++) {
                    slice.element(txn.elements[op][i]);
                }
                slice.listRead(ofKey);
                continue;
            }
            slice.op(txn.kind[op], ofKey, txn.value[op]);
            if (txn.kind[op] == OpKind.CAS) {
                boolean isMissing = txn.old[op] == HistorySlice.NONE;
                slice.opText(HistoryColumn.PARAMS, "[" + (isMissing ? "null" : Long.toString(txn.old[op])) + "]");
            } else if (txn.old[op] != HistorySlice.NONE) {
                slice.opNumber(HistoryColumn.RESULT, txn.old[op]);
            }
            if (txn.done[op] != HistorySlice.NONE) {
                slice.opNumber(HistoryColumn.DONE, txn.done[op]);
            }
        }
        slice.endTxn();
    }

    private void addRegisterOps(OpenTxn txn) {
        int count = txn.opCount;
        System.arraycopy(txn.kind, 0, kind, opCount, count);
        System.arraycopy(txn.value, 0, value, opCount, count);
        int[] cell = txn.cell;
        for (int op = 0; op < count; op++) {
            key[opCount + op] = cell[op];
        }
        opCount += count;
    }

    private void addListOps(OpenTxn txn, boolean isCommitted) {
        for (int op = 0; op < txn.opCount; op++) {
            int cell = txn.cell[op];
            kind[opCount] = txn.kind[op];
            key[opCount] = requireNonNull(lists).keyOf(cell);
            value[opCount] = txn.kind[op] == OpKind.READ_LIST
                    ? requireNonNull(listsOfSlice).refTo(txn, op, isCommitted)
                    : txn.value[op];
            opCount++;
        }
    }

    /** Returns the rows and begins the next slice. */
    HistorySlice take() {
        if (built != null) {
            HistorySlice slice = built.build();
            built = null;
            firstRow += txnCount;
            txnCount = 0;
            return slice;
        }
        long[] txnId = new long[txnCount];
        int[] firstOpOf = new int[txnCount + 1];
        for (int txn = 0; txn < txnCount; txn++) {
            txnId[txn] = firstRow + txn;
            firstOpOf[txn + 1] = firstOpOf[txn] + opsPerTxn;
        }
        SliceBuilder builder = new SliceBuilder(NAME);
        builder.columns()
                .txns(txnCount, firstRow)
                .ids(txnId, sessionId, sessionSeq, status)
                .timestamps(startTs, commitTs)
                .clientTimes(invokeNs, completeNs)
                .ops(opCount, firstOpOf, kind, key, value)
                .keyType(ValueType.LONG, null)
                .valueType(ValueType.LONG, null);
        if (listsOfSlice != null) {
            builder.columns().lists(listsOfSlice.take());
        }
        firstRow += txnCount;
        allocate();
        return builder.build();
    }

    /**
     * The lists that the reads of one slice are prefixes of: one for each cell, and one for each read of own aborted
     * elements.
     */
    private final class ListsOfSlice {

        /*
         * elements[list] begins with the committed elements of a cell and may have more after them, so only the longest
         * prefix that was read is stored; it is copied into the table when the slice is complete.
         *
         * listOf[cell] is valid if keyOfList[list] is the cell's key: cells change their keys.
         */

        private long[][] elements = new long[256][];
        private int[] length = new int[256];
        private long[] keyOfList = new long[256];
        private int count;
        private int[] listOf = new int[256];

        long refTo(OpenTxn txn, int op, boolean isCommitted) {
            int cell = txn.cell[op];
            int wanted = (int) txn.value[op];
            if (!isCommitted) {
                int own = ownElementsBefore(txn, op);
                if (own > 0) {
                    return ListRef.of(addOwn(txn, op, wanted, own), wanted);
                }
            }
            int list = listOf(cell);
            if (wanted > length[list]) {
                length[list] = wanted;
                elements[list] = requireNonNull(lists).elementsOf(cell);
            }
            return ListRef.of(list, wanted);
        }

        private int ownElementsBefore(OpenTxn txn, int op) {
            int own = 0;
            for (int earlier = 0; earlier < op; earlier++) {
                if (txn.kind[earlier] == OpKind.APPEND && txn.cell[earlier] == txn.cell[op]) {
                    own++;
                }
            }
            return own;
        }

        private int addOwn(OpenTxn txn, int op, int wanted, int own) {
            long[] seen = new long[wanted];
            int committed = wanted - own;
            if (committed > 0) {
                System.arraycopy(requireNonNull(lists).elementsOf(txn.cell[op]), 0, seen, 0, committed);
            }
            int next = committed;
            for (int earlier = 0; earlier < op; earlier++) {
                if (txn.kind[earlier] == OpKind.APPEND && txn.cell[earlier] == txn.cell[op]) {
                    seen[next++] = txn.value[earlier];
                }
            }
            int list = addList(HistorySlice.NONE);
            elements[list] = seen;
            length[list] = wanted;
            return list;
        }

        private int listOf(int cell) {
            if (cell >= listOf.length) {
                listOf = Arrays.copyOf(listOf, Math.max(cell + 1, 2 * listOf.length));
            }
            int known = listOf[cell];
            if (known < count && keyOfList[known] == requireNonNull(lists).keyOf(cell)) {
                return known;
            }
            int list = addList(requireNonNull(lists).keyOf(cell));
            listOf[cell] = list;
            return list;
        }

        private int addList(long ofKey) {
            if (count == length.length) {
                elements = Arrays.copyOf(elements, 2 * count);
                length = Arrays.copyOf(length, 2 * count);
                keyOfList = Arrays.copyOf(keyOfList, 2 * count);
            }
            elements[count] = null;
            length[count] = 0;
            keyOfList[count] = ofKey;
            return count++;
        }

        ListPool take() {
            ListPool pool = new ListPool();
            for (int list = 0; list < count; list++) {
                pool.add(elements[list], 0, length[list]);
            }
            count = 0;
            return pool;
        }
    }
}
