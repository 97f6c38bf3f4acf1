package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import java.util.ArrayList;
import java.util.List;

/** Collects the register operations of arrivals, and places them on timelines or checks them when they are sealed. */
final class ChunkIngest {

    /*
     * Layout. Keys and values have numbers, transactions slots. An access is an operation without key and value, by
     * bits:
     *
     *   34 ... 3   2   1   0
     *   slot       kind    read-only
     *
     * Algorithm. Lists and internal reads are checked at once. Register operations wait in batches (OperationBatch):
     *
     *   provisional verdicts are reported, or initial values learned   until the arrivals of a moment are complete, then all
     *                                                                  are placed in commit order
     *   otherwise                                                      until they are sealed
     *
     * Sealing up to a watermark first places all writes up to there, then compares each read once with the version
     * before it.
     */

    private static final int READ = 0;
    private static final int READ_NOTHING = 2;
    private static final int WRITE = 4;
    private static final int KIND = 6;
    private static final int READ_ONLY = 1;
    private static final int SLOT_SHIFT = 3;
    private static final int STRETCH = 1 << 16;
    private static final int MAX_SPARE = 2;

    private final WindowTxns txns;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final InternalReadCheck ownReads;
    private final RegisterTimelines[] registerLevels;
    private final ListTimelines[] listLevels;
    private int unjudgedKeys;
    private long maxDuration; // from start to commit, of recent transactions
    private long maxDurationBefore; // of as many before them
    private int stretch;

    private OperationBatch open = new OperationBatch();
    private final List<OperationBatch> waiting = new ArrayList<>(); // sorted batches, until they are sealed
    private final List<OperationBatch> spare = new ArrayList<>();
    private final int[] touched = new int[OnlineCheck.TOUCHED_TOGETHER];
    private final int[] touchedOps = new int[OnlineCheck.TOUCHED_TOGETHER];
    private int touchedCount;

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

    /** Returns the number of keys that timestamps cannot decide. */
    int unjudgedKeys() {
        return unjudgedKeys;
    }

    // ---------------------------------------------------------------- taking

    /** Adds a chunk, which the caller may overwrite afterwards. */
    void take(LaneChunk chunk, long arrived) {
        keys.begin(chunk);
        recordModels(chunk);
        beginStretch(chunk.txnCount);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            if (!LaneChunk.isCommitted(chunk.flags[txn])) {
                continue;
            }
            ownReads.recordInitialWrites(chunk, chunk.firstOpOf[txn], chunk.firstOpOf[txn + 1]);
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

    /** Returns twice the longest recent duration: a transaction that commits after the watermark started at most so long before. */
    long lag() {
        long duration = Math.max(maxDuration, maxDurationBefore);
        return duration > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * duration;
    }

    private void take(LaneChunk chunk, int txn, int slot) {
        boolean wroteNothing = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
        long access = (long) slot << SLOT_SHIFT | (wroteNothing ? READ_ONLY : 0);
        int first = chunk.firstOpOf[txn];
        int end = chunk.firstOpOf[txn + 1];
        for (int op = first; op < end; op++) {
            int key = (int) chunk.key[op];
            if (!OnlineKeys.isJudged(keys.modelOf(key))) {
                continue;
            }
            switch (chunk.kind[op]) {
                case LaneOp.READ -> open.op(key, keys.value(chunk, chunk.value[op]), access | READ);
                case LaneOp.READ_NOTHING -> open.op(key, 0, access | READ_NOTHING);
                case LaneOp.WRITE -> open.op(key, keys.value(chunk, chunk.value[op]), access | WRITE);
                case LaneOp.READ_LIST, LaneOp.READ_LIST_LOOSE -> readList(chunk, op, key, slot, wroteNothing);
                case LaneOp.APPEND -> append(chunk, op, end, slot);
                case LaneOp.OWN_EXPECTED, LaneOp.OWN_EXPECTED_NOTHING, LaneOp.OWN_EXPECTED_LIST ->
                    ownReads.check(chunk, first, op, slot);
                default -> {} // part of another operation
            }
        }
        open.endTxn(chunk.commitTs[txn], slot);
        if (open.isFull() && waits()) {
            closeBatch();
        }
    }

    /** Maps keys to ordinals, and records how each operation uses its key. */
    private void recordModels(LaneChunk chunk) {
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
            findings.leaveToSegment(Long.MIN_VALUE); // findings of the key
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

    /** Adds a transaction's first append to a key and all that follow. */
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

    /** Returns whether operations wait until they are sealed, since no earlier verdict is reported. */
    boolean waits() {
        return !findings.wantsProvisional() && !keys.initials().isLearning();
    }

    /** Places the operations that arrived together, unless they wait until they are sealed. */
    void place() {
        if (!waits()) {
            placeAll();
        }
    }

    boolean isAllPlaced() {
        return open.isEmpty() && waiting.isEmpty();
    }

    /** Places all waiting operations. */
    void placeAll() {
        closeBatch();
        for (OperationBatch batch : waiting) {
            for (int txn = batch.poll(Long.MAX_VALUE); txn != OperationBatch.NONE; txn = batch.poll(Long.MAX_VALUE)) {
                int end = batch.firstOpOf(txn + 1);
                for (int from = batch.firstOpOf(txn); from < end; from += OnlineCheck.TOUCHED_TOGETHER) {
                    int to = Math.min(end, from + OnlineCheck.TOUCHED_TOGETHER);
                    touch(batch, from, to);
                    for (int op = from; op < to; op++) {
                        place(batch.key(op), batch.value(op), batch.access(op));
                    }
                }
                txns.release(batch.slot(txn));
            }
            recycle(batch);
        }
        waiting.clear();
    }

    private void touch(OperationBatch batch, int from, int end) {
        for (int op = from; op < end; op++) {
            touched[op - from] = batch.key(op);
        }
        for (RegisterTimelines level : registerLevels) {
            level.touch(touched, end - from);
        }
    }

    private void closeBatch() {
        if (!open.isEmpty()) {
            open.sort();
            waiting.add(open);
            open = spare.isEmpty() ? new OperationBatch() : spare.remove(spare.size() - 1);
        }
    }

    private void recycle(OperationBatch batch) {
        if (spare.size() < MAX_SPARE) {
            batch.clear();
            spare.add(batch);
        }
    }

    // ---------------------------------------------------------------- sealing

    /** Places the writes and checks the reads of waiting transactions that committed up to a time. */
    void seal(long upTo) {
        if (open.firstCommit() <= upTo) {
            closeBatch();
        }
        for (OperationBatch batch : waiting) {
            sealOps(batch, upTo, true);
        }
        for (OperationBatch batch : waiting) {
            sealOps(batch, upTo, false);
            for (int txn = batch.poll(upTo); txn != OperationBatch.NONE; txn = batch.poll(upTo)) {
                txns.release(batch.slot(txn));
            }
        }
        waiting.removeIf(batch -> {
            if (batch.isDone()) {
                recycle(batch);
            }
            return batch.isDone();
        });
    }

    private void sealOps(OperationBatch batch, long upTo, boolean areWrites) {
        touchedCount = 0;
        batch.forEachOp(upTo, (op, access) -> {
            boolean isWrite = (access & KIND) == WRITE;
            if (isWrite == areWrites) {
                touched[touchedCount] = batch.key(op);
                touchedOps[touchedCount++] = op;
                if (touchedCount == touched.length) {
                    sealTouched(batch);
                }
            }
        });
        sealTouched(batch);
    }

    private void sealTouched(OperationBatch batch) {
        for (RegisterTimelines level : registerLevels) {
            level.touchVersions(touched, touchedCount);
        }
        for (int i = 0; i < touchedCount; i++) {
            int op = touchedOps[i];
            seal(batch.key(op), batch.value(op), batch.access(op));
        }
        touchedCount = 0;
    }

    private void seal(int key, long value, long access) {
        int kind = (int) access & KIND;
        boolean isRegisterRead = kind == READ || kind == READ_NOTHING && keys.modelOf(key) != OnlineKeys.LIST;
        if (!isRegisterRead) {
            place(key, value, access);
        } else if (OnlineKeys.isJudged(keys.modelOf(key))) {
            int slot = (int) (access >>> SLOT_SHIFT);
            boolean isReadOnly = (access & READ_ONLY) != 0;
            for (RegisterTimelines level : registerLevels) {
                level.checkSealedRead(key, slot, value, kind == READ_NOTHING, isReadOnly);
            }
        }
    }

    // ---------------------------------------------------------------- memory

    /** Returns the bytes of waiting operations. */
    long byteSize() {
        long bytes = open.byteSize();
        for (OperationBatch batch : waiting) {
            bytes += batch.byteSize();
        }
        return bytes;
    }

    /** Releases all operations; none may be placed afterwards. */
    void release() {
        open = new OperationBatch();
        waiting.clear();
        spare.clear();
    }

    // ---------------------------------------------------------------- one operation

    private void place(int key, long value, long access) {
        if (!OnlineKeys.isJudged(keys.modelOf(key))) {
            return; // a later operation showed it
        }
        int slot = (int) (access >>> SLOT_SHIFT);
        boolean isReadOnly = (access & READ_ONLY) != 0;
        switch ((int) access & KIND) {
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
