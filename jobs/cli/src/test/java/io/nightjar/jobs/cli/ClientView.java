package io.nightjar.jobs.cli;

import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brute-force search for an execution of a level in which each statement of each committed transaction has the observed
 * result.
 */
final class ClientView {

    /*
     * Definitions. A row is a number or ABSENT. A step is a statement and its observed result: a row, rows, or a count.
     * A transaction observes, for each row that it has not written, a base; its own writes replace the base.
     *
     * Algorithm. At ser transactions are executed one after the other. At si and pc, a transaction is executed on the
     * state at its start event, and its writes are applied at its commit event; at si a row that it wrote has not been
     * written by others in between. At rc, ra and cc, transactions are appended to a commit order one by one. Each read
     * of a row by a step selects a source among the earlier writers and the initial state. No visible writer of the row
     * is later than the source: at rc visible are the sources of the steps before, at ra all sources and the session's
     * transactions, at cc also the transactions visible to these. All orders and sources are tried.
     */

    static final int ABSENT = -1;

    private static final int UNWRITTEN = -2;
    private static final int INITIAL = -1;

    enum Kind {
        SELECT_KEY,
        SELECT_RANGE,
        INSERT,
        UPDATE_KEY,
        ADD_KEY,
        DELETE_KEY,
        UPDATE_RANGE,
        DELETE_RANGE,
        SAVEPOINT,
        ROLLBACK_TO
    }

    /** @param bound smallest value of the rows of a range */
    record Step(Kind kind, int key, int value, int bound, String result) {}

    record Txn(int session, List<Step> steps) {}

    /** A transaction that was appended to a commit order. */
    private record Placed(Txn txn, int[] written, boolean[] visible) {}

    private final IsolationLevel level;
    private final int[] initial;
    private final List<List<Txn>> txnsOf = new ArrayList<>();
    private final int txnCount;
    private final int[] next; // per session, its first transaction that has not started

    ClientView(IsolationLevel level, int[] initial, List<Txn> committed, int sessions) {
        this.level = level;
        this.initial = initial;
        for (int session = 0; session < sessions; session++) {
            txnsOf.add(new ArrayList<>());
        }
        committed.forEach(txn -> txnsOf.get(txn.session()).add(txn));
        this.txnCount = committed.size();
        this.next = new int[sessions];
    }

    boolean isExplained() {
        return switch (level) {
            case SERIALIZABLE -> appendSerial(initial, 0);
            case SNAPSHOT_ISOLATION, PREFIX -> advance(initial, new int[initial.length], new Running[txnsOf.size()], 0);
            default -> appendPlaced(new ArrayList<>());
        };
    }

    // ---------------------------------------------------------------- statements

    /** Executes a step: returns its result, and updates the transaction's writes. */
    private static String execute(Step step, int[] base, int[] written, List<int[]> savepoints) {
        int count = 0;
        switch (step.kind()) {
            case SAVEPOINT -> savepoints.add(written.clone());
            case ROLLBACK_TO -> {
                int[] saved = savepoints.get(savepoints.size() - 1);
                System.arraycopy(saved, 0, written, 0, saved.length);
            }
            case SELECT_KEY -> {
                return "" + row(step.key(), base, written);
            }
            case SELECT_RANGE -> {
                StringBuilder rows = new StringBuilder();
                for (int key = 0; key < base.length; key++) {
                    if (row(key, base, written) >= step.bound()) {
                        rows.append(key)
                                .append('=')
                                .append(row(key, base, written))
                                .append(' ');
                    }
                }
                return rows.toString();
            }
            case INSERT -> {
                if (row(step.key(), base, written) == ABSENT) {
                    written[step.key()] = step.value();
                    count++;
                }
            }
            case UPDATE_KEY, ADD_KEY, DELETE_KEY -> {
                int before = row(step.key(), base, written);
                if (before != ABSENT) {
                    written[step.key()] = after(step, before);
                    count++;
                }
            }
            case UPDATE_RANGE, DELETE_RANGE -> {
                for (int key = 0; key < base.length; key++) {
                    if (row(key, base, written) >= step.bound()) {
                        written[key] = after(step, row(key, base, written));
                        count++;
                    }
                }
            }
        }
        return "" + count;
    }

    private static int row(int key, int[] base, int[] written) {
        return written[key] == UNWRITTEN ? base[key] : written[key];
    }

    private static int after(Step step, int before) {
        return switch (step.kind()) {
            case ADD_KEY -> before + step.value();
            case DELETE_KEY, DELETE_RANGE -> ABSENT;
            default -> step.value();
        };
    }

    /** Executes a transaction on a snapshot; returns its writes, null if a result is another one than was observed. */
    private static int[] writesOf(Txn txn, int[] snapshot) {
        int[] written = new int[snapshot.length];
        Arrays.fill(written, UNWRITTEN);
        List<int[]> savepoints = new ArrayList<>();
        for (Step step : txn.steps()) {
            if (!execute(step, snapshot, written, savepoints).equals(step.result())) {
                return null;
            }
        }
        return written;
    }

    private static int[] applied(int[] state, int[] written) {
        int[] after = state.clone();
        for (int key = 0; key < after.length; key++) {
            after[key] = row(key, state, written);
        }
        return after;
    }

    // ---------------------------------------------------------------- ser, si, pc

    private boolean appendSerial(int[] state, int count) {
        if (count == txnCount) {
            return true;
        }
        for (int session = 0; session < next.length; session++) {
            if (next[session] < txnsOf.get(session).size()) {
                int[] written = writesOf(txnsOf.get(session).get(next[session]), state);
                next[session]++;
                boolean isExplained = written != null && appendSerial(applied(state, written), count + 1);
                next[session]--;
                if (isExplained) {
                    return true;
                }
            }
        }
        return false;
    }

    /** @param versions per row, number of its writes at the start */
    private record Running(int[] written, int[] versions) {}

    private boolean advance(int[] state, int[] versions, Running[] running, int count) {
        if (count == txnCount) {
            return true;
        }
        for (int session = 0; session < next.length; session++) {
            Running txn = running[session];
            boolean isExplained = false;
            if (txn != null && commits(txn, versions)) {
                int[] after = versions.clone();
                for (int key = 0; key < after.length; key++) {
                    after[key] += txn.written()[key] == UNWRITTEN ? 0 : 1;
                }
                running[session] = null;
                isExplained = advance(applied(state, txn.written()), after, running, count + 1);
                running[session] = txn;
            } else if (txn == null && next[session] < txnsOf.get(session).size()) {
                int[] written = writesOf(txnsOf.get(session).get(next[session]), state);
                if (written != null) {
                    next[session]++;
                    running[session] = new Running(written, versions);
                    isExplained = advance(state, versions, running, count);
                    running[session] = null;
                    next[session]--;
                }
            }
            if (isExplained) {
                return true;
            }
        }
        return false;
    }

    private boolean commits(Running txn, int[] versions) {
        for (int key = 0; level == IsolationLevel.SNAPSHOT_ISOLATION && key < versions.length; key++) {
            if (txn.written()[key] != UNWRITTEN && txn.versions()[key] != versions[key]) {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- rc, ra, cc

    private boolean appendPlaced(List<Placed> order) {
        if (order.size() == txnCount) {
            return true;
        }
        for (int session = 0; session < next.length; session++) {
            if (next[session] < txnsOf.get(session).size()) {
                Txn txn = txnsOf.get(session).get(next[session]);
                int[] written = new int[initial.length];
                Arrays.fill(written, UNWRITTEN);
                next[session]++;
                boolean isExplained =
                        select(new Sources(order, txn), 0, 0, new int[initial.length], written, List.of());
                next[session]--;
                if (isExplained) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Sources of the reads of a transaction: writers by their position in a commit order, and the number of reads of a
     * step.
     */
    private static final class Sources {

        private final List<Placed> order;
        private final Txn txn;
        private final List<int[]> reads = new ArrayList<>(); // step, row, source

        Sources(List<Placed> order, Txn txn) {
            this.order = order;
            this.txn = txn;
        }
    }

    /** Selects the source of the step's read of a row, then the sources of the following rows and steps. */
    private boolean select(Sources sources, int at, int key, int[] base, int[] written, List<int[]> savepoints) {
        if (at == sources.txn.steps().size()) {
            return areAllowed(sources) && append(sources, written);
        }
        Step step = sources.txn.steps().get(at);
        if (key == base.length) {
            int[] after = written.clone();
            List<int[]> saved = new ArrayList<>(savepoints);
            return execute(step, base, after, saved).equals(step.result())
                    && select(sources, at + 1, 0, new int[initial.length], after, saved);
        }
        boolean isOfRange = step.kind() == Kind.SELECT_RANGE
                || step.kind() == Kind.UPDATE_RANGE
                || step.kind() == Kind.DELETE_RANGE;
        boolean isRead = step.kind() != Kind.SAVEPOINT
                && step.kind() != Kind.ROLLBACK_TO
                && (isOfRange || key == step.key())
                && written[key] == UNWRITTEN;
        if (!isRead) {
            return select(sources, at, key + 1, base, written, savepoints);
        }
        for (int source = sources.order.size() - 1; source >= INITIAL; source--) {
            int value =
                    source == INITIAL ? initial[key] : sources.order.get(source).written()[key];
            if (value != UNWRITTEN) {
                base[key] = value;
                sources.reads.add(new int[] {at, key, source});
                boolean isExplained =
                        isOfStepAllowed(sources) && select(sources, at, key + 1, base.clone(), written, savepoints);
                sources.reads.remove(sources.reads.size() - 1);
                if (isExplained) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether no source of an earlier step wrote a later version than the last read has, as all levels require.
     */
    private static boolean isOfStepAllowed(Sources sources) {
        int[] last = sources.reads.get(sources.reads.size() - 1);
        for (int[] read : sources.reads) {
            boolean isVisible = read[0] < last[0] && read[2] > last[2];
            if (isVisible && sources.order.get(read[2]).written()[last[1]] != UNWRITTEN) {
                return false;
            }
        }
        return true;
    }

    private boolean areAllowed(Sources sources) {
        boolean[] visible = visible(sources);
        for (int[] read : sources.reads) {
            for (int writer = read[2] + 1;
                    level != IsolationLevel.READ_COMMITTED && writer < visible.length;
                    writer++) {
                if (visible[writer] && sources.order.get(writer).written()[read[1]] != UNWRITTEN) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean[] visible(Sources sources) {
        boolean[] visible = new boolean[sources.order.size()];
        for (int writer = 0; writer < visible.length; writer++) {
            visible[writer] = sources.order.get(writer).txn().session() == sources.txn.session();
        }
        for (int[] read : sources.reads) {
            if (read[2] != INITIAL) {
                visible[read[2]] = true;
            }
        }
        for (int writer = visible.length - 1; level == IsolationLevel.CAUSAL && writer >= 0; writer--) {
            for (int before = 0; visible[writer] && before < writer; before++) {
                visible[before] |= sources.order.get(writer).visible()[before];
            }
        }
        return visible;
    }

    private boolean append(Sources sources, int[] written) {
        List<Placed> order = new ArrayList<>(sources.order);
        order.add(new Placed(sources.txn, written, visible(sources)));
        return appendPlaced(order);
    }
}
