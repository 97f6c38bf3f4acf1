package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Depth-first search of all orders of snapshots and commits in which each result of a small history is right.
 *
 * @param <V> value of a key
 * @param <O> operation
 */
record SmallOrders<V, O extends SmallOrders.Operation<V, O>>(
        List<Txn<O>> txns, boolean hasSnapshots, boolean forbidsOverlap, boolean keepsRealTime, Set<String> failed) {

    /** An operation with its result. */
    interface Operation<V, O> {

        /** Returns whether the result is right in a state. */
        boolean fits(Map<Integer, V> state);

        void apply(Map<Integer, V> state);

        /** Returns whether transactions with these operations may not overlap at snapshot isolation. */
        boolean conflictsWith(O other);
    }

    record Txn<O>(long id, int session, int seq, long invoke, long complete, List<O> ops) {}

    private SmallOrders(List<Txn<O>> txns, boolean hasSnapshots, boolean forbidsOverlap, boolean keepsRealTime) {
        this(txns, hasSnapshots, forbidsOverlap, keepsRealTime, new HashSet<>());
    }

    /** Returns, by level, whether the history satisfies its definition. */
    static <V, O extends Operation<V, O>> Map<IsolationLevel, Boolean> defined(List<Txn<O>> txns) {
        Map<IsolationLevel, Boolean> defined = new EnumMap<>(IsolationLevel.class);
        defined.put(IsolationLevel.PREFIX, new SmallOrders<>(txns, true, false, false).exists());
        defined.put(IsolationLevel.SNAPSHOT_ISOLATION, new SmallOrders<>(txns, true, true, false).exists());
        defined.put(IsolationLevel.SERIALIZABLE, new SmallOrders<>(txns, false, true, false).exists());
        defined.put(IsolationLevel.STRICT_SERIALIZABLE, new SmallOrders<>(txns, false, true, true).exists());
        return defined;
    }

    /** Returns the part of a history that is still wrong if fewer transactions and operations are not. */
    static <O> List<Txn<O>> shrunk(List<Txn<O>> txns, Predicate<List<Txn<O>>> isWrong) {
        for (int i = 0; i < txns.size(); i++) {
            List<Txn<O>> fewer = new ArrayList<>(txns);
            Txn<O> txn = fewer.remove(i);
            if (isWrong.test(fewer)) {
                return shrunk(fewer, isWrong);
            }
            for (int op = 0; op < txn.ops.size(); op++) {
                List<O> ops = new ArrayList<>(txn.ops);
                ops.remove(op);
                List<Txn<O>> changed = new ArrayList<>(txns);
                changed.set(i, new Txn<>(txn.id, txn.session, txn.seq, txn.invoke, txn.complete, ops));
                if (isWrong.test(changed)) {
                    return shrunk(changed, isWrong);
                }
            }
        }
        return txns;
    }

    private boolean exists() {
        return exists(new int[txns.size()], new TreeMap<>());
    }

    /** @param stage by transaction: 0 before its snapshot, 1 before its commit, 2 after it */
    private boolean exists(int[] stage, Map<Integer, V> state) {
        if (Arrays.stream(stage).allMatch(of -> of == 2)) {
            return true;
        }
        if (!failed.add(Arrays.toString(stage) + state)) {
            return false;
        }
        for (int i = 0; i < stage.length; i++) {
            int[] next = stage.clone();
            if (stage[i] == 0 && mayBegin(i, stage) && isRight(txns.get(i), state)) {
                next[i] = hasSnapshots ? 1 : 2;
            } else if (stage[i] == 1) {
                next[i] = 2;
            } else {
                continue;
            }
            Map<Integer, V> left = new TreeMap<>(state);
            if (next[i] == 2) {
                txns.get(i).ops.forEach(op -> op.apply(left));
            }
            if (exists(next, left)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayBegin(int txn, int[] stage) {
        for (int other = 0; other < stage.length; other++) {
            Txn<O> a = txns.get(other);
            Txn<O> b = txns.get(txn);
            boolean isBefore = a.session == b.session && a.seq < b.seq || keepsRealTime && a.complete < b.invoke;
            boolean conflicts = forbidsOverlap
                    && stage[other] == 1
                    && a.ops.stream().anyMatch(x -> b.ops.stream().anyMatch(x::conflictsWith));
            if (isBefore && stage[other] < 2 || conflicts) {
                return false;
            }
        }
        return true;
    }

    private boolean isRight(Txn<O> txn, Map<Integer, V> state) {
        Map<Integer, V> seen = new TreeMap<>(state);
        for (O op : txn.ops) {
            if (!op.fits(seen)) {
                return false;
            }
            op.apply(seen);
        }
        return true;
    }
}
