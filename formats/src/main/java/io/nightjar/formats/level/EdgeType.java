package io.nightjar.formats.level;

import org.jspecify.annotations.Nullable;

/** Type of a dependency between two transactions. */
public enum EdgeType {
    /** Both transactions wrote a key. */
    WW,
    /** The second transaction read a version that the first wrote. */
    WR,
    /** The second transaction overwrote a version that the first read. */
    RW,
    /** Both transactions belong to one session. */
    SO,
    /** The first transaction had ended when the second started. */
    RT,
    /** By timestamps of the database. */
    TS;

    private final String word = name().toLowerCase(java.util.Locale.ROOT);

    /** Returns the spelling in tables. */
    public String word() {
        return word;
    }

    /** Returns the type with this spelling; null if none has it. */
    public static @Nullable EdgeType of(@Nullable String word) {
        for (EdgeType type : values()) {
            if (type.word.equals(word)) {
                return type;
            }
        }
        return null;
    }
}
