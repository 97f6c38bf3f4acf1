package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RT;
import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;
import static io.nightjar.pipeline.infer.DependencyGraph.WR;
import static io.nightjar.pipeline.infer.DependencyGraph.WW;

import io.nightjar.formats.level.Anomaly;

/**
 * Table of the conditions under which a cycle is one of Adya's anomalies.
 *
 * <p>Rows are ordered by decreasing gravity: first plain anomalies, then anomalies with session order, then with real
 * time.
 */
enum CycleRule {
    G0(Anomaly.G0, Base.OVERWRITES, 0, 0),
    G1C(Anomaly.G1C, Base.FLOWS, 0, 0),
    G_SINGLE(Anomaly.G_SINGLE_ITEM, Base.MISSES_ONE, 0, 0),
    G_NONADJACENT(Anomaly.G_NONADJACENT_ITEM, Base.MISSES_APART, 0, 0),
    G2(Anomaly.G2_ITEM, Base.MISSES_IN_A_ROW, 0, 0),
    G0_PROCESS(Anomaly.G0_PROCESS, Base.OVERWRITES, SO, SO),
    G1C_PROCESS(Anomaly.G1C_PROCESS, Base.FLOWS, SO, SO),
    G_SINGLE_PROCESS(Anomaly.G_SINGLE_ITEM_PROCESS, Base.MISSES_ONE, SO, SO),
    G_NONADJACENT_PROCESS(Anomaly.G_NONADJACENT_ITEM_PROCESS, Base.MISSES_APART, SO, SO),
    G2_PROCESS(Anomaly.G2_ITEM_PROCESS, Base.MISSES_IN_A_ROW, SO, SO),
    G0_REALTIME(Anomaly.G0_REALTIME, Base.OVERWRITES, SO | RT, RT),
    G1C_REALTIME(Anomaly.G1C_REALTIME, Base.FLOWS, SO | RT, RT),
    G_SINGLE_REALTIME(Anomaly.G_SINGLE_ITEM_REALTIME, Base.MISSES_ONE, SO | RT, RT),
    G_NONADJACENT_REALTIME(Anomaly.G_NONADJACENT_ITEM_REALTIME, Base.MISSES_APART, SO | RT, RT),
    G2_REALTIME(Anomaly.G2_ITEM_REALTIME, Base.MISSES_IN_A_ROW, SO | RT, RT);

    /** Dependencies that a cycle consists of, apart from the added orders. */
    enum Base {
        /** Only ww. */
        OVERWRITES(WW, WW, false, false, 2, 2),
        /** A wr, else ww and wr. */
        FLOWS(WR, WW | WR, false, false, 2, 2),
        /** One rw, else ww and wr. */
        MISSES_ONE(RW, WW | WR, false, false, 2, 2),
        /** Several rw, no two of them next to each other. */
        MISSES_APART(RW, WW | WR | RW, true, false, 4, 4),
        /** Several rw, two of them next to each other. */
        MISSES_IN_A_ROW(RW, WW | WR | RW, false, true, 2, 3);

        /** The kind of edge that every such cycle has, and that the search begins with. */
        final int first;

        /** The kinds that may follow. */
        final int allowed;

        /** Whether another rw must follow, and no two may be neighbours. */
        final boolean isApart;

        /** Whether a second rw follows the first at once. */
        final boolean isInARow;

        /** No such cycle has fewer edges. */
        final int shortest;

        /** No such cycle has fewer edges if one of them is an order's. */
        final int shortestWithOrder;

        Base(int first, int allowed, boolean isApart, boolean isInARow, int shortest, int shortestWithOrder) {
            this.first = first;
            this.allowed = allowed;
            this.isApart = isApart;
            this.isInARow = isInARow;
            this.shortest = shortest;
            this.shortestWithOrder = shortestWithOrder;
        }

        /** Returns the kinds of edges that such cycles may have. */
        int kinds() {
            return first | allowed;
        }

        /** Returns whether every such cycle has rw edges. */
        boolean hasMisses() {
            return first == RW;
        }

        /** Returns whether rw edges that follow each other at once are of no use. */
        boolean keepsApart() {
            return this == MISSES_ONE || isApart;
        }
    }

    final Anomaly anomaly;
    final Base base;

    /** Kinds of order allowed in addition to the kinds of the base. */
    final int orders;

    /** A kind of order that must occur, or none. */
    final int required;

    CycleRule(Anomaly anomaly, Base base, int orders, int required) {
        this.anomaly = anomaly;
        this.base = base;
        this.orders = orders;
        this.required = required;
    }

    int kinds() {
        return base.kinds() | orders;
    }

    int shortest() {
        return required == 0 ? base.shortest : base.shortestWithOrder;
    }

    /** Returns the rule of an anomaly. */
    static CycleRule of(Anomaly anomaly) {
        for (CycleRule rule : values()) {
            if (rule.anomaly == anomaly) {
                return rule;
            }
        }
        throw new AssertionError("bug: no rule for an anomaly: anomaly=" + anomaly);
    }

    /** Returns the rule that a cycle of edges of these kinds, one after another, fulfils. */
    static CycleRule of(byte[] kinds) {
        int seen = 0;
        int misses = 0;
        boolean inARow = false;
        for (int i = 0; i < kinds.length; i++) {
            seen |= kinds[i];
            misses += kinds[i] == RW ? 1 : 0;
            inARow |= kinds[i] == RW && kinds[(i + 1) % kinds.length] == RW;
        }
        Base base = misses == 1
                ? Base.MISSES_ONE
                : misses > 1
                        ? inARow ? Base.MISSES_IN_A_ROW : Base.MISSES_APART
                        : (seen & WR) != 0 ? Base.FLOWS : Base.OVERWRITES;
        int order = (seen & RT) != 0 ? RT : seen & SO;
        for (CycleRule rule : values()) {
            if (rule.base == base && rule.required == order) {
                return rule;
            }
        }
        throw new AssertionError("bug: no rule for a cycle: kinds=" + seen);
    }
}
