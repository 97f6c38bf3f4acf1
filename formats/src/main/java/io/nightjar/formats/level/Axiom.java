package io.nightjar.formats.level;

import java.util.EnumSet;
import java.util.Set;

/** The axioms of Chronos; each rules out the anomaly of its name. A level is the set of its axioms. */
public enum Axiom {
    SESSION,
    INT,
    EXT,
    NOCONFLICT,
    TIMESTAMP_ORDER;

    /** Returns the axioms of a level; empty if the level has a definition without timestamps. */
    public static Set<Axiom> of(IsolationLevel level) {
        return switch (level) {
            case SNAPSHOT_ISOLATION -> EnumSet.allOf(Axiom.class);
            case COMMIT_ORDER_SERIALIZABLE -> EnumSet.of(SESSION, INT, EXT);
            default -> EnumSet.noneOf(Axiom.class);
        };
    }
}
