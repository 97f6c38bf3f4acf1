package io.nightjar.jobs.local;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The dependencies of a small history of committed transactions and distinct values, by their definitions, in the order
 * of versions that commit timestamps give.
 */
final class SmallDependencies {

    private static final Comparator<Txn> BY_COMMIT = Comparator.comparingLong(Txn::commit)
            .thenComparing(Txn::isReadOnly)
            .thenComparingLong(txn -> txn.isReadOnly() ? txn.session() : txn.id())
            .thenComparingLong(Txn::seq);

    private final List<Txn> txns;
    private final boolean[][] isEdge;
    private final long[] placeOf; // by transaction, as four times a time
    private final boolean[] isAtStart;

    private SmallDependencies(SmallHistory history) {
        txns = history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                .sorted(BY_COMMIT)
                .toList();
        isEdge = new boolean[txns.size()][txns.size()];
        placeOf = new long[txns.size()];
        isAtStart = new boolean[txns.size()];
        Map<String, List<Integer>> writersOf = new TreeMap<>();
        for (int txn = 0; txn < txns.size(); txn++) {
            for (String key : finalWrites(txns.get(txn)).keySet()) {
                writersOf.computeIfAbsent(key, absent -> new ArrayList<>()).add(txn);
            }
        }
        writersOf.values().forEach(writers -> {
            for (int next = 1; next < writers.size(); next++) {
                isEdge[writers.get(next - 1)][writers.get(next)] = true;
            }
        });
        for (int txn = 0; txn < txns.size(); txn++) {
            addReads(txn, writersOf);
            addSession(txn);
        }
    }

    /** Returns the number of pairs on a cycle whose dependency leads from the later place to the earlier one. */
    static long backwardEdges(SmallHistory history) {
        return new SmallDependencies(history).count();
    }

    private void addReads(int txn, Map<String, List<Integer>> writersOf) {
        Txn row = txns.get(txn);
        long missed = Long.MAX_VALUE;
        boolean isOfSnapshot = row.isReadOnly();
        Set<String> written = new TreeSet<>();
        for (Op op : row.ops()) {
            if (op.isWrite()) {
                written.add(op.key());
            }
            if (op.isWrite() || written.contains(op.key())) {
                continue;
            }
            List<Integer> writers = writersOf.getOrDefault(op.key(), List.of());
            int version = -1;
            for (int at = 0; at < writers.size(); at++) {
                if (finalWrites(txns.get(writers.get(at))).get(op.key()).equals(op.value())) {
                    version = at;
                }
            }
            if (version < 0 && op.value() != null) { // a fault
                for (int writer : writers) {
                    boolean isIntermediate = txns.get(writer).ops().stream()
                            .anyMatch(write -> write.isWrite()
                                    && write.key().equals(op.key())
                                    && write.value().equals(op.value()));
                    isEdge[writer][txn] |= isIntermediate && writer != txn;
                    isOfSnapshot &= !isIntermediate || txns.get(writer).commit() <= row.start();
                }
                continue;
            }
            if (version >= 0) {
                isEdge[writers.get(version)][txn] |= writers.get(version) != txn;
                isOfSnapshot &= txns.get(writers.get(version)).commit() <= row.start();
            }
            if (version + 1 < writers.size()) {
                long next = txns.get(writers.get(version + 1)).commit();
                isEdge[txn][writers.get(version + 1)] |= writers.get(version + 1) != txn;
                isOfSnapshot &= next > row.start();
                missed = next < row.commit() ? Math.min(missed, next) : missed;
            }
        }
        isAtStart[txn] = isOfSnapshot;
        placeOf[txn] =
                isOfSnapshot ? 4 * row.start() + 3 : missed < Long.MAX_VALUE ? 4 * missed + 1 : 4 * row.commit() + 2;
    }

    private void addSession(int txn) {
        Txn row = txns.get(txn);
        txns.stream()
                .filter(other -> other.session() == row.session() && other.seq() > row.seq())
                .min(Comparator.comparingLong(Txn::seq))
                .ifPresent(next -> isEdge[txn][txns.indexOf(next)] = true);
    }

    private static Map<String, String> finalWrites(Txn txn) {
        Map<String, String> written = new TreeMap<>();
        txn.ops().stream().filter(Op::isWrite).forEach(op -> written.put(op.key(), op.value()));
        return written;
    }

    private boolean isBefore(int txn, int other) {
        if (placeOf[txn] != placeOf[other]) {
            return placeOf[txn] < placeOf[other];
        }
        Comparator<Txn> bySession = Comparator.comparingLong(Txn::session).thenComparingLong(Txn::seq);
        return isAtStart[txn] ? bySession.compare(txns.get(txn), txns.get(other)) < 0 : txn < other;
    }

    private long count() {
        boolean[][] isReachable = new boolean[txns.size()][];
        for (int txn = 0; txn < txns.size(); txn++) {
            isReachable[txn] = isEdge[txn].clone();
        }
        for (int via = 0; via < txns.size(); via++) {
            for (int from = 0; from < txns.size(); from++) {
                for (int to = 0; to < txns.size(); to++) {
                    isReachable[from][to] |= isReachable[from][via] && isReachable[via][to];
                }
            }
        }
        long count = 0;
        for (int from = 0; from < txns.size(); from++) {
            for (int to = 0; to < txns.size(); to++) {
                count += isEdge[from][to] && isReachable[to][from] && isBefore(to, from) ? 1 : 0;
            }
        }
        return count;
    }
}
