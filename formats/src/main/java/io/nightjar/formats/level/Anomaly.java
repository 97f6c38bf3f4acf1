package io.nightjar.formats.level;

/** The names of anomalies, as tables and JSON spell them. */
public enum Anomaly {
    /** A transaction starts before its session's previous transaction committed. */
    SESSION("SESSION"),
    /** A read disagrees with what its own transaction read or wrote before. */
    INT("INT"),
    /** A first read of a key does not return what its snapshot holds. */
    EXT("EXT"),
    /** Two overlapping transactions wrote the same key. */
    NOCONFLICT("NOCONFLICT"),
    /** A transaction starts after it commits. */
    TIMESTAMP_ORDER("TIMESTAMP-ORDER");

    private final String spelling;

    Anomaly(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }
}
