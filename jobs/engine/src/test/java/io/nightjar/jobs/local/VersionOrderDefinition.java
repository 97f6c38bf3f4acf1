package io.nightjar.jobs.local;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Levels without session order by their definition: for a small history of registers every order of the versions of
 * every key is tried, and each is searched for cycles of wr, ww and rw.
 */
final class VersionOrderDefinition {

    static final Set<IsolationLevel> DEFINED = EnumSet.of(
            IsolationLevel.PL_1,
            IsolationLevel.PL_2,
            IsolationLevel.CAUSAL_CERONE,
            IsolationLevel.CONSISTENT_VIEW,
            IsolationLevel.PL_2_99,
            IsolationLevel.PL_SI,
            IsolationLevel.PL_3);

    private static final int INITIAL = -1;

    private record Read(int reader, int writer, String key) {}

    private final List<Txn> txns = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final Map<String, List<Integer>> writersOf = new LinkedHashMap<>();
    private final Map<IsolationLevel, Boolean> holds = new EnumMap<>(IsolationLevel.class);
    private boolean isWellFormed = true;

    VersionOrderDefinition(SmallHistory history) {
        addCounted(history);
        for (int txn = 0; txn < txns.size(); txn++) {
            addWrites(txn);
        }
        for (int txn = 0; txn < txns.size(); txn++) {
            if (txns.get(txn).status() == TxnStatus.COMMITTED) { // reads of others are not checked
                addReads(txn, history.initialValue());
            }
        }
        if (isWellFormed) {
            DEFINED.forEach(level -> holds.put(level, false));
            tryOrders(new ArrayList<>(writersOf.keySet()), new LinkedHashMap<>());
        }
    }

    /**
     * Returns whether every read of another transaction returns the last write of a transaction that counts, or
     * nothing.
     */
    boolean isWellFormed() {
        return isWellFormed;
    }

    boolean holds(IsolationLevel level) {
        return holds.get(level);
    }

    // ---------------------------------------------------------------- the history

    /**
     * Adds committed transactions, and unknown transactions that a committed one read from, directly or through others.
     */
    private void addCounted(SmallHistory history) {
        Set<Txn> counted = new LinkedHashSet<>();
        history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                .forEach(counted::add);
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Txn txn : history.txns()) {
                boolean isRead = txn.status() == TxnStatus.UNKNOWN
                        && txn.ops().stream().anyMatch(op -> op.isWrite() && isReadBy(counted, op));
                grows |= isRead && counted.add(txn);
            }
        }
        txns.addAll(counted);
    }

    private static boolean isReadBy(Set<Txn> readers, Op write) {
        return readers.stream()
                .flatMap(txn -> txn.opsOn(write.key()).stream())
                .anyMatch(op -> op.isRead() && write.value().equals(op.value()));
    }

    private void addWrites(int txn) {
        Set<String> keys = new LinkedHashSet<>();
        txns.get(txn).ops().stream().filter(Op::isWrite).forEach(op -> keys.add(op.key()));
        keys.forEach(key ->
                writersOf.computeIfAbsent(key, unseen -> new ArrayList<>()).add(txn));
    }

    private void addReads(int txn, String initialValue) {
        Map<String, String> own = new LinkedHashMap<>();
        for (Op op : txns.get(txn).ops()) {
            if (op.isWrite()) {
                own.put(op.key(), op.value());
            } else if (own.containsKey(op.key())) {
                isWellFormed &= own.get(op.key()).equals(op.value());
            } else {
                boolean isInitial = op.value() == null || op.value().equals(initialValue);
                addRead(txn, op, isInitial);
            }
        }
    }

    private void addRead(int txn, Op read, boolean isInitial) {
        if (isInitial) {
            reads.add(new Read(txn, INITIAL, read.key()));
            return;
        }
        for (int writer : writersOf.getOrDefault(read.key(), List.of())) {
            List<Op> writes = txns.get(writer).opsOn(read.key()).stream()
                    .filter(Op::isWrite)
                    .toList();
            if (writer != txn && writes.get(writes.size() - 1).value().equals(read.value())) {
                reads.add(new Read(txn, writer, read.key()));
                return;
            }
        }
        isWellFormed = false;
    }

    // ---------------------------------------------------------------- orders of versions

    private void tryOrders(List<String> keysLeft, Map<String, List<Integer>> orderOf) {
        if (keysLeft.isEmpty()) {
            check(orderOf);
            return;
        }
        String key = keysLeft.get(0);
        permute(writersOf.get(key), new ArrayList<>(), order -> {
            orderOf.put(key, order);
            tryOrders(keysLeft.subList(1, keysLeft.size()), orderOf);
        });
    }

    private interface OrderTaker {
        void take(List<Integer> order);
    }

    private static void permute(List<Integer> all, List<Integer> begun, OrderTaker taker) {
        if (begun.size() == all.size()) {
            taker.take(List.copyOf(begun));
        }
        for (int one : all) {
            if (!begun.contains(one)) {
                begun.add(one);
                permute(all, begun, taker);
                begun.remove(begun.size() - 1);
            }
        }
    }

    private void check(Map<String, List<Integer>> orderOf) {
        int count = txns.size();
        boolean[][] ww = new boolean[count][count];
        boolean[][] wr = new boolean[count][count];
        boolean[][] rw = new boolean[count][count];
        orderOf.values().forEach(order -> {
            for (int older = 0; older < order.size(); older++) {
                for (int newer = older + 1; newer < order.size(); newer++) {
                    ww[order.get(older)][order.get(newer)] = true;
                }
            }
        });
        for (Read read : reads) {
            List<Integer> order = orderOf.getOrDefault(read.key(), List.of());
            for (int later = order.indexOf(read.writer()) + 1; later < order.size(); later++) {
                rw[read.reader()][order.get(later)] |= order.get(later) != read.reader();
            }
            if (read.writer() != INITIAL) {
                wr[read.writer()][read.reader()] = true;
            }
        }
        boolean[][] seen = union(ww, wr);
        allow(IsolationLevel.PL_1, isAcyclic(ww));
        allow(IsolationLevel.PL_2, isAcyclic(seen));
        allow(IsolationLevel.CAUSAL_CERONE, isAcyclic(seen) && readsAreNewestOf(closed(wr), orderOf));
        allow(IsolationLevel.CONSISTENT_VIEW, isAcyclic(seen) && isIrreflexive(composed(closed(seen), rw)));
        allow(IsolationLevel.PL_SI, isAcyclic(union(seen, composed(seen, rw))));
        allow(IsolationLevel.PL_2_99, isAcyclic(union(seen, rw)));
        allow(IsolationLevel.PL_3, isAcyclic(union(seen, rw)));
    }

    private void allow(IsolationLevel level, boolean isAllowed) {
        holds.merge(level, isAllowed, Boolean::logicalOr);
    }

    /** Returns whether no transaction reads a version although it observes a newer one. */
    private boolean readsAreNewestOf(boolean[][] sees, Map<String, List<Integer>> orderOf) {
        for (Read read : reads) {
            List<Integer> order = orderOf.getOrDefault(read.key(), List.of());
            for (int later = order.indexOf(read.writer()) + 1; later < order.size(); later++) {
                if (sees[order.get(later)][read.reader()]) {
                    return false;
                }
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- relations

    private static boolean[][] union(boolean[][] some, boolean[][] others) {
        boolean[][] all = new boolean[some.length][some.length];
        for (int from = 0; from < all.length; from++) {
            for (int to = 0; to < all.length; to++) {
                all[from][to] = some[from][to] || others[from][to];
            }
        }
        return all;
    }

    private static boolean[][] composed(boolean[][] first, boolean[][] second) {
        boolean[][] both = new boolean[first.length][first.length];
        for (int from = 0; from < both.length; from++) {
            for (int over = 0; over < both.length; over++) {
                for (int to = 0; to < both.length && first[from][over]; to++) {
                    both[from][to] |= second[over][to];
                }
            }
        }
        return both;
    }

    private static boolean[][] closed(boolean[][] relation) {
        boolean[][] all = relation;
        for (int round = 0; round < relation.length; round++) {
            all = union(all, composed(all, relation));
        }
        return all;
    }

    private static boolean isAcyclic(boolean[][] relation) {
        return isIrreflexive(closed(relation));
    }

    private static boolean isIrreflexive(boolean[][] relation) {
        for (int one = 0; one < relation.length; one++) {
            if (relation[one][one]) {
                return false;
            }
        }
        return true;
    }
}
