package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import org.jspecify.annotations.Nullable;

/**
 * Constraints that an order of transactions must satisfy for a level.
 *
 * @param axiom writes that a read must not miss
 * @param keepsSessions whether the order contains session order
 * @param keepsRealTime whether it contains the order of client times
 */
public record OrderRules(Axiom axiom, boolean keepsSessions, boolean keepsRealTime) {

    /** The axioms of Biswas and Enea, from weak to strong. */
    public enum Axiom {
        READ_COMMITTED,
        READ_ATOMIC,
        CAUSAL,
        PREFIX,
        SNAPSHOT,
        SERIAL;

        /** Returns whether transactions see the writes of whom they follow and nothing has to be chosen. */
        boolean isWeak() {
            return compareTo(PREFIX) < 0;
        }

        /** Returns whether transactions read at one point of the order and commit at another. */
        boolean isSplit() {
            return this == PREFIX || this == SNAPSHOT;
        }
    }

    /**
     * Returns the rules of a level, or of the strongest level of Biswas and Enea that it implies, if necessary with
     * each transaction as a session; null if it implies none.
     */
    static @Nullable OrderRules impliedBy(@Nullable IsolationLevel level) {
        OrderRules rules = of(level);
        if (rules != null || level == null) {
            return rules;
        }
        for (IsolationLevel weaker : IsolationLevel.all()) {
            rules = LevelLattice.implies(level, weaker) ? of(weaker) : rules;
        }
        return rules == null ? withoutSessions(level) : rules;
    }

    private static @Nullable OrderRules withoutSessions(IsolationLevel level) {
        OrderRules rules = null;
        for (IsolationLevel weaker : IsolationLevel.all()) {
            OrderRules ofWeaker = of(weaker);
            boolean isNeeded = LevelLattice.needsWithoutSessions(level, weaker);
            rules = isNeeded ? new OrderRules(requireNonNull(ofWeaker).axiom(), false, false) : rules;
        }
        return rules;
    }

    /** Returns the rules of a level, or null if it is not defined by an order. */
    public static @Nullable OrderRules of(@Nullable IsolationLevel level) {
        if (level == null) {
            return null;
        }
        return switch (level) {
            case READ_COMMITTED -> new OrderRules(Axiom.READ_COMMITTED, true, false);
            case READ_ATOMIC -> new OrderRules(Axiom.READ_ATOMIC, true, false);
            case CAUSAL -> new OrderRules(Axiom.CAUSAL, true, false);
            case PREFIX -> new OrderRules(Axiom.PREFIX, true, false);
            case SNAPSHOT_ISOLATION -> new OrderRules(Axiom.SNAPSHOT, true, false);
            case SERIALIZABLE -> new OrderRules(Axiom.SERIAL, true, false);
            case STRICT_SERIALIZABLE -> new OrderRules(Axiom.SERIAL, true, true);
            case PL_SI -> new OrderRules(Axiom.SNAPSHOT, false, false);
            case PL_3 -> new OrderRules(Axiom.SERIAL, false, false);
            case STRONG_SESSION_SNAPSHOT_ISOLATION -> new OrderRules(Axiom.SNAPSHOT, true, false);
            case STRONG_SESSION_SERIALIZABLE -> new OrderRules(Axiom.SERIAL, true, false);
            case STRONG_SNAPSHOT_ISOLATION -> new OrderRules(Axiom.SNAPSHOT, true, true);
            default -> null;
        };
    }
}
