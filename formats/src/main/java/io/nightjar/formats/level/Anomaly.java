package io.nightjar.formats.level;

/** The names of anomalies, as tables and JSON spell them. */
public enum Anomaly {
    /** A transaction starts before its session's previous transaction committed. */
    SESSION(
            "SESSION",
            "a transaction starts no earlier than the previous committed transaction of its session commits",
            "a transaction commits after the previous committed transaction of its session; at the same timestamp only"
                    + " if it is read-only"),
    /** A read disagrees with what its own transaction read or wrote before. */
    INT("INT", "a later read of a key returns what its own transaction last wrote to the key or read from it"),
    /** A first read of a key does not return what its snapshot holds. */
    EXT(
            "EXT",
            "a transaction's first read of a key returns the last value committed at or before its start timestamp",
            "a transaction's first read of a key returns the last value committed before its own commit timestamp"),
    /** Two overlapping transactions wrote the same key. */
    NOCONFLICT("NOCONFLICT", "two committed transactions that write the same key do not overlap from start to commit"),
    /** A transaction starts after it commits. */
    TIMESTAMP_ORDER("TIMESTAMP-ORDER", "a transaction starts no later than it commits");

    private final String spelling;
    private final String rule;
    private final String serialRule;

    Anomaly(String spelling, String rule) {
        this(spelling, rule, rule);
    }

    Anomaly(String spelling, String rule, String serialRule) {
        this.spelling = spelling;
        this.rule = rule;
        this.serialRule = serialRule;
    }

    /** The anomaly of this spelling, or null. */
    public static Anomaly bySpelling(String spelling) {
        for (Anomaly anomaly : values()) {
            if (anomaly.spelling.equals(spelling)) {
                return anomaly;
            }
        }
        return null;
    }

    public String spelling() {
        return spelling;
    }

    /** The rule that the anomaly breaks, as a level demands it; one sentence. */
    public String rule(IsolationLevel level) {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE || level == IsolationLevel.STRICT_SERIALIZABLE;
        return isSerial ? serialRule : rule;
    }
}
