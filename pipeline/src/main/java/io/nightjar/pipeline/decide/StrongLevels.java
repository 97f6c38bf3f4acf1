package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Subsets of the levels of Biswas and Enea, by the method that decides them. */
final class StrongLevels {

    /** The levels that need a search, from weak to strong. */
    static final List<IsolationLevel> ALL =
            List.of(IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    /** The levels that are a question of cycles, from weak to strong. */
    static final List<IsolationLevel> WEAK =
            List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);

    private StrongLevels() {}

    static Set<IsolationLevel> among(Set<IsolationLevel> levels) {
        Set<IsolationLevel> strong = EnumSet.copyOf(ALL);
        strong.retainAll(levels);
        return strong;
    }
}
