package io.nightjar.formats.level;

import org.jspecify.annotations.Nullable;

/** In what sense one transaction comes before another. */
public enum EdgeType {
    /** Both wrote a key. */
    WW,
    /** The second read what the first wrote. */
    WR,
    /** The second wrote over what the first read. */
    RW,
    /** Both belong to one session. */
    SO,
    /** The first had ended when the second began. */
    RT,
    /** By timestamps of the database. */
    TS;

    private final String word = name().toLowerCase(java.util.Locale.ROOT);

    /** The spelling in tables. */
    public String word() {
        return word;
    }

    /** The type that is spelled so; null if there is none. */
    public static @Nullable EdgeType of(@Nullable String word) {
        for (EdgeType type : values()) {
            if (type.word.equals(word)) {
                return type;
            }
        }
        return null;
    }
}
