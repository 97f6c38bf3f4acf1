package io.nightjar.formats.finding;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Data that proves a dependency, beyond the type and value stored in the edge: the verifier compares it with the
 * history, and sentences are made from it.
 *
 * <p>In transfer and in tables a reason is a word and its fields.
 */
public sealed interface EdgeReason extends Serializable {

    /** Both belong to this session. */
    record InSession(long session) implements EdgeReason {}

    /** The first transaction had completed when the second was invoked. */
    record InTime(long completeNs, long invokeNs) implements EdgeReason {}

    /**
     * The second transaction read a version that the first wrote.
     *
     * @param op operation by which the first wrote it: w, append or add
     */
    record WasRead(String op) implements EdgeReason {

        public WasRead {
            requireNonNull(op);
        }
    }

    /**
     * The first transaction read a version of a register, or the initial state, that the second's version replaced.
     *
     * @param links from the version read to the second's; empty if the first's read alone proves the edge
     */
    record Missed(List<VersionLink> links) implements EdgeReason {

        public Missed {
            links = List.copyOf(links);
        }
    }

    /**
     * The first transaction read a list without the second's append.
     *
     * @param reader transaction with one of the longest lists, which contains the elements that the first read
     * @param isRead whether that list continues with the second's element; otherwise it does not contain the element
     */
    record MissedInList(long reader, boolean isRead) implements EdgeReason {}

    /** The first transaction read a set without the second's element. */
    record MissedInSet() implements EdgeReason {}

    /**
     * The first's write was visible to a reader of the second's write, so it is older.
     *
     * @param reader null if no transaction needs to be named
     * @param level level that makes the write visible; null if the first simply precedes the reader
     */
    record WasVisible(@Nullable Long reader, @Nullable IsolationLevel level) implements EdgeReason {}

    /**
     * Both transactions wrote the key and must not overlap, and the second had not committed when the first started.
     *
     * @param key the key on which the first did not observe the second's write; null if another fact proves the order
     * @param value the value that was not observed
     */
    record NoOverlap(@Nullable String key, @Nullable String value) implements EdgeReason {}

    /**
     * A list contains one append before the other.
     *
     * @param reader transaction that read the list; null if any longest list of the key proves the order
     * @param isNewerRead whether the list contains both; otherwise it contains only the older one
     */
    record Listed(@Nullable Long reader, boolean isNewerRead) implements EdgeReason {}

    /** The history numbers the first transaction's version before the second's. */
    record Numbered() implements EdgeReason {}

    /** The second transaction's version replaced the first's: link by link. */
    record Replaced(List<VersionLink> links) implements EdgeReason {

        public Replaced {
            links = List.copyOf(links);
        }
    }

    /** One link of a cycle of versions. */
    record Linked(VersionLink link) implements EdgeReason {}

    /**
     * A fact proved by rows of tables; its remaining data is in the edge.
     *
     * @param first writer of the expected or observed version, or a timestamp of the second transaction; null if the
     * fact has none
     * @param second the timestamp that it is compared with
     */
    record OfRows(RowFact fact, @Nullable Long first, @Nullable Long second) implements EdgeReason {

        public OfRows(RowFact fact) {
            this(fact, null, null);
        }
    }

    /**
     * Facts about rows of tables. {@code LOOKED_AT} in a name refers to a row that a predicate read inspected and that
     * did not match.
     */
    enum RowFact {
        SHOULD_HAVE_READ,
        READ_BEFORE,
        NOT_RETURNED,
        RETURNED,
        /** The result of a predicate read was computed from other rows. */
        ANSWERED,
        READ_UNWRITTEN,
        LOOKED_AT_UNWRITTEN,
        READ_REPLACED,
        LOOKED_AT_REPLACED,
        READ_TOO_EARLY,
        READ_ABORTED,
        LOOKED_AT_ABORTED,
        /** A row of which every version matches was not returned. */
        MISSED_ALWAYS,
        MISSED_OWN,
        RETURNED_UNMATCHED,
        FOLLOWS,
        REPLACED,
        READ,
        READ_THEN_REPLACED,
        /** A match of a predicate read had changed earlier. */
        MATCH_HAD_CHANGED,
        MATCH_CHANGED,
        LATE_START,
        EARLY_START,
        EARLY_COMMIT,
        OVERLAP
    }

    /** A sentence, from a row of a table that an earlier version wrote. */
    record Explained(String sentence) implements EdgeReason {

        static final String WORD = "told";

        public Explained {
            requireNonNull(sentence);
        }
    }

    /** Evidence for the order of two versions of a register. */
    enum LinkSource {
        /** The initial state precedes all writes. */
        INITIAL,
        /** A transaction read the earlier version and then wrote the later one. */
        READ_THEN_WRITTEN,
        SESSION,
        REAL_TIME,
        TIMESTAMP,
        /** The history numbers versions. */
        VERSION
    }

    /**
     * A link of the version order: one version precedes another.
     *
     * @param earlier the transaction that proves the earlier version
     * @param from the earlier version; null for the initial state
     * @param later the transaction that proves the later version
     * @param first the session, the time of completion or the commit timestamp of the earlier; {@code
     * HistorySlice.NONE} if the
     *     source has none
     * @param second the time of invocation or the commit timestamp of the later
     */
    record VersionLink(
            LinkSource source,
            long earlier,
            @Nullable String from,
            long later,
            @Nullable String to,
            long first,
            long second)
            implements Serializable {

        public VersionLink(LinkSource source, long earlier, @Nullable String from, long later, @Nullable String to) {
            this(source, earlier, from, later, to, HistorySlice.NONE, HistorySlice.NONE);
        }
    }

    // ---------------------------------------------------------------- as a word and fields

    /** Returns the word of this kind of reason. */
    default String word() {
        return ReasonFields.word(this);
    }

    /** Returns the other data of the reason, in a fixed order. */
    default List<@Nullable String> fields() {
        return ReasonFields.of(this);
    }

    /**
     * Returns the reason with this word and these fields.
     *
     * @throws IllegalArgumentException if the word or the fields are invalid
     */
    static EdgeReason of(String word, List<@Nullable String> fields) {
        return ReasonFields.reason(word, fields);
    }
}
