package io.nightjar.formats.level;

import org.jspecify.annotations.Nullable;

/** Data of the history that proves the order of two transactions. */
public enum EdgeEvidence {
    TIMESTAMP,
    /** The number of a version in the history. */
    VERSION,
    /** A list read. */
    LIST,
    /** A value that was read, or not read. */
    VALUE,
    SESSION,
    REALTIME;

    private final String word = name().toLowerCase(java.util.Locale.ROOT);

    /** Returns the spelling in tables. */
    public String word() {
        return word;
    }

    /** Returns the evidence with this spelling; null if none has it. */
    public static @Nullable EdgeEvidence of(@Nullable String word) {
        for (EdgeEvidence evidence : values()) {
            if (evidence.word.equals(word)) {
                return evidence;
            }
        }
        return null;
    }
}
