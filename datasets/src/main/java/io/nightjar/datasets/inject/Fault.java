package io.nightjar.datasets.inject;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The faults that can be planted. */
public enum Fault {
    /** A read returns the predecessor of the value in its snapshot. */
    STALE_READ("stale-read"),
    /** A transaction overlaps the previous writer of a key, and has read the value that both of them overwrite. */
    LOST_UPDATE("lost-update"),
    /** Two neighboring transactions of a session exchange their positions in session order. */
    SESSION_BREAK("session-break"),
    /** A read returns a value that only an aborted transaction wrote. */
    ABORTED_READ("aborted-read"),
    /** A read returns a write that its own transaction overwrote before it committed. */
    INTERMEDIATE_READ("intermediate-read"),
    /** Both timestamps of a transaction are early, so that it commits before a version that it read. */
    CLOCK_SKEW("clock-skew"),
    /** A transaction's start timestamp is greater than its commit timestamp. */
    START_AFTER_COMMIT("start-after-commit"),
    /** A read returns a value that no transaction wrote. */
    GARBAGE_VALUE("garbage-value"),
    /** An increment that was answered has no effect. */
    LOST_INCREMENT("lost-increment", "counters"),
    /** A compare-and-set that succeeded has no effect, so that another with the old value succeeds too. */
    DOUBLE_CAS("double-cas", "cas"),
    /** A deletion that found a row has no effect. */
    RESURRECTED_ROW("resurrected-row", "kv"),
    /** A removal of an element has no effect. */
    LEFT_OVER_ELEMENT("left-over-element", "sets"),
    /** A predicate read returns all rows that match but one. */
    ROW_LEFT_OUT("row-left-out"),
    /** A predicate read returns a row that does not match. */
    ROW_TOO_MANY("row-too-many"),
    /** A predicate read returns a row as it was before. */
    STALE_ROW("stale-row"),
    /** A predicate read is repeated and returns a row that was committed in between. */
    PHANTOM("phantom"),
    /** Two transactions that overlap read the rows of the same range, find none, and insert one each. */
    PREDICATE_WRITE_SKEW("predicate-write-skew"),
    /** Matching rows are counted, and the count is one too high. */
    WRONG_AGGREGATE("wrong-aggregate");

    private final String word;
    private final @Nullable String workload;

    Fault(String word) {
        this(word, null);
    }

    Fault(String word, @Nullable String workload) {
        this.word = word;
        this.workload = workload;
    }

    /** Returns the only workload with operations that may have the fault; null if it is another kind of fault. */
    public @Nullable String workload() {
        return workload;
    }

    /** Returns whether it is a fault of predicate reads. */
    public boolean isOfTables() {
        return compareTo(ROW_LEFT_OUT) >= 0;
    }

    /** Returns the faults for histories without predicate reads. */
    public static List<Fault> ofItems() {
        return Arrays.stream(values())
                .filter(fault -> !fault.isOfTables() && fault.workload == null)
                .toList();
    }

    /** Returns the name on the command line and in the side file. */
    public String word() {
        return word;
    }

    /** Returns the fault of this name; an {@code IllegalArgumentException} lists the names. */
    public static Fault byName(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        for (Fault fault : values()) {
            if (fault.word.equals(wanted)) {
                return fault;
            }
        }
        String known = Arrays.stream(values()).map(Fault::word).collect(Collectors.joining("|"));
        throw new IllegalArgumentException("unknown fault: fault=" + name + " expected=" + known);
    }

    /** Parses {@code stale-read=3,lost-update=1}; the empty text means no faults. */
    public static Map<Fault, Integer> parseCounts(String text) {
        Map<Fault, Integer> countOf = new EnumMap<>(Fault.class);
        if (text.isBlank()) {
            return countOf;
        }
        for (String item : text.split(",", -1)) {
            int equals = item.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "fault without a count: fault=" + item.strip() + "; write NAME=COUNT");
            }
            Fault fault = byName(item.substring(0, equals));
            if (countOf.put(fault, count(fault, item.substring(equals + 1).strip())) != null) {
                throw new IllegalArgumentException("fault named twice: fault=" + fault.word);
            }
        }
        return countOf;
    }

    private static int count(Fault fault, String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException notANumber) {
            // The exception below names the text, which explains more than this exception does.
        }
        throw new IllegalArgumentException(
                "count of a fault is not a number: fault=" + fault.word + " count=" + text + "; write NAME=COUNT");
    }
}
