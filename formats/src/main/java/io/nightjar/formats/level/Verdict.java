package io.nightjar.formats.level;

/** The answer for one level, and for a whole history. */
public enum Verdict {
    HOLDS,
    UNDECIDED,
    VIOLATED;

    /** The word in JSON and in tables. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Violated over undecided over holds. */
    public Verdict worse(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
