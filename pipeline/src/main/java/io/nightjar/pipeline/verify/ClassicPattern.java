package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.verify.OrderRules.Axiom;
import io.nightjar.pipeline.verify.SubHistory.Read;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Classic name of an anomaly among a few transactions. */
public final class ClassicPattern {

    public static final String NON_MONOTONIC_READ = "non-monotonic-read";
    public static final String NON_REPEATABLE_READ = "non-repeatable-read";
    public static final String FRACTURED_READ = "fractured-read";
    public static final String CAUSALITY_VIOLATION = "causality-violation";
    public static final String LONG_FORK = "long-fork";
    public static final String READ_SKEW = "read-skew";
    public static final String LOST_UPDATE = "lost-update";
    public static final String WRITE_SKEW = "write-skew";

    private static final int MAX_TXNS = 40;

    private final BooleanSupplier isTimeOver;

    private ClassicPattern(BooleanSupplier isTimeOver) {
        this.isTimeOver = isTimeOver;
    }

    /**
     * Returns the name for transactions that rule a level out, by the weakest of the six levels that they rule out;
     * null if no name fits.
     *
     * @param isTimeOver whether to stop without a name, queried by long searches only
     */
    public static @Nullable String of(SubHistory history, BooleanSupplier isTimeOver) {
        return history.txnCount > MAX_TXNS ? null : new ClassicPattern(isTimeOver).nameOf(history);
    }

    private @Nullable String nameOf(SubHistory history) {
        if (history.observations.stream()
                .anyMatch(observation -> observation.writers().isEmpty())) {
            return null;
        }
        if (rulesOut(history, Axiom.READ_COMMITTED, true)) {
            return isCircular(history) ? null : NON_MONOTONIC_READ;
        }
        if (rulesOut(history, Axiom.READ_ATOMIC, true)) {
            if (readsOneKeyTwice(history)) {
                return NON_REPEATABLE_READ;
            }
            return rulesOut(history, Axiom.READ_ATOMIC, false) ? FRACTURED_READ : CAUSALITY_VIOLATION;
        }
        if (rulesOut(history, Axiom.CAUSAL, true)) {
            return CAUSALITY_VIOLATION;
        }
        if (rulesOut(history, Axiom.PREFIX, true)) {
            return hasFork(history) ? LONG_FORK : READ_SKEW;
        }
        if (rulesOut(history, Axiom.SNAPSHOT, true)) {
            return hasLostUpdate(history) ? LOST_UPDATE : null;
        }
        if (rulesOut(history, Axiom.SERIAL, true)) {
            return hasSkew(history) ? WRITE_SKEW : null;
        }
        return null;
    }

    /** Returns the name for a dependency cycle, by the types and keys of its edges; null if no name fits. */
    public static @Nullable String ofCycle(List<Edge> cycle) {
        List<Edge> overwrites = new ArrayList<>();
        boolean isOfDependencies = true;
        for (Edge edge : cycle) {
            if (edge.type() == EdgeType.RW) {
                overwrites.add(edge);
            }
            isOfDependencies &= edge.type() != EdgeType.SO && edge.type() != EdgeType.RT;
        }
        if (!isOfDependencies) {
            return null;
        }
        boolean isPair = cycle.size() == 2;
        if (overwrites.size() == 1) {
            if (!isPair) {
                return READ_SKEW;
            }
            Edge other = cycle.get(0) == overwrites.get(0) ? cycle.get(1) : cycle.get(0);
            if (other.type() == EdgeType.WR) {
                return FRACTURED_READ;
            }
            return Objects.equals(other.key(), overwrites.get(0).key()) ? LOST_UPDATE : READ_SKEW;
        }
        if (overwrites.size() != 2) {
            return null;
        }
        if (isPair) {
            boolean isOnOneKey = Objects.equals(cycle.get(0).key(), cycle.get(1).key());
            return isOnOneKey ? LOST_UPDATE : WRITE_SKEW;
        }
        return CycleEdges.isContinuous(cycle, Axiom.SNAPSHOT) ? LONG_FORK : null;
    }

    private boolean rulesOut(SubHistory history, Axiom axiom, boolean keepsSessions) {
        OrderRules rules = new OrderRules(axiom, keepsSessions, false);
        return OrderSearch.decide(history, rules, isTimeOver) == OrderSearch.Answer.IMPOSSIBLE;
    }

    /** Returns whether session order, reads and known orders of versions alone already lead in a circle. */
    private static boolean isCircular(SubHistory history) {
        BeforeMatrix before = new BeforeMatrix(history.txnCount);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int other = 0; other < history.txnCount; other++) {
                if (history.precedesInSession(txn, other) || history.readsFrom(other, txn)) {
                    before.add(txn, other);
                }
            }
        }
        for (int[] writers : history.versionOrders) {
            for (int i = 1; i < writers.length; i++) {
                if (writers[i - 1] != writers[i]) {
                    before.add(writers[i - 1], writers[i]);
                }
            }
        }
        return before.isCyclic();
    }

    private static boolean readsOneKeyTwice(SubHistory history) {
        Map<List<Integer>, Integer> writerOf = new HashMap<>(); // by reader and key
        for (Read read : history.reads) {
            if (read.key() != SubHistory.NO_KEY) {
                Integer earlier = writerOf.putIfAbsent(List.of(read.reader(), read.key()), read.writer());
                if (earlier != null && earlier != read.writer()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether two readers each see a write that the other misses. */
    private static boolean hasFork(SubHistory history) {
        BitSet[] seenBy = new BitSet[history.txnCount];
        BitSet[] missedBy = new BitSet[history.txnCount];
        for (int txn = 0; txn < history.txnCount; txn++) {
            seenBy[txn] = new BitSet();
            missedBy[txn] = new BitSet();
        }
        for (Read read : history.reads) {
            if (read.writer() != SubHistory.INITIAL) {
                seenBy[read.reader()].set(read.writer());
            }
            for (int writer = 0; writer < history.txnCount; writer++) {
                if (misses(history, read, writer)) {
                    missedBy[read.reader()].set(writer);
                }
            }
        }
        for (int reader = 0; reader < history.txnCount; reader++) {
            for (int other = 0; other < history.txnCount; other++) {
                if (reader != other
                        && seenBy[reader].intersects(missedBy[other])
                        && seenBy[other].intersects(missedBy[reader])) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean misses(SubHistory history, Read read, int writer) {
        return read.writer() != writer && read.reader() != writer && history.writes(writer, read.key());
    }

    /** Returns whether one read a key and writes it, and another write of the key came between. */
    private static boolean hasLostUpdate(SubHistory history) {
        for (Read read : history.reads) {
            for (int writer = 0; writer < history.txnCount; writer++) {
                if (history.writes(read.reader(), read.key()) && misses(history, read, writer)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether two transactions each read a version that the other overwrites, on different keys. */
    private static boolean hasSkew(SubHistory history) {
        Map<List<Integer>, int[]> missedKeys =
                new HashMap<>(); // the first two, by reader and the writer that it missed
        for (Read read : history.reads) {
            for (int writer = 0; writer < history.txnCount; writer++) {
                if (misses(history, read, writer)) {
                    int key = read.key();
                    int[] keys =
                            missedKeys.computeIfAbsent(List.of(read.reader(), writer), absent -> new int[] {key, key});
                    keys[1] = keys[0] == keys[1] ? key : keys[1];
                }
            }
        }
        for (Map.Entry<List<Integer>, int[]> missed : missedKeys.entrySet()) {
            List<Integer> pair = missed.getKey();
            int[] ofOther = missedKeys.get(List.of(pair.get(1), pair.get(0)));
            boolean isOnOneKey = ofOther != null
                    && missed.getValue()[0] == missed.getValue()[1]
                    && ofOther[0] == ofOther[1]
                    && missed.getValue()[0] == ofOther[0];
            if (ofOther != null && !isOnOneKey) {
                return true;
            }
        }
        return false;
    }
}
