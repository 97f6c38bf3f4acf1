package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects the operations of arrivals, and checks them in commit order when they are sealed. */
final class ChunkIngest {

    /*
     * Algorithm. Internal reads are checked at once. Other operations wait in batches until they are
     * sealed. Sealing up to a watermark takes transactions in commit order: at each commit the writes are placed, then
     * the reads are compared with the versions before them.
     *
     * If provisional verdicts are requested, writes are placed when the arrivals of a moment are complete, and reads are
     * checked then and whenever a version is placed before them; sealing determines the final verdicts all the same.
     */

    private static final int STRETCH = 1 << 16;
    private static final int MAX_SPARE = 2;

    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final InternalReadCheck ownReads;
    private final RegisterTimelines registers;
    private final ProvisionalReads provisional;
    private int unjudgedKeys;
    private long maxDuration; // from start to commit, of recent transactions
    private long maxDurationBefore; // of as many before them
    private int stretch;

    private OperationBatch open = new OperationBatch();
    private int placedTxns; // of the open batch
    private final List<OperationBatch> waiting = new ArrayList<>(); // sorted batches, until they are sealed
    private final List<OperationBatch> spare = new ArrayList<>();
    private long[] dueCommits = new long[64];
    private long[] dueHorizons = new long[64];
    private int[] dueOrder = new int[64];
    private final List<OperationBatch> dueBatches = new ArrayList<>();
    private int[] dueTxns = new int[64];

    ChunkIngest(
            OnlineKeys keys,
            OnlineFindings findings,
            InternalReadCheck ownReads,
            RegisterTimelines registers,
            ProvisionalReads provisional) {
        this.keys = keys;
        this.findings = findings;
        this.ownReads = ownReads;
        this.registers = registers;
        this.provisional = provisional;
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
            if (chunk.startTs[txn] != HistorySlice.NONE && chunk.commitTs[txn] != HistorySlice.NONE) {
                recordDuration(chunk.startTs[txn], chunk.commitTs[txn]);
                take(chunk, txn, arrived);
            }
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

    private void recordDuration(long start, long commit) {
        if (start < commit) {
            maxDuration = Math.max(maxDuration, commit - start < 0 ? Long.MAX_VALUE : commit - start);
        }
    }

    /** Returns twice the longest recent duration: a transaction that commits after the watermark started at most so long before. */
    long lag() {
        long duration = Math.max(maxDuration, maxDurationBefore);
        return duration > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * duration;
    }

    private void take(LaneChunk chunk, int txn, long arrived) {
        boolean wroteNothing = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
        int access = wroteNothing ? OperationBatch.READ_ONLY : 0;
        int end = chunk.firstOpOf[txn + 1];
        for (int op = chunk.firstOpOf[txn]; op < end; op++) {
            int key = (int) chunk.key[op];
            if (!OnlineKeys.isJudged(keys.modelOf(key))) {
                continue;
            }
            switch (chunk.kind[op]) {
                case LaneOp.READ -> read(key, keys.value(chunk, chunk.value[op]), access | OperationBatch.READ);
                case LaneOp.READ_NOTHING -> open.op(key, 0, access | OperationBatch.READ_NOTHING);
                case LaneOp.WRITE -> open.op(key, keys.value(chunk, chunk.value[op]), access | OperationBatch.WRITE);
                case LaneOp.READ_LIST -> open.listOp(key, keys.elements(chunk, op), access | OperationBatch.READ);
                case LaneOp.READ_LIST_LOOSE ->
                    open.listOp(key, keys.elements(chunk, op), access | OperationBatch.READ_LOOSE);
                case LaneOp.APPEND -> open.listOp(key, appended(chunk, txn, op), access | OperationBatch.WRITE);
                case LaneOp.OWN_EXPECTED, LaneOp.OWN_EXPECTED_NOTHING, LaneOp.OWN_EXPECTED_LIST ->
                    ownReads.check(chunk, txn, op, arrived);
                default -> {} // part of another operation
            }
        }
        open.endTxn(chunk.txnId[txn], chunk.startTs[txn], chunk.commitTs[txn], arrived);
        if (open.isFull()) {
            closeBatch();
        }
    }

    private void read(int key, long value, int access) {
        if (keys.initials().isOpen(key) && !registers.hasVersion(key)) {
            keys.hold(value); // it may be the initial value
        }
        open.op(key, value, access);
    }

    /** Adds an operation that another process took. */
    void restore(int key, int access, ByteReader from) {
        if ((access & OperationBatch.LIST) != 0) {
            open.listOp(key, keys.readElements(from), access);
        } else {
            open.op(key, keys.readValue(from), access);
        }
        OnlineTxn txn = OnlineTxn.read(from);
        recordDuration(txn.startTs(), txn.commitTs());
        open.endTxn(txn.txnId(), txn.startTs(), txn.commitTs(), from.getSigned());
        if (open.isFull()) {
            closeBatch();
        }
    }

    static OnlineTxn participant(LaneChunk chunk, int txn) {
        return new OnlineTxn(chunk.txnId[txn], chunk.startTs[txn], chunk.commitTs[txn]);
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
        boolean isJudged = OnlineKeys.isJudged(model);
        if (!isJudged || model == OnlineKeys.LIST) {
            provisional.drop(key);
        }
        if (!isJudged) {
            unjudgedKeys++;
            registers.drop(key);
            findings.leaveToSegment(Long.MIN_VALUE); // findings of the key
        }
    }

    /** Returns the elements of a transaction's first append to a key and of all that follow. */
    private long[] appended(LaneChunk chunk, int txn, int op) {
        long[] elements = new long[chunk.firstOpOf[txn + 1] - op];
        int count = 0;
        for (int later = op; later < chunk.firstOpOf[txn + 1]; later++) {
            byte kind = chunk.kind[later];
            if (chunk.key[later] == chunk.key[op] && (kind == LaneOp.APPEND || kind == LaneOp.APPEND_AGAIN)) {
                elements[count++] = keys.value(chunk, chunk.value[later]);
            }
        }
        return Arrays.copyOf(elements, count);
    }

    // ---------------------------------------------------------------- provisional verdicts

    /** Returns whether operations are checked only when they are sealed, since no earlier verdict is reported. */
    boolean waits() {
        return !findings.wantsProvisional();
    }

    /** Ends a group of arrivals: places its writes and checks its reads, if provisional verdicts are requested. */
    void place() {
        if (waits()) {
            return;
        }
        for (; placedTxns < open.txnCount(); placedTxns++) {
            registers.touch(open, placedTxns);
            for (int op = open.firstOpOf(placedTxns); op < open.firstOpOf(placedTxns + 1); op++) {
                int model = keys.modelOf(open.key(op));
                if (!OnlineKeys.isJudged(model) || model == OnlineKeys.LIST) {
                    continue; // a later operation showed it; lists are checked when they are sealed
                }
                if (open.kind(op) != OperationBatch.WRITE) {
                    provisional.add(open, placedTxns, op);
                } else if (!open.isPlaced(op)) {
                    registers.write(open, placedTxns, op);
                    open.setPlaced(op);
                    provisional.addVersion(open.key(op), open.commit(placedTxns));
                }
            }
        }
        provisional.check();
    }

    private void closeBatch() {
        if (open.txnCount() > 0) {
            place();
            open.sort();
            waiting.add(open);
            open = spare.isEmpty() ? new OperationBatch(open) : spare.remove(spare.size() - 1);
            placedTxns = 0;
        }
    }

    // ---------------------------------------------------------------- sealing

    /** Places the writes and checks the reads of waiting transactions that committed up to a time. */
    void seal(long upTo) {
        if (open.firstCommit() <= upTo) {
            closeBatch();
        }
        long step = Long.MIN_VALUE;
        while (!waiting.isEmpty() && step < upTo) {
            step = endOfStep(upTo);
            sealStep(step, upTo);
            waiting.removeIf(this::isDone);
        }
    }

    /** Returns the smallest last commit of waiting batches, which bounds the transactions that are sealed at once. */
    private long endOfStep(long upTo) {
        long end = upTo;
        for (OperationBatch batch : waiting) {
            end = Math.min(end, batch.lastCommit());
        }
        return end;
    }

    private void sealStep(long end, long watermark) {
        int count = takeDue(end);
        findHorizons(count, watermark);
        long lag = lag();
        for (int first = 0; first < count; ) {
            int next = first;
            for (; next < count && dueCommits[next] == dueCommits[first]; next++) {
                placeWrites(dueBatches.get(dueOrder[next]), dueTxns[dueOrder[next]]);
            }
            for (int i = first; i < next; i++) {
                checkReads(dueBatches.get(dueOrder[i]), dueTxns[dueOrder[i]]);
            }
            registers.setHorizon(dueHorizons[first], lag);
            first = next;
        }
        if (!waits()) {
            removeSealed(count, end);
        }
        dueBatches.clear();
    }

    /** Determines the smallest start from each due transaction on, waiting and future transactions included. */
    private void findHorizons(int count, long watermark) {
        long first = watermark;
        for (OperationBatch batch : waiting) {
            first = Math.min(first, batch.firstStart());
        }
        for (int i = count - 1; i >= 0; i--) {
            first = Math.min(first, dueBatches.get(dueOrder[i]).start(dueTxns[dueOrder[i]]));
            dueHorizons[i] = first;
        }
    }

    /** Removes the transactions up to a time from waiting batches, and sorts them by commit; returns their number. */
    private int takeDue(long upTo) {
        int count = 0;
        for (OperationBatch batch : waiting) {
            while (batch.hasNext(upTo)) {
                if (count == dueTxns.length) {
                    dueCommits = Arrays.copyOf(dueCommits, 2 * count);
                    dueHorizons = new long[2 * count];
                    dueOrder = Arrays.copyOf(dueOrder, 2 * count);
                    dueTxns = Arrays.copyOf(dueTxns, 2 * count);
                }
                int txn = batch.poll();
                dueBatches.add(batch);
                dueTxns[count] = txn;
                dueCommits[count] = batch.commit(txn);
                dueOrder[count] = count++;
            }
        }
        RadixSort.sort(dueCommits, dueOrder, count);
        return count;
    }

    private void placeWrites(OperationBatch batch, int txn) {
        registers.touch(batch, txn);
        for (int op = batch.firstOpOf(txn); op < batch.firstOpOf(txn + 1); op++) {
            boolean isOpen = batch.kind(op) == OperationBatch.WRITE && !batch.isPlaced(op);
            if (isOpen && OnlineKeys.isJudged(keys.modelOf(batch.key(op)))) {
                registers.write(batch, txn, op);
            }
        }
    }

    private void checkReads(OperationBatch batch, int txn) {
        for (int op = batch.firstOpOf(txn); op < batch.firstOpOf(txn + 1); op++) {
            if (batch.kind(op) != OperationBatch.WRITE && OnlineKeys.isJudged(keys.modelOf(batch.key(op)))) {
                registers.checkSealed(batch, txn, op);
            }
        }
    }

    private void removeSealed(int count, long watermark) {
        IntOpenHashSet sealedKeys = new IntOpenHashSet();
        for (int i = 0; i < count; i++) {
            OperationBatch batch = dueBatches.get(i);
            for (int op = batch.firstOpOf(dueTxns[i]); op < batch.firstOpOf(dueTxns[i] + 1); op++) {
                sealedKeys.add(batch.key(op));
            }
        }
        sealedKeys.forEach(key -> provisional.removeSealed(key, watermark));
    }

    private boolean isDone(OperationBatch batch) {
        if (batch.isDone() && spare.size() < MAX_SPARE) {
            batch.clear();
            spare.add(batch);
            return true;
        }
        return batch.isDone();
    }

    // ---------------------------------------------------------------- memory

    /** Passes on the transactions that are not sealed. */
    void forEachOpen(OperationBatch.TxnTaker to) {
        closeBatch();
        waiting.forEach(batch -> batch.forEachLeft(to));
    }

    /** Returns the bytes of waiting operations. */
    long byteSize() {
        return open.byteSize()
                + waiting.stream().mapToLong(OperationBatch::byteSize).sum();
    }

    /** Releases all operations; none may be placed afterwards. */
    void release() {
        open = new OperationBatch();
        waiting.clear();
        spare.clear();
    }
}
