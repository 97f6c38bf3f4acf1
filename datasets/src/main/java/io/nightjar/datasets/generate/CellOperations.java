package io.nightjar.datasets.generate;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.inject.Fault;
import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.VersionedCells;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operations of the workloads kv, sets, counters and cas, with their results. */
final class CellOperations {

    /*
     * A cell is a key, or one element of a set. Its state is the value, the counter, or 1 for an element in its set;
     * absent before the first write and after a deletion.
     */

    /** Names of the workloads. */
    static final List<String> WORKLOADS = List.of("kv", "sets", "counters", "cas");

    private static final int DEFAULT_ELEMENTS = 16;
    private static final long ABSENT = HistorySlice.NONE + 1; // after a deletion

    private final String workload;
    private final int values; // or GeneratorOptions.UNIQUE
    private final VersionedCells store;
    private final SeededRandom random;
    private final @Nullable Fault fault;
    private final long distance; // transactions between two faults
    private int faultsLeft;
    private long nextFault; // number of finished transactions before the next fault
    private final List<PlantedFault> planted = new ArrayList<>();
    private long lastValue;

    CellOperations(GeneratorOptions options, VersionedCells store, SeededRandom random) {
        this.workload = options.programs().workload();
        this.values = options.programs().values();
        this.store = store;
        this.random = random;
        Map.Entry<Fault, Integer> wanted = options.faults().isEmpty()
                ? null
                : options.faults().entrySet().iterator().next();
        this.fault = wanted == null ? null : wanted.getKey();
        this.faultsLeft = wanted == null ? 0 : wanted.getValue();
        this.distance = options.transactions() / (faultsLeft + 1);
        this.nextFault = distance;
    }

    static int cellsPerKey(GeneratorOptions.Programs programs) {
        boolean isSet = programs.workload().equals("sets");
        return !isSet ? 1 : programs.values() == GeneratorOptions.UNIQUE ? DEFAULT_ELEMENTS : programs.values();
    }

    /** Adds the next operation of a transaction. */
    void add(OpenTxn txn, int key, boolean isRead) {
        switch (workload) {
            case "sets" -> addOfSet(txn, key, isRead);
            case "counters" -> addOfCounter(txn, key, isRead);
            default -> addOfValue(txn, key, isRead, workload.equals("cas"));
        }
    }

    List<PlantedFault> planted() {
        return planted;
    }

    private long stateOf(OpenTxn txn, int cell) {
        long own = txn.ownWrite(cell);
        return own != OpenTxn.NO_WRITE ? own : store.read(cell, txn.start);
    }

    private static boolean isPresent(long state) {
        return state != HistorySlice.NONE && state != ABSENT;
    }

    private void addOfValue(OpenTxn txn, int cell, boolean isRead, boolean isCas) {
        long state = stateOf(txn, cell);
        boolean isPresent = isPresent(state);
        int drawn = random.below(10);
        if (isRead) {
            txn.add(isPresent ? OpKind.READ : OpKind.READ_NOTHING, cell, isPresent ? state : 0);
        } else if (isCas && drawn < 7) {
            long old = random.below(10) < 7 ? (isPresent ? state : ABSENT) : value();
            boolean isDone = isPresent ? old == state : old == ABSENT;
            change(txn, OpKind.CAS, cell, value(), isDone);
            txn.old[txn.opCount - 1] = old == ABSENT ? HistorySlice.NONE : old;
        } else if (drawn < (isCas ? 9 : 3)) {
            change(txn, OpKind.INSERT, cell, value(), !isPresent);
        } else if (!isCas && drawn < 6) {
            change(txn, OpKind.UPDATE, cell, value(), isPresent);
        } else if (!isCas && drawn < 8) {
            change(txn, OpKind.DELETE_PRESENT, cell, ABSENT, isPresent);
        } else {
            change(txn, OpKind.WRITE, cell, value(), true);
            txn.done[txn.opCount - 1] = HistorySlice.NONE;
        }
    }

    private long value() {
        return values == GeneratorOptions.UNIQUE ? ++lastValue : random.below(values);
    }

    private void addOfCounter(OpenTxn txn, int cell, boolean isRead) {
        long state = stateOf(txn, cell);
        long sum = isPresent(state) ? state : 0;
        if (isRead) {
            txn.add(isPresent(state) ? OpKind.READ : OpKind.READ_NOTHING, cell, sum);
            return;
        }
        long delta = 1 + random.below(values == GeneratorOptions.UNIQUE ? 3 : values);
        txn.add(OpKind.INCREMENT, cell, delta);
        txn.setOwnWrite(cell, sum + delta);
        txn.left[txn.opCount - 1] = sum + delta;
        txn.old[txn.opCount - 1] = random.below(2) == 0 ? sum + delta : HistorySlice.NONE;
    }

    private void addOfSet(OpenTxn txn, int key, boolean isRead) {
        int perKey = cellsPerKey();
        int element = random.below(perKey);
        int cell = key * perKey + element;
        boolean isIn = stateOf(txn, cell) == 1;
        int drawn = random.below(8);
        if (isRead && drawn < 4) {
            long[] elements = new long[perKey];
            int count = 0;
            for (int i = 0; i < perKey; i++) {
                if (stateOf(txn, key * perKey + i) == 1) {
                    elements[count++] = i;
                }
            }
            txn.add(OpKind.READ_LIST, key * perKey, count);
            txn.elements[txn.opCount - 1] = elements;
        } else if (isRead) {
            txn.add(OpKind.HAS, cell, element);
            txn.done[txn.opCount - 1] = isIn ? 1 : 0;
        } else {
            boolean isAddition = drawn < 4;
            boolean hasOutcome = drawn % 2 == 0;
            byte kind = !isAddition ? OpKind.REMOVE : hasOutcome ? OpKind.ADD_ABSENT : OpKind.ADD;
            change(txn, kind, cell, element, !hasOutcome || isAddition != isIn);
            txn.left[txn.opCount - 1] = isAddition ? 1 : ABSENT;
            txn.setOwnWrite(cell, isAddition ? 1 : ABSENT);
            txn.done[txn.opCount - 1] = hasOutcome ? txn.done[txn.opCount - 1] : HistorySlice.NONE;
        }
    }

    /** Adds an operation that leaves a value if it is done. */
    private void change(OpenTxn txn, byte kind, int cell, long value, boolean isDone) {
        txn.add(kind, cell, OpKind.hasValue(kind) ? value : 0);
        txn.done[txn.opCount - 1] = isDone ? 1 : 0;
        if (isDone) {
            txn.left[txn.opCount - 1] = value;
            txn.setOwnWrite(cell, value);
        }
    }

    // ---------------------------------------------------------------- commits

    /** Returns whether another transaction has changed a cell of an operation since a transaction's start. */
    boolean isChanged(OpenTxn txn, int op) {
        if (txn.kind[op] != OpKind.READ_LIST) {
            return store.changedSince(txn.cell[op], txn.start);
        }
        int perKey = cellsPerKey();
        for (int i = 0; i < perKey; i++) {
            if (store.changedSince(txn.cell[op] + i, txn.start)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes the changes of a transaction visible, but one if a fault is due.
     *
     * @param row number of the row that the transaction becomes
     */
    void install(OpenTxn txn, long commit, long oldestSnapshot, long row) {
        int lost = faultsLeft > 0 && row > nextFault ? lostOp(txn) : -1;
        if (lost >= 0) {
            faultsLeft--;
            nextFault = row + distance;
            planted.add(new PlantedFault(
                    requireNonNull(fault),
                    List.of(row),
                    Integer.toString(txn.cell[lost] / cellsPerKey()),
                    List.of(),
                    List.of()));
        }
        for (int op = 0; op < txn.opCount; op++) {
            if (txn.left[op] != OpenTxn.NO_WRITE && (lost < 0 || txn.cell[op] != txn.cell[lost])) {
                store.install(txn.cell[op], txn.left[op], commit, oldestSnapshot);
            }
        }
    }

    private int cellsPerKey() {
        return !workload.equals("sets") ? 1 : values == GeneratorOptions.UNIQUE ? DEFAULT_ELEMENTS : values;
    }

    /** Returns an operation whose effect the fault loses, or -1. */
    private int lostOp(OpenTxn txn) {
        for (int op = 0; op < txn.opCount; op++) {
            boolean isIt = txn.left[op] != OpenTxn.NO_WRITE
                    && switch (requireNonNull(fault)) {
                        case LOST_INCREMENT -> txn.kind[op] == OpKind.INCREMENT;
                        case DOUBLE_CAS -> txn.kind[op] == OpKind.CAS;
                        case RESURRECTED_ROW -> txn.kind[op] == OpKind.DELETE_PRESENT;
                        default -> txn.kind[op] == OpKind.REMOVE && store.latestState(txn.cell[op]) == 1;
                    };
            if (isIt) {
                return op;
            }
        }
        return -1;
    }
}
