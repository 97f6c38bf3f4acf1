package io.nightjar.formats.level;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The isolation levels that can be requested. A level follows every level that it implies, so that the list runs from
 * weak to strong as far as a linear list can; {@link LevelLattice} contains the full order.
 */
public enum IsolationLevel {
    /*
     * Definitions. The names belong to two families. Read-committed, read-atomic, causal, prefix, snapshot-isolation
     * and serializable are levels of Biswas and Enea, with session order. All others are Elle's, in its spelling; where
     * Elle uses one of those six names for a level without session order, that level has its other name here, PL-2,
     * PL-SI or PL-3. Commit-order-serializable is the level of Chronos: the order of commit timestamps is the serial
     * order.
     */
    MONOTONIC_READS("monotonic-reads"),
    MONOTONIC_WRITES("monotonic-writes"),
    READ_YOUR_WRITES("read-your-writes"),
    WRITES_FOLLOW_READS("writes-follow-reads"),
    PRAM("PRAM"),
    PL_1("PL-1", "PL-1", "read-uncommitted"),
    STRONG_SESSION_PL_1("strong-session-read-uncommitted", "strong-session-PL-1"),
    STRONG_PL_1("strong-read-uncommitted", "strong-PL-1"),
    PL_2("PL-2"),
    CURSOR_STABILITY("cursor-stability", "PL-CS"),
    MONOTONIC_VIEW("monotonic-view", "PL-2L"),
    MONOTONIC_SNAPSHOT_READ("monotonic-snapshot-read", "PL-MSR"),
    MONOTONIC_ATOMIC_VIEW("monotonic-atomic-view"),
    CONSISTENT_VIEW("consistent-view", "PL-2+"),
    FORWARD_CONSISTENT_VIEW("forward-consistent-view", "PL-FCV"),
    STRONG_SESSION_PL_2("strong-session-read-committed", "strong-session-PL-2"),
    STRONG_PL_2("strong-read-committed", "strong-PL-2"),
    READ_COMMITTED("read-committed", "rc"),
    READ_ATOMIC("read-atomic", "ra"),
    UPDATE_ATOMIC("update-atomic"),
    CAUSAL_CERONE("causal-cerone"),
    CAUSAL("causal", "cc"),
    PREFIX("prefix", "pc"),
    PARALLEL_SNAPSHOT_ISOLATION("parallel-snapshot-isolation"),
    PL_2_99("PL-2.99", "PL-2.99", "repeatable-read"),
    UPDATE_SERIALIZABLE("update-serializable", "PL-3U"),
    PL_SI("PL-SI"),
    STRONG_SESSION_SNAPSHOT_ISOLATION("strong-session-snapshot-isolation"),
    SNAPSHOT_ISOLATION("snapshot-isolation", "si"),
    STRONG_SNAPSHOT_ISOLATION("strong-snapshot-isolation"),
    VIEW_SERIALIZABLE("view-serializable"),
    PL_3("PL-3", "PL-3", "conflict-serializable"),
    ONE_COPY_SERIALIZABLE("1SR"),
    SESSION_SERIALIZABLE("session-serializable"),
    STRONG_SESSION_SERIALIZABLE("strong-session-serializable"),
    SERIALIZABLE("serializable", "ser"),
    COMMIT_ORDER_SERIALIZABLE("commit-order-serializable", "cser"),
    SEQUENTIAL("sequential"),
    LINEARIZABLE("linearizable"),
    STRICT_SERIALIZABLE("strict-serializable", "sser", "strong-serializable", "PL-SS");

    private static final Map<String, IsolationLevel> BY_NAME = byName();

    private final String longName;
    private final String shortName;
    private final List<String> names;

    IsolationLevel(String name) {
        this(name, name);
    }

    IsolationLevel(String longName, String shortName, String... furtherNames) {
        this.longName = longName;
        this.shortName = shortName;
        List<String> all = new ArrayList<>(List.of(longName));
        if (!shortName.equals(longName)) {
            all.add(shortName);
        }
        all.addAll(List.of(furtherNames));
        this.names = List.copyOf(all);
    }

    private static Map<String, IsolationLevel> byName() {
        Map<String, IsolationLevel> byName = new HashMap<>();
        for (IsolationLevel level : values()) {
            for (String name : level.names) {
                if (byName.put(name.toLowerCase(Locale.ROOT), level) != null) {
                    throw new AssertionError("bug: a name for two levels: name=" + name);
                }
            }
        }
        return byName;
    }

    public String longName() {
        return longName;
    }

    /** Returns the short name, or the long name if the level has no short one. */
    public String shortName() {
        return shortName;
    }

    /** Returns every name, the long one first. */
    public List<String> names() {
        return names;
    }

    /**
     * Returns the version of the level's definition: verdicts on a history are stable while it is unchanged. Version 2
     * of serializable no longer requires the order of commit timestamps.
     */
    public int definition() {
        return this == SERIALIZABLE ? 2 : 1;
    }

    /** Returns the level with this name, ignoring case, or null. */
    public static @Nullable IsolationLevel byName(String name) {
        return BY_NAME.get(name.strip().toLowerCase(Locale.ROOT));
    }

    /** Returns the six levels of Biswas and Enea, from weak to strong: the meaning of {@code all}. */
    public static List<IsolationLevel> all() {
        return List.of(READ_COMMITTED, READ_ATOMIC, CAUSAL, PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE);
    }

    /** Returns the names most similar to a wrong one, most similar first; one for each level. */
    public static List<String> namesLike(String wrong, int limit) {
        List<String> nearestOfLevels = new ArrayList<>();
        for (IsolationLevel level : values()) {
            nearestOfLevels.add(
                    SpellingSuggestions.nearest(wrong, level.names, 1).get(0));
        }
        return SpellingSuggestions.nearest(wrong, nearestOfLevels, limit);
    }
}
