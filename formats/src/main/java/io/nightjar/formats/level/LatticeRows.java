package io.nightjar.formats.level;

/**
 * The lattice as tables: the implied levels and forbidden anomalies of each level, and the special cases of each
 * anomaly. See docs/levels.md for the theorems that justify the rows of Biswas and Enea.
 */
final class LatticeRows {

    /*
     * Elle's levels, without session order unless the name states otherwise. Elle's read-atomic, prefix and causal are
     * rows of the lattice, but cannot be requested: those names mean the levels of Biswas and Enea.
     *
     * The column "known by" states which conclusion the absence of every forbidden anomaly permits if all versions are
     * ordered:
     *
     *   all    the level holds: its definition is the absence of these anomalies
     *   some   none: its definition also forbids anomalies that Nightjar does not detect (G-cursor, G-monotonic,
     *          G-MSR, G-SIb, G-update) or has an axiom of another kind; it can be ruled out, and it holds if a
     *          stronger level holds
     *   none   none, and no anomaly rules it out
     */
    static final String ELLE =
            """
            level | friendly name | known by | implies | forbids
            monotonic-reads | | none | |
            monotonic-writes | | none | |
            read-your-writes | | none | |
            writes-follow-reads | | none | |
            PRAM | | none | monotonic-reads monotonic-writes read-your-writes |
            causal | | none | PRAM writes-follow-reads |
            sequential | | none | causal |
            linearizable | | none | sequential |
            view-serializable | | none | |
            1SR | | none | |
            session-serializable | | none | 1SR |
            PL-1 | read-uncommitted | all | | G0 PL-1-cycle-exists cyclic-versions duplicate-elements
            PL-2 | read-committed | all | PL-1 | G1 PL-2-cycle-exists
            PL-CS | cursor-stability | some | PL-2 | G1 G-cursor lost-update
            PL-2L | monotonic-view | some | PL-2 | G1 G-monotonic
            PL-MSR | monotonic-snapshot-read | some | PL-2 | G1 G-MSR
            PL-2+ | consistent-view | all | PL-2L PL-CS | G1 G-single
            PL-FCV | forward-consistent-view | some | PL-2+ | G1 G-SIb
            monotonic-atomic-view | | some | PL-2 |
            read-atomic | | some | monotonic-atomic-view | G1a future-read internal
            update-atomic | | some | read-atomic | lost-update
            causal-cerone | | some | read-atomic | G1a internal
            prefix | | some | causal-cerone | G1a internal
            parallel-snapshot-isolation | | some | causal-cerone update-atomic | G1a internal
            PL-2.99 | repeatable-read | all | PL-CS monotonic-atomic-view | G1 G2-item lost-update PL-2.99-cycle-exists
            PL-3U | update-serializable | some | PL-FCV | G1 G-update
            PL-SI | snapshot-isolation | all | PL-FCV PL-MSR monotonic-atomic-view parallel-snapshot-isolation prefix | \
            G1 G-nonadjacent G-SI internal PL-SI-cycle-exists
            PL-3 | serializable | all | PL-2.99 PL-3U PL-SI view-serializable | \
            G1 G2 internal predicate-read-miss PL-3-cycle-exists
            strong-session-PL-1 | strong-session-read-uncommitted | all | PL-1 | \
            G0-process strong-session-PL-1-cycle-exists
            strong-session-PL-2 | strong-session-read-committed | all | PL-2 strong-session-PL-1 | \
            G1c-process strong-session-PL-2-cycle-exists
            strong-session-snapshot-isolation | | all | PL-SI strong-session-PL-2 | \
            G1-process G-nonadjacent-process internal strong-session-snapshot-isolation-cycle-exists
            strong-session-serializable | | all | PL-3 strong-session-snapshot-isolation | \
            G1-process G2-process strong-session-serializable-cycle-exists
            strong-PL-1 | strong-read-uncommitted | all | strong-session-PL-1 | G0-realtime strong-PL-1-cycle-exists
            strong-PL-2 | strong-read-committed | all | strong-PL-1 strong-session-PL-2 | \
            G1c-realtime strong-PL-2-cycle-exists
            strong-snapshot-isolation | | all | strong-PL-2 strong-session-snapshot-isolation | \
            G1-realtime G-nonadjacent-realtime internal strong-snapshot-isolation-cycle-exists
            PL-SS | strong-serializable | all | PL-3 PL-SI linearizable session-serializable \
            strong-session-serializable strong-snapshot-isolation | G1 G1c-realtime G2-realtime PL-SS-cycle-exists
            """;

    /*
     * The levels of Biswas and Enea, by their short names, with the commit order as version order:
     *
     *   rc    so, wr and ww are subsets of the commit order, so they have no cycle: strong-session-PL-2; every read
     *         returns a committed version, and a row of the initial state has no absent version before its first
     *   ra    a writer whose version was read once is never missed afterwards: monotonic atomic view
     *   cc    the visible transactions are (so u wr)+, and the last visible writer in commit order is read: causal of
     *         Cerone et al.
     *   si    acyclic (so u wr u ww) ; rw?, which is the absence of G1-process and G-nonadjacent-process, and conversely
     *   ser   acyclic so u wr u ww u rw, which is the absence of G1-process and G2-process, and conversely
     *   cser  ser, with the order of commit timestamps as the commit order. Strict serializability neither implies it,
     *         since commit timestamps need not follow real time, nor follows from it for the same reason
     */
    static final String BISWAS_ENEA =
            """
            level | friendly name | known by | implies | forbids
            rc | | some | strong-session-PL-2 | predicate-read-miss
            ra | | some | rc read-atomic |
            cc | | some | ra causal-cerone |
            pc | | some | cc prefix | no-prefix-order
            si | | all | pc strong-session-snapshot-isolation | no-snapshot-order
            ser | | all | si strong-session-serializable | no-serial-order commit-order-cycle
            strong-session-snapshot-isolation | | all | si |
            strong-session-serializable | | all | ser |
            PL-SS | strong-serializable | all | ser |
            cser | | some | ser |
            """;

    /*
     * The same levels of Biswas and Enea if each transaction is a separate session:
     *
     *   proves       levels that hold if the level does, by the theorems above without so
     *   needed for   levels that cannot hold if the level does not
     *
     *   ra, cc, pc   Cerone's definitions, which have no sessions
     *   cc           also consistent view: without G-single no transaction visible by wr+ has the newer version
     *   si, ser      acyclic (wr u ww) ; rw? and acyclic wr u ww u rw, for some order of versions
     *   ser          also repeatable read: if transactions read keys, not predicates, all cycles are cycles of items
     */
    static final String WITHOUT_SESSIONS =
            """
            level | proves | needed for
            rc | PL-2 |
            ra | read-atomic | read-atomic
            cc | causal-cerone | causal-cerone PL-2+
            pc | prefix | prefix
            si | PL-SI | PL-SI
            ser | PL-3 | PL-2.99
            """;

    /** Each line: an anomaly, and the anomalies that it always implies. */
    static final String ANOMALIES =
            """
            anomaly | implies
            G0 | G1c G0-process
            G0-process | G1c-process G0-realtime
            G0-realtime | G1c-realtime
            G1a | G1
            G1b | G1
            G1c | G1 G1c-process
            G1c-process | G1-process G1c-realtime
            G1c-realtime | G1-realtime
            G1 | G1-process
            G1-process | G1-realtime
            G1-realtime |
            G-single-item | G-single G-nonadjacent-item G-single-item-process
            G-single-item-process | G-single-process G-nonadjacent-item-process G-single-item-realtime
            G-single-item-realtime | G-single-realtime G-nonadjacent-item-realtime
            G-single | G-nonadjacent G-single-process G-SIb
            G-single-process | G-nonadjacent-process G-single-realtime
            G-single-realtime | G-nonadjacent-realtime
            G-nonadjacent-item | G-nonadjacent G2-item G-nonadjacent-item-process
            G-nonadjacent-item-process | G-nonadjacent-process G2-item-process G-nonadjacent-item-realtime
            G-nonadjacent-item-realtime | G-nonadjacent-realtime G2-item-realtime
            G-nonadjacent | G2 G-nonadjacent-process
            G-nonadjacent-process | G2-process G-nonadjacent-realtime
            G-nonadjacent-realtime | G2-realtime
            G2-item | G2 G2-item-process
            G2-item-process | G2-process G2-item-realtime
            G2-item-realtime | G2-realtime
            G2 | G2-process
            G2-process | G2-realtime
            G2-realtime |
            garbage-read | G1a
            dirty-update | G1a
            incompatible-order | G1a
            future-read | G1c
            lost-update | G2-item write-skew
            write-skew | G2
            internal |
            duplicate-elements |
            cyclic-versions |
            predicate-read-miss |
            no-prefix-order |
            no-snapshot-order |
            no-serial-order |
            commit-order-cycle |
            GSIa | G-SI
            G-SIb | G-SI
            G-SI |
            G-MSR |
            G-cursor |
            G-monotonic |
            G-update |
            PL-1-cycle-exists |
            PL-2-cycle-exists |
            PL-2.99-cycle-exists |
            PL-SI-cycle-exists |
            PL-3-cycle-exists |
            PL-SS-cycle-exists |
            strong-session-PL-1-cycle-exists |
            strong-session-PL-2-cycle-exists |
            strong-session-snapshot-isolation-cycle-exists |
            strong-session-serializable-cycle-exists |
            strong-PL-1-cycle-exists |
            strong-PL-2-cycle-exists |
            strong-snapshot-isolation-cycle-exists |
            """;

    private LatticeRows() {}
}
