package io.nightjar.formats.level;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the level of Biswas and Enea that the edges of a cycle rule out, if the type of the anomaly alone is less
 * precise.
 */
public final class CycleShape {

    /*
     * Definitions. co is the commit order, and every ww and rw edge certainly follows it (see LevelLattice). wr, so and
     * ww are subsets of co. An edge t3 -rw-> t2 means: t3 read x from some t1, and t2 wrote x with t1 co t2.
     *
     * Algorithm. If t2 precedes t3 in the sense of an axiom, the axiom requires t2 co t1, a contradiction. So:
     *
     *   no rw                               the cycle is in co                                          read-committed
     *   t2 -wr|so-> t3 -rw-> t2             t2 (so u wr) t3                                             read-atomic
     *   one rw, else wr and so only         t2 (so u wr)+ t3                                            causal
     *   each rw right after a wr or so      t4 (so u wr) t3 -rw-> t2: t2 co* t4 is false, so t4 co t2   prefix
     *   no rw right after another           the same with t4 -ww-> t3, two writers of one key           snapshot-isolation
     *   any                                 t3 -rw-> t2: t2 co t3 is false, so t3 co t2                 serializable
     *
     * The last three replace rw edges by edges of co until the whole cycle is in co.
     */

    private static final Set<EdgeEvidence> CERTAIN =
            EnumSet.of(EdgeEvidence.LIST, EdgeEvidence.VALUE, EdgeEvidence.VERSION);

    private CycleShape() {}

    /**
     * Returns the weakest level if some version orders may be assumed: the six levels depend on no order that sessions,
     * client times or timestamps suggest for single keys.
     *
     * @param evidence the evidence of each edge
     * @return null also if a ww or rw edge depends on such an order
     */
    public static @Nullable IsolationLevel weakestRuledOut(List<EdgeType> edgeTypes, List<EdgeEvidence> evidence) {
        for (int i = 0; i < edgeTypes.size(); i++) {
            boolean followsVersions = edgeTypes.get(i) == EdgeType.WW || edgeTypes.get(i) == EdgeType.RW;
            if (followsVersions && !CERTAIN.contains(evidence.get(i))) {
                return null;
            }
        }
        return weakestRuledOut(edgeTypes);
    }

    /**
     * Returns the weakest of the six levels that the cycle rules out.
     *
     * @param edgeTypes in the order of the cycle
     * @return null if the cycle needs real time, which the six levels do not use
     */
    public static @Nullable IsolationLevel weakestRuledOut(List<EdgeType> edgeTypes) {
        int antiDependencies = 0;
        int overwrites = 0;
        boolean followsOverwrite = false;
        boolean followsAntiDependency = false;
        for (int i = 0; i < edgeTypes.size(); i++) {
            EdgeType before = edgeTypes.get((i == 0 ? edgeTypes.size() : i) - 1);
            switch (edgeTypes.get(i)) {
                case RW -> {
                    antiDependencies++;
                    followsOverwrite |= before == EdgeType.WW;
                    followsAntiDependency |= before == EdgeType.RW;
                }
                case WW -> overwrites++;
                case WR, SO -> {}
                case RT, TS -> {
                    return null;
                }
            }
        }
        if (antiDependencies == 0) {
            return IsolationLevel.READ_COMMITTED;
        }
        if (followsAntiDependency) {
            return IsolationLevel.SERIALIZABLE;
        }
        if (followsOverwrite) {
            return IsolationLevel.SNAPSHOT_ISOLATION;
        }
        if (antiDependencies > 1 || overwrites > 0) {
            return IsolationLevel.PREFIX;
        }
        return edgeTypes.size() == 2 ? IsolationLevel.READ_ATOMIC : IsolationLevel.CAUSAL;
    }
}
