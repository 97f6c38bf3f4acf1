package io.nightjar.formats.level;

/** The verdict for one level, and for a whole history. */
public enum Verdict {
    HOLDS,
    UNDECIDED,
    VIOLATED;

    /** Returns the word in JSON and in tables. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the worse verdict: violated before undecided before holds. */
    public Verdict worse(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
