package io.nightjar.datasets.generate;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.inject.FaultPlanner;
import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.VersionedCells;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceConsumer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sessions that run transactions against a store, one step of one transaction at a time. */
final class HistorySimulator {

    /*
     * The scheduler draws one of the slots for open transactions and executes its next step: begin, one operation, or
     * end. So transactions of different sessions interleave operation by operation, and the same seed gives the same
     * schedule. Begins and ends take their timestamps from one clock; it advances by TICK, so that injected timestamps
     * between two events belong to no other event.
     *
     * A transaction commits if no key that it wrote (SER: or read) was committed since its start; then all of it
     * becomes visible at once. Rows are emitted in the order in which transactions end. Those still open at the last
     * row are dropped: no transaction has observed their writes.
     */

    private static final long TICK = FaultPlanner.GRID;
    private static final long NS_PER_STEP = 50_000;
    private static final long NS_TO_REPLY = 40_000;
    private static final long EMPTY_LIST = 0;

    private final GeneratorOptions options;
    private final boolean isList;
    private final byte writeKind;
    private final SeededRandom random;
    private final KeySampler keys;
    private final long readThreshold;
    private final int tenantCount;
    private final int keysPerTenant;

    private final VersionedCells store;
    private final @Nullable CellOperations operations; // null if all are reads and writes
    private final @Nullable ActiveLists lists;
    private final SnapshotOrder snapshots = new SnapshotOrder();

    private final OpenTxn[] slots;
    private final int[] idleSessions;
    private int idleCount;
    private final long[] nextSeqOf;

    private final FinishedColumns rows;
    private long rowCount;
    private long committedCount;
    private long operationCount;
    private long clock;
    private long steps;
    private long lastValue;
    private int cellCount;

    HistorySimulator(GeneratorOptions options, KeySampler keys, int concurrency) {
        this.options = options;
        this.isList = options.programs().model() == DataModel.LIST;
        this.writeKind = isList ? OpKind.APPEND : OpKind.WRITE;
        this.random = new SeededRandom(options.seed());
        this.keys = keys;
        this.readThreshold = (long) (options.programs().reads() * 0x1.0p53);
        this.tenantCount = options.tenants();
        this.keysPerTenant = options.keysPerTenant();
        boolean isMixed = CellOperations.WORKLOADS.contains(options.programs().workload());
        int cellsPerKey = isMixed ? CellOperations.cellsPerKey(options.programs()) : 0;
        this.cellCount = Math.multiplyExact(options.programs().keys(), Math.max(1, cellsPerKey));
        this.store = new VersionedCells(cellCount, isList ? EMPTY_LIST : HistorySlice.NONE);
        this.lists = isList
                ? new ActiveLists(options.programs().keys(), options.programs().appendsPerKey())
                : null;
        this.operations = isMixed ? new CellOperations(options, store, random) : null;
        this.slots = new OpenTxn[concurrency];
        for (int slot = 0; slot < concurrency; slot++) {
            slots[slot] = new OpenTxn(options.programs().ops());
        }
        this.idleSessions = new int[options.sessions()];
        for (int session = 0; session < idleSessions.length; session++) {
            idleSessions[session] = session;
        }
        this.idleCount = idleSessions.length;
        this.nextSeqOf = new long[options.sessions()];
        this.rows = new FinishedColumns(options.programs().ops(), lists, cellsPerKey);
    }

    void run(SliceConsumer out) throws IOException {
        long wanted = options.transactions();
        int ops = options.programs().ops();
        while (rowCount < wanted) {
            OpenTxn txn = slots[random.below(slots.length)];
            steps++;
            if (!txn.isOpen) {
                begin(txn);
            } else if (txn.opCount < ops) {
                operate(txn);
            } else {
                end(txn);
                if (rows.isFull()) {
                    out.accept(rows.take());
                }
            }
        }
        if (!rows.isEmpty()) {
            out.accept(rows.take());
        }
    }

    long rowCount() {
        return rowCount;
    }

    long committedCount() {
        return committedCount;
    }

    List<PlantedFault> planted() {
        return operations == null ? List.of() : operations.planted();
    }

    long operationCount() {
        return operationCount;
    }

    private void begin(OpenTxn txn) {
        int chosen = random.below(idleCount);
        int session = idleSessions[chosen];
        idleSessions[chosen] = idleSessions[--idleCount];
        clock += TICK;
        txn.open(session, clock, steps * NS_PER_STEP);
        snapshots.add(txn);
    }

    // ---------------------------------------------------------------- operations

    private void operate(OpenTxn txn) {
        boolean isRead = (random.next() >>> 11) < readThreshold;
        int drawnKey = txn.session % tenantCount * keysPerTenant + keys.sample(random);
        if (operations != null) {
            operations.add(txn, drawnKey, isRead);
        } else if (isList) {
            operateOnList(txn, isRead, drawnKey);
        } else if (isRead) {
            readRegister(txn, drawnKey);
        } else {
            int values = options.programs().values();
            long value = values == GeneratorOptions.UNIQUE ? ++lastValue : random.below(values);
            txn.setOwnWrite(drawnKey, value);
            txn.add(writeKind, drawnKey, value);
        }
    }

    private void readRegister(OpenTxn txn, int cell) {
        long own = txn.ownWrite(cell);
        long value = own != OpenTxn.NO_WRITE ? own : store.read(cell, txn.start);
        if (value == HistorySlice.NONE) {
            txn.add(OpKind.READ_NOTHING, cell, 0);
        } else {
            txn.add(OpKind.READ, cell, value);
        }
    }

    private void operateOnList(OpenTxn txn, boolean isRead, int drawnKey) {
        if (!isRead && requireNonNull(lists).isFull(drawnKey)) {
            renewList(drawnKey);
        }
        int cell = requireNonNull(lists).cellOf(drawnKey);
        long own = txn.ownWrite(cell);
        long ownCount = own == OpenTxn.NO_WRITE ? 0 : own;
        if (isRead) {
            long length = store.read(cell, txn.start) + ownCount;
            txn.add(length == EMPTY_LIST ? OpKind.READ_NOTHING : OpKind.READ_LIST, cell, length);
        } else {
            lastValue++;
            lists.countAppend(drawnKey);
            txn.setOwnWrite(cell, ownCount + 1);
            txn.add(writeKind, cell, lastValue);
        }
    }

    private void renewList(int drawnKey) {
        int cell = requireNonNull(lists).renew(drawnKey, clock, snapshots.oldestStart());
        if (cell >= cellCount) {
            cellCount = Math.addExact(cell, Math.max(16, cell / 2));
            store.growTo(cellCount);
        }
        store.reset(cell);
    }

    // ---------------------------------------------------------------- the end of a transaction

    private void end(OpenTxn txn) {
        snapshots.remove(txn);
        txn.isOpen = false;
        idleSessions[idleCount++] = txn.session;
        boolean commits = mayCommit(txn);
        long commit = HistorySlice.NONE;
        if (commits) {
            clock += TICK;
            commit = clock;
            install(txn, commit);
        }
        if (commits || options.recordAborted()) {
            rows.add(txn, nextSeqOf[txn.session]++, commit, steps * NS_PER_STEP + NS_TO_REPLY);
            rowCount++;
            committedCount += commits ? 1 : 0;
            operationCount += txn.opCount;
        }
    }

    private boolean mayCommit(OpenTxn txn) {
        boolean readsCount = options.store() == StoreKind.SER;
        for (int op = 0; op < txn.opCount; op++) {
            boolean isChanged =
                    operations == null ? store.changedSince(txn.cell[op], txn.start) : operations.isChanged(txn, op);
            if ((readsCount || OpKind.isWrite(txn.kind[op])) && isChanged) {
                return false;
            }
        }
        return true;
    }

    private void install(OpenTxn txn, long commit) {
        long oldestSnapshot = snapshots.oldestStart();
        if (operations != null) {
            operations.install(txn, commit, oldestSnapshot, rowCount + 1);
            return;
        }
        for (int op = 0; op < txn.opCount; op++) {
            if (!OpKind.isWrite(txn.kind[op])) {
                continue;
            }
            int cell = txn.cell[op];
            if (isList) {
                long length = store.latestState(cell);
                requireNonNull(lists).append(cell, (int) length, txn.value[op]);
                store.install(cell, length + 1, commit, oldestSnapshot);
            } else {
                store.install(cell, txn.value[op], commit, oldestSnapshot);
            }
        }
    }
}
