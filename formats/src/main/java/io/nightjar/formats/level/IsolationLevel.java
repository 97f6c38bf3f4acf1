package io.nightjar.formats.level;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The isolation levels that can be asked for, from weak to strong. */
public enum IsolationLevel {
    READ_COMMITTED("read-committed", "rc"),
    READ_ATOMIC("read-atomic", "ra"),
    CAUSAL("causal", "cc"),
    PREFIX("prefix", "pc"),
    SNAPSHOT_ISOLATION("snapshot-isolation", "si"),
    SERIALIZABLE("serializable", "ser"),
    STRICT_SERIALIZABLE("strict-serializable", "sser");

    private final String longName;
    private final String shortName;

    IsolationLevel(String longName, String shortName) {
        this.longName = longName;
        this.shortName = shortName;
    }

    public String longName() {
        return longName;
    }

    public String shortName() {
        return shortName;
    }

    /** The level with this short or long name, or null. */
    public static IsolationLevel byName(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        for (IsolationLevel level : values()) {
            if (level.longName.equals(wanted) || level.shortName.equals(wanted)) {
                return level;
            }
        }
        return null;
    }

    /** What {@code all} stands for. */
    public static List<IsolationLevel> all() {
        List<IsolationLevel> levels = new ArrayList<>(List.of(values()));
        levels.remove(STRICT_SERIALIZABLE);
        return levels;
    }
}
