package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** Places what transactions did that arrived together on the timelines of its keys. */
final class ChunkIngest {

    /*
     * Chunks are taken one after the other: keys and values get their numbers, transactions their slots, and what needs no place
     * among other transactions is judged or handed on. Reads and writes of registers wait until all chunks are there. They are
     * placed in the order of commits, since rows then mostly come behind those that are there and fewer verdicts turn:
     *
     *   commits[txn], slotOf[txn], firstOpOf[txn]   of transactions that are taken
     *   keyOf[op], valueOf[op], deedOf[op]          what they did, in the order in which they were taken
     *   order[i]                                    transactions by commit
     *
     *   deed:   34 ... 3   2   1   0
     *           slot       kind    read-only
     */

    private static final int READ = 0;
    private static final int READ_NOTHING = 2;
    private static final int WRITE = 4;
    private static final int KIND = 6;
    private static final int READ_ONLY = 1;
    private static final int SLOT_SHIFT = 3;
    private static final int STRETCH = 1 << 16;

    private final WindowTxns txns;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final InternalReadCheck ownReads;
    private final RegisterTimelines[] registerLevels;
    private final ListTimelines[] listLevels;
    private int unjudgedKeys;
    private long maxDuration; // transaction, from start to commit, of the last ones
    private long maxDurationBefore; // and of as many before them
    private int stretch;

    private int txnCount;
    private long[] commits = new long[64];
    private int[] order = new int[64];
    private int[] slotOf = new int[64];
    private int[] firstOpOf = new int[65];
    private int opCount;
    private int[] keyOf = new int[64];
    private long[] valueOf = new long[64];
    private long[] deedOf = new long[64];
    private final int[] touched = new int[OnlineCheck.TOUCHED_TOGETHER];

    ChunkIngest(
            WindowTxns txns,
            OnlineKeys keys,
            OnlineFindings findings,
            InternalReadCheck ownReads,
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

    // ---------------------------------------------------------------- taking

    /**
     * Takes a chunk, which may be overwritten then.
     */
    void take(LaneChunk chunk, long arrived) {
        keys.begin(chunk);
        noteModels(chunk);
        beginStretch(chunk.txnCount);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            if (!LaneChunk.isCommitted(chunk.flags[txn])) {
                continue;
            }
            ownReads.noteInitialWrites(chunk, chunk.firstOpOf[txn], chunk.firstOpOf[txn + 1]);
            long start = chunk.startTs[txn];
            long commit = chunk.commitTs[txn];
            if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
                continue;
            }
            if (start < commit) {
                maxDuration = Math.max(maxDuration, commit - start < 0 ? Long.MAX_VALUE : commit - start);
            }
            take(chunk, txn, txns.open(chunk.txnId[txn], start, commit, arrived));
        }
    }

    private void beginStretch(int txns) {
        stretch += txns;
        if (stretch > STRETCH) {
            maxDurationBefore = maxDuration;
            maxDuration = 0;
            stretch = 0;
        }
    }

    /** How far before the watermark a transaction that commits behind it is expected to have started: twice as far as any of late. */
    long lag() {
        long maxDurationOfBoth = Math.max(maxDuration, maxDurationBefore);
        return maxDurationOfBoth > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * maxDurationOfBoth;
    }

    private void take(LaneChunk chunk, int txn, int slot) {
        if (txnCount == slotOf.length) {
            growTxns(txnCount * 2);
        }
        boolean wroteNothing = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
        commits[txnCount] = chunk.commitTs[txn];
        slotOf[txnCount] = slot;
        long deed = (long) slot << SLOT_SHIFT | (wroteNothing ? READ_ONLY : 0);
        int first = chunk.firstOpOf[txn];
        int end = chunk.firstOpOf[txn + 1];
        for (int op = first; op < end; op++) {
            int key = (int) chunk.key[op];
            if (!OnlineKeys.isJudged(keys.modelOf(key))) {
                continue;
            }
            switch (chunk.kind[op]) {
                case LaneOp.READ -> hold(key, keys.value(chunk, chunk.value[op]), deed | READ);
                case LaneOp.READ_NOTHING -> hold(key, 0, deed | READ_NOTHING);
                case LaneOp.WRITE -> hold(key, keys.value(chunk, chunk.value[op]), deed | WRITE);
                case LaneOp.READ_LIST, LaneOp.READ_LIST_LOOSE -> readList(chunk, op, key, slot, wroteNothing);
                case LaneOp.APPEND -> append(chunk, op, end, slot);
                case LaneOp.OWN_EXPECTED, LaneOp.OWN_EXPECTED_NOTHING, LaneOp.OWN_EXPECTED_LIST ->
                    ownReads.check(chunk, first, op, slot);
                default -> {} // it explains others, or was taken together with the operation before
            }
        }
        txnCount++;
        firstOpOf[txnCount] = opCount;
    }

    private void hold(int key, long value, long deed) {
        if (opCount == keyOf.length) {
            growOps(Math.multiplyExact(opCount, 2));
        }
        keyOf[opCount] = key;
        valueOf[opCount] = value;
        deedOf[opCount] = deed;
        opCount++;
    }

    private void growTxns(int capacity) {
        commits = Arrays.copyOf(commits, capacity);
        order = new int[capacity];
        slotOf = Arrays.copyOf(slotOf, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
    }

    private void growOps(int capacity) {
        keyOf = Arrays.copyOf(keyOf, capacity);
        valueOf = Arrays.copyOf(valueOf, capacity);
        deedOf = Arrays.copyOf(deedOf, capacity);
    }

    /** Maps keys to ordinals, and notes what each operation says of its key. */
    private void noteModels(LaneChunk chunk) {
        for (int op = 0; op < chunk.opCount; op++) {
            int key = keys.key(chunk, chunk.key[op]);
            chunk.key[op] = key;
            keys.touch(key);
            int model = OnlineKeys.model(chunk.kind[op]);
            int before = keys.modelOf(key);
            if ((before | model) != before) {
                keys.addModel(key, model);
                becomes(key, before, before | model);
            }
        }
    }

    private void becomes(int key, int before, int model) {
        if (!OnlineKeys.isJudged(before)) {
            return;
        }
        if (!OnlineKeys.isJudged(model)) {
            unjudgedKeys++;
            for (int level = 0; level < registerLevels.length; level++) {
                registerLevels[level].drop(key);
                listLevels[level].drop(key);
            }
            ownReads.drop(key);
            findings.leaveToSegment(Long.MIN_VALUE); // what was said of it
        } else if (model == OnlineKeys.LIST) {
            for (int level = 0; level < registerLevels.length; level++) {
                ListTimelines list = listLevels[level];
                registerLevels[level].giveNullReads(
                        key, (at, rowClass, txn, arrived) -> list.takeNullRead(key, at, rowClass, txn, arrived));
            }
        }
    }

    // ---------------------------------------------------------------- lists

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

    // ---------------------------------------------------------------- placing

    /** Places what has been taken. */
    void place() {
        sortByCommit();
        for (int i = 0; i < txnCount; i++) {
            int txn = order[i];
            int end = firstOpOf[txn + 1];
            for (int from = firstOpOf[txn]; from < end; from += OnlineCheck.TOUCHED_TOGETHER) {
                int to = Math.min(end, from + OnlineCheck.TOUCHED_TOGETHER);
                touch(from, to);
                for (int op = from; op < to; op++) {
                    place(keyOf[op], valueOf[op], deedOf[op]);
                }
            }
            txns.release(slotOf[txn]);
        }
        txnCount = 0;
        opCount = 0;
    }

    private void touch(int from, int end) {
        System.arraycopy(keyOf, from, touched, 0, end - from);
        for (RegisterTimelines level : registerLevels) {
            level.touch(touched, end - from);
        }
    }

    private void sortByCommit() {
        boolean isSorted = true;
        for (int txn = 0; txn < txnCount; txn++) {
            order[txn] = txn;
            isSorted &= txn == 0 || commits[txn - 1] <= commits[txn];
        }
        if (!isSorted) {
            RadixSort.sort(commits, order, txnCount);
        }
    }

    private void place(int key, long value, long deed) {
        if (!OnlineKeys.isJudged(keys.modelOf(key))) {
            return; // what came behind it says so
        }
        int slot = (int) (deed >>> SLOT_SHIFT);
        boolean isReadOnly = (deed & READ_ONLY) != 0;
        switch ((int) deed & KIND) {
            case READ -> read(key, slot, value, false, isReadOnly);
            case READ_NOTHING -> readNothing(key, slot, isReadOnly);
            default -> {
                for (RegisterTimelines level : registerLevels) {
                    level.write(key, slot, value);
                }
            }
        }
    }

    private void read(int key, int slot, long value, boolean isNothing, boolean isReadOnly) {
        for (RegisterTimelines level : registerLevels) {
            level.read(key, slot, value, isNothing, isReadOnly);
        }
    }

    private void readNothing(int key, int slot, boolean isReadOnly) {
        if (keys.modelOf(key) != OnlineKeys.LIST) {
            read(key, slot, 0, true, isReadOnly);
            return;
        }
        for (ListTimelines level : listLevels) {
            level.read(key, LaneOp.READ_NOTHING, txns.participant(slot), isReadOnly, txns.arrived(slot), new long[0]);
        }
    }
}
