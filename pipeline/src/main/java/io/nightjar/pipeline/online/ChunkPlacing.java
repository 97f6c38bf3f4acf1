package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.RadixSort;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneOp;
import java.util.Arrays;

/** Places what transactions did that arrived together on the timelines of its keys. */
final class ChunkPlacing {

    /*
     * Transactions are taken in the order of their commits, since rows then mostly come behind those that are there, and what
     * they did key by key, since the rows of one key stand near each other:
     *
     *   slotOf[txn]    its slot, or NOT_PLACED
     *   opOrder[i]     operations by key, those of one key in the order of commits
     */

    private static final int NOT_PLACED = -1;

    private final WindowTxns txns;
    private final WindowKeys keys;
    private final OnlineFindings findings;
    private final ReadsOfOwn ownReads;
    private final RegisterTimelines[] registerLevels;
    private final ListTimelines[] listLevels;
    private int unjudgedKeys;

    private long[] commits = new long[64];
    private int[] order = new int[64];
    private int[] slotOf = new int[64];
    private long[] opKeys = new long[64];
    private int[] opOrder = new int[64];
    private int[] txnOf = new int[64];
    private int opCount;

    ChunkPlacing(
            WindowTxns txns,
            WindowKeys keys,
            OnlineFindings findings,
            ReadsOfOwn ownReads,
            RegisterTimelines[] registerLevels,
            ListTimelines[] listLevels) {
        this.txns = txns;
        this.keys = keys;
        this.findings = findings;
        this.ownReads = ownReads;
        this.registerLevels = registerLevels;
        this.listLevels = listLevels;
    }

    /** Keys that timestamps cannot judge. */
    int unjudgedKeys() {
        return unjudgedKeys;
    }

    /**
     * Places a chunk.
     *
     * @param horizon up to where nothing is known for certain any more
     * @return how many transactions were left out, since they belong before the horizon
     */
    int place(LaneChunk chunk, long arrived, long horizon) {
        keys.begin(chunk);
        noteModels(chunk);
        sort(chunk);
        int leftOut = openTxns(chunk, arrived, horizon);
        RadixSort.sort(opKeys, opOrder, opCount);
        for (int i = 0; i < opCount; i++) {
            int op = opOrder[i];
            int txn = txnOf[op];
            place(chunk, txn, op, slotOf[txn]);
        }
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            if (slotOf[txn] != NOT_PLACED) {
                txns.release(slotOf[txn]);
            }
        }
        return leftOut;
    }

    /** Rows placed in the order of commits mostly come behind those that are there. */
    private void sort(LaneChunk chunk) {
        if (order.length < chunk.txnCount) {
            order = new int[chunk.txnCount * 2];
            commits = new long[chunk.txnCount * 2];
            slotOf = new int[chunk.txnCount * 2];
        }
        boolean isSorted = true;
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            order[txn] = txn;
            commits[txn] = chunk.commitTs[txn];
            isSorted &= txn == 0 || commits[txn] >= commits[txn - 1];
        }
        if (!isSorted) {
            RadixSort.sort(commits, order, chunk.txnCount);
        }
    }

    /** Gives each transaction that is to be placed a slot, and gathers what they did. */
    private int openTxns(LaneChunk chunk, long arrived, long horizon) {
        if (opOrder.length < chunk.opCount) {
            opOrder = new int[chunk.opCount * 2];
            opKeys = new long[chunk.opCount * 2];
            txnOf = new int[chunk.opCount * 2];
        }
        Arrays.fill(slotOf, 0, chunk.txnCount, NOT_PLACED);
        opCount = 0;
        int leftOut = 0;
        for (int i = 0; i < chunk.txnCount; i++) {
            int txn = order[i];
            if (!LaneChunk.isCommitted(chunk.flags[txn])) {
                continue;
            }
            int first = chunk.firstOpOf[txn];
            int end = chunk.firstOpOf[txn + 1];
            ownReads.noteInitialWrites(chunk, first, end);
            long start = chunk.startTs[txn];
            long commit = chunk.commitTs[txn];
            if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
                continue;
            }
            if (start <= horizon || commit <= horizon) {
                leftOut++;
                continue;
            }
            slotOf[txn] = txns.open(chunk.txnId[txn], start, commit, arrived);
            for (int op = first; op < end; op++) {
                opKeys[opCount] = chunk.key[op];
                opOrder[opCount++] = op;
                txnOf[op] = txn;
            }
        }
        return leftOut;
    }

    /** Maps keys to ordinals, and notes what each operation says of its key. */
    private void noteModels(LaneChunk chunk) {
        for (int op = 0; op < chunk.opCount; op++) {
            int key = keys.key(chunk, chunk.key[op]);
            chunk.key[op] = key;
            keys.touch(key);
            int model = WindowKeys.model(chunk.kind[op]);
            int before = keys.modelOf(key);
            if ((before | model) != before) {
                keys.addModel(key, model);
                becomes(key, before, before | model);
            }
        }
    }

    private void becomes(int key, int before, int model) {
        if (!WindowKeys.isJudged(before)) {
            return;
        }
        if (!WindowKeys.isJudged(model)) {
            unjudgedKeys++;
            for (int level = 0; level < registerLevels.length; level++) {
                registerLevels[level].drop(key);
                listLevels[level].drop(key);
            }
            ownReads.drop(key);
            findings.takeBackKey(keys.keyText(key));
        } else if (model == WindowKeys.LIST) {
            for (int level = 0; level < registerLevels.length; level++) {
                ListTimelines list = listLevels[level];
                findings.takeBackKey(keys.keyText(key));
                registerLevels[level].giveNullReads(key, row -> list.takeNullRead(key, row));
            }
        }
    }

    private void place(LaneChunk chunk, int txn, int op, int slot) {
        int key = (int) chunk.key[op];
        if (!WindowKeys.isJudged(keys.modelOf(key))) {
            return;
        }
        boolean isReadOnly = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
        switch (chunk.kind[op]) {
            case LaneOp.READ -> read(key, slot, keys.value(chunk, chunk.value[op]), false, isReadOnly);
            case LaneOp.READ_NOTHING -> readNothing(key, slot, isReadOnly);
            case LaneOp.WRITE -> {
                long value = keys.value(chunk, chunk.value[op]);
                for (RegisterTimelines level : registerLevels) {
                    level.write(key, slot, value);
                }
            }
            case LaneOp.READ_LIST, LaneOp.READ_LIST_LOOSE -> readList(chunk, op, key, slot, isReadOnly);
            case LaneOp.APPEND -> append(chunk, op, chunk.firstOpOf[txn + 1], slot);
            case LaneOp.OWN_EXPECTED, LaneOp.OWN_EXPECTED_NOTHING, LaneOp.OWN_EXPECTED_LIST ->
                ownReads.judge(chunk, chunk.firstOpOf[txn], op, slot);
            default -> {} // it explains others, or was taken together with the operation before
        }
    }

    private void read(int key, int slot, long value, boolean isNothing, boolean isReadOnly) {
        for (RegisterTimelines level : registerLevels) {
            level.read(key, slot, value, isNothing, isReadOnly);
        }
    }

    private void readNothing(int key, int slot, boolean isReadOnly) {
        if (keys.modelOf(key) != WindowKeys.LIST) {
            read(key, slot, 0, true, isReadOnly);
            return;
        }
        for (ListTimelines level : listLevels) {
            level.read(key, LaneOp.READ_NOTHING, txns.participant(slot), isReadOnly, txns.arrived(slot), new long[0]);
        }
    }

    private void readList(LaneChunk chunk, int op, int key, int slot, boolean isReadOnly) {
        for (ListTimelines level : listLevels) {
            level.read(
                    key,
                    chunk.kind[op],
                    txns.participant(slot),
                    isReadOnly,
                    txns.arrived(slot),
                    keys.elements(chunk, op));
        }
    }

    /** Takes a transaction's first append to a key and all that follow. */
    private void append(LaneChunk chunk, int op, int end, int slot) {
        long key = chunk.key[op];
        int count = 0;
        for (int later = op; later < end; later++) {
            count += isAppendTo(chunk, later, key) ? 1 : 0;
        }
        long[] elements = new long[count];
        count = 0;
        for (int later = op; later < end; later++) {
            if (isAppendTo(chunk, later, key)) {
                elements[count++] = keys.value(chunk, chunk.value[later]);
            }
        }
        for (ListTimelines level : listLevels) {
            level.append((int) key, txns.participant(slot), txns.arrived(slot), elements);
        }
    }

    private static boolean isAppendTo(LaneChunk chunk, int op, long key) {
        return chunk.key[op] == key && (chunk.kind[op] == LaneOp.APPEND || chunk.kind[op] == LaneOp.APPEND_AGAIN);
    }
}
