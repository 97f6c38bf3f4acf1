package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random histories with a commit order: no cycle rules out a level whose axioms the order satisfies. */
class CycleShapePropertyTest {

    /*
     * Definitions. Transactions are numbered in commit order, so that so and wr lead from smaller numbers to larger
     * ones. The axioms are the literal axioms of Biswas and Enea: for t3 that reads x from t1, and any other t2 that
     * writes x and is in the level's relation to t3, t2 must precede t1. Versions are ordered as their writers commit.
     */

    private static final int HISTORIES = 4_000;
    private static final int KEYS = 3;
    private static final int INITIAL = -1;
    private static final int NO_READ = -2;

    private static final List<IsolationLevel> LEVELS = List.of(
            IsolationLevel.READ_ATOMIC,
            IsolationLevel.CAUSAL,
            IsolationLevel.PREFIX,
            IsolationLevel.SNAPSHOT_ISOLATION,
            IsolationLevel.SERIALIZABLE);

    @Test
    void noCycleRulesOutALevelThatHolds() {
        long seed = Long.getLong("nightjar.seed", 20261120L);
        Random random = new Random(seed);
        Map<IsolationLevel, Integer> ruledOut = new EnumMap<>(IsolationLevel.class);
        for (int i = 0; i < HISTORIES; i++) {
            History history = new History(random);
            Set<IsolationLevel> shapes = EnumSet.noneOf(IsolationLevel.class);
            history.collectCycles(shapes);
            for (IsolationLevel level : LEVELS) {
                for (IsolationLevel shape : shapes) {
                    boolean isRuledOut = LevelLattice.implies(level, shape);
                    assertThat(isRuledOut && history.holds(level))
                            .as("seed=%d history=%d level=%s shape=%s", seed, i, level, shape)
                            .isFalse();
                }
            }
            shapes.forEach(shape -> ruledOut.merge(shape, 1, Integer::sum));
        }
        assertThat(ruledOut.keySet()).as("seed=" + seed).containsAll(LEVELS);
    }

    private static final class History {

        final int txnCount;
        final int[] sessionOf;
        final boolean[][] writes;
        final int[][] readFrom;
        final boolean[][] sees;

        History(Random random) {
            txnCount = 2 + random.nextInt(4);
            sessionOf = new int[txnCount];
            writes = new boolean[txnCount][KEYS];
            readFrom = new int[txnCount][KEYS];
            sees = new boolean[txnCount][txnCount];
            for (int txn = 0; txn < txnCount; txn++) {
                sessionOf[txn] = random.nextInt(4);
                for (int key = 0; key < KEYS; key++) {
                    writes[txn][key] = random.nextInt(5) < 2;
                    readFrom[txn][key] = random.nextInt(5) < 2 ? writerBefore(txn, key, random) : NO_READ;
                }
                for (int earlier = 0; earlier < txn; earlier++) {
                    sees[earlier][txn] = isSessionOrder(earlier, txn) || isRead(earlier, txn);
                }
            }
        }

        private int writerBefore(int txn, int key, Random random) {
            int writer = random.nextInt(txn + 1) - 1;
            return writer == INITIAL || writes[writer][key] ? writer : INITIAL;
        }

        private boolean isSessionOrder(int one, int other) {
            return one < other && sessionOf[one] == sessionOf[other];
        }

        private boolean isRead(int writer, int reader) {
            for (int key = 0; key < KEYS; key++) {
                if (readFrom[reader][key] == writer) {
                    return true;
                }
            }
            return false;
        }

        boolean holds(IsolationLevel level) {
            for (int t3 = 0; t3 < txnCount; t3++) {
                for (int key = 0; key < KEYS; key++) {
                    int t1 = readFrom[t3][key];
                    for (int t2 = 0; t2 < txnCount && t1 != NO_READ; t2++) {
                        boolean isOther = t2 != t1 && t2 != t3 && writes[t2][key];
                        if (isOther && mustPrecede(level, t2, t3) && t2 > t1) {
                            return false;
                        }
                    }
                }
            }
            return true;
        }

        private boolean mustPrecede(IsolationLevel level, int t2, int t3) {
            return switch (level) {
                case READ_ATOMIC -> sees[t2][t3];
                case CAUSAL -> isSeenThrough(t2, t3);
                case PREFIX -> isBeforeSomeSeen(t2, t3);
                case SNAPSHOT_ISOLATION -> isBeforeSomeSeen(t2, t3) || isBeforeSomeConflict(t2, t3);
                case SERIALIZABLE -> t2 < t3;
                default -> throw new AssertionError("cannot happen: level=" + level);
            };
        }

        private boolean isSeenThrough(int t2, int t3) {
            for (int via = t2 + 1; via < t3; via++) {
                if (sees[t2][via] && isSeenThrough(via, t3)) {
                    return true;
                }
            }
            return sees[t2][t3];
        }

        private boolean isBeforeSomeSeen(int t2, int t3) {
            for (int t4 = t2; t4 < txnCount; t4++) {
                if (sees[t4][t3]) {
                    return true;
                }
            }
            return false;
        }

        private boolean isBeforeSomeConflict(int t2, int t3) {
            for (int t4 = t2; t4 < t3; t4++) {
                for (int key = 0; key < KEYS; key++) {
                    if (writes[t4][key] && writes[t3][key]) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Collects the levels that the shapes of its simple cycles rule out. */
        void collectCycles(Set<IsolationLevel> shapes) {
            for (int start = 0; start < txnCount; start++) {
                extend(start, start, new boolean[txnCount], new ArrayList<>(), shapes);
            }
        }

        private void extend(int start, int at, boolean[] visited, List<EdgeType> types, Set<IsolationLevel> shapes) {
            visited[at] = true;
            for (int next = start; next < txnCount; next++) {
                for (EdgeType type : edges(at, next)) {
                    types.add(type);
                    if (next == start) {
                        shapes.add(CycleShape.weakestRuledOut(types));
                    } else if (!visited[next]) {
                        extend(start, next, visited, types, shapes);
                    }
                    types.remove(types.size() - 1);
                }
            }
            visited[at] = false;
        }

        private Set<EdgeType> edges(int from, int to) {
            Set<EdgeType> types = new TreeSet<>();
            if (from == to) {
                return types;
            }
            if (isSessionOrder(from, to)) {
                types.add(EdgeType.SO);
            }
            if (isRead(from, to)) {
                types.add(EdgeType.WR);
            }
            for (int key = 0; key < KEYS; key++) {
                if (from < to && writes[from][key] && writes[to][key]) {
                    types.add(EdgeType.WW);
                }
                int read = readFrom[from][key];
                if (read != NO_READ && writes[to][key] && read < to) {
                    types.add(EdgeType.RW);
                }
            }
            return types;
        }
    }
}
