package io.nightjar.formats.level;

import org.jspecify.annotations.Nullable;

/** The names of anomalies, as tables and JSON spell them. */
public enum Anomaly {
    /** A transaction starts before its session's previous transaction committed. */
    SESSION(
            "SESSION",
            "a transaction starts no earlier than the previous committed transaction of its session commits",
            "a transaction commits after the previous committed transaction of its session; at the same timestamp only"
                    + " if it is read-only"),
    /** A read conflicts with an earlier read or write of the same transaction. */
    INT("INT", "a later read of a key returns the value that its own transaction last wrote or read"),
    /** A first read of a key does not return the version in its snapshot. */
    EXT(
            "EXT",
            "a transaction's first read of a key returns the last value committed at or before its start timestamp",
            "a transaction's first read of a key returns the last value committed before its own commit timestamp"),
    /** Two overlapping transactions wrote the same key. */
    NOCONFLICT("NOCONFLICT", "two committed transactions that write the same key do not overlap from start to commit"),
    /** A transaction starts after it commits. */
    TIMESTAMP_ORDER("TIMESTAMP-ORDER", "a transaction starts no later than it commits"),

    /** A committed transaction read a value that an aborted one wrote. */
    G1A("G1a", "no transaction reads a version of an aborted transaction"),
    /** A transaction read a version that its writer later overwrote. */
    G1B("G1b", "others see only the last value that a transaction wrote to a key"),
    /** A read of a value that no transaction wrote. */
    GARBAGE_READ("garbage-read", "a read returns a value that a transaction wrote, or the initial state"),
    /** A read conflicts with an earlier read or write of the same transaction. */
    INTERNAL("internal", "a read of a key returns the value that its own transaction last wrote"),
    /** A transaction read a value that it wrote only afterwards. */
    FUTURE_READ("future-read", "a transaction does not read its own later writes"),
    /** A value was written twice to a key. */
    DUPLICATE_WRITE("duplicate-write", "each value is written once to a key, so that a read identifies its writer"),
    /** An element occurs twice in a list that was read. */
    DUPLICATE_ELEMENTS("duplicate-elements", "an element that was appended once occurs once in a list"),
    /** Two reads of a list, neither a prefix of the other. */
    INCOMPATIBLE_ORDER("incompatible-order", "of two reads of a list one is a prefix of the other"),
    /** The write of a committed transaction is based on the write of an aborted one. */
    DIRTY_UPDATE("dirty-update", "no update is based on a version of an aborted transaction"),
    /** Two transactions read one version of a key and both wrote the key. */
    LOST_UPDATE("lost-update", "of two transactions that read one version of a key only one replaces it"),
    /** The order of the versions of a key contains a cycle. */
    CYCLIC_VERSIONS("cyclic-versions", "the versions of a key follow each other in one order"),

    G0("G0", "transactions overwrite each other in one order"),
    G0_PROCESS("G0-process", "transactions overwrite each other in one order, which keeps session order"),
    G0_REALTIME("G0-realtime", "transactions overwrite each other in one order, which keeps real time"),
    G1C("G1c", "information flows in one direction only"),
    G1C_PROCESS("G1c-process", "information flows in one direction only, and never against session order"),
    G1C_REALTIME("G1c-realtime", "information flows in one direction only, and never against real time"),
    G_SINGLE_ITEM("G-single-item", "who misses a write sees nothing that came after it"),
    G_SINGLE_ITEM_PROCESS("G-single-item-process", "who misses a write sees nothing after it, session order included"),
    G_SINGLE_ITEM_REALTIME("G-single-item-realtime", "who misses a write sees nothing after it, real time included"),
    G_SINGLE("G-single", "who misses a write, of a predicate too, sees nothing that came after it"),
    G_SINGLE_PROCESS("G-single-process", "who misses a write sees nothing after it, session order included"),
    G_SINGLE_REALTIME("G-single-realtime", "who misses a write sees nothing after it, real time included"),
    G_NONADJACENT_ITEM("G-nonadjacent-item", "all transactions see prefixes of one order"),
    G_NONADJACENT_ITEM_PROCESS(
            "G-nonadjacent-item-process", "all see prefixes of one order, which keeps session order"),
    G_NONADJACENT_ITEM_REALTIME("G-nonadjacent-item-realtime", "all see prefixes of one order, which keeps real time"),
    G_NONADJACENT("G-nonadjacent", "all transactions see prefixes of one order, predicates included"),
    G_NONADJACENT_PROCESS("G-nonadjacent-process", "all see prefixes of one order, which keeps session order"),
    G_NONADJACENT_REALTIME("G-nonadjacent-realtime", "all see prefixes of one order, which keeps real time"),
    G2_ITEM("G2-item", "all transactions can be put into one order in which each sees all before it"),
    G2_ITEM_PROCESS("G2-item-process", "one order, which keeps session order, explains all that was seen"),
    G2_ITEM_REALTIME("G2-item-realtime", "one order, which keeps real time, explains all that was seen"),
    G2("G2", "one order of all transactions explains every read, predicates included"),
    G2_PROCESS("G2-process", "one order, which keeps session order, explains all that was seen"),
    G2_REALTIME("G2-realtime", "one order, which keeps real time, explains all that was seen"),

    /** A predicate read returned a set of rows that differs from the visible rows. */
    RESULT_SET_MISMATCH("result-set-mismatch", "a predicate read returns exactly the matching rows of its snapshot"),
    /** A row is missing from a predicate read although every version of it matches. */
    PREDICATE_READ_MISS("predicate-read-miss", "a predicate read misses no row of which every version matches"),

    /** The order of transactions derived from reads contains a cycle. */
    COMMIT_ORDER_CYCLE("commit-order-cycle", "the reads allow an order in which the transactions can have committed"),
    NO_SERIAL_ORDER("no-serial-order", "some order of the transactions explains every read"),
    NO_SNAPSHOT_ORDER("no-snapshot-order", "some order of snapshots and commits explains every read without conflicts"),
    NO_PREFIX_ORDER("no-prefix-order", "some order of snapshots and commits explains every read");

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

    /** Returns the anomaly with this spelling, or null. */
    public static @Nullable Anomaly bySpelling(String spelling) {
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

    /**
     * Returns the rule that the anomaly breaks, for a level, or for any level without a serial order if null; one
     * sentence.
     */
    public String rule(@Nullable IsolationLevel level) {
        boolean isSerial = level == IsolationLevel.SERIALIZABLE
                || level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                || level == IsolationLevel.STRICT_SERIALIZABLE;
        return isSerial ? serialRule : rule;
    }
}
