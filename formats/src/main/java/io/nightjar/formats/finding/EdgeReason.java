package io.nightjar.formats.finding;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Data that proves a dependency, beyond the type and value stored in the edge: the verifier compares it with the
 * history, and sentences are made from it.
 *
 * <p>In transfer and in tables a reason is a word and its fields.
 */
public sealed interface EdgeReason extends Serializable {

    /** Both belong to this session. */
    record InSession(long session) implements EdgeReason {

        @Override
        public String word() {
            return "session";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of(text(session));
        }
    }

    /** The first transaction had completed when the second was invoked. */
    record InTime(long completeNs, long invokeNs) implements EdgeReason {

        @Override
        public String word() {
            return "realtime";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of(text(completeNs), text(invokeNs));
        }
    }

    /**
     * The second transaction read a version that the first wrote.
     *
     * @param op operation by which the first wrote it: w, append or add
     */
    record WasRead(String op) implements EdgeReason {

        @Override
        public String word() {
            return "read";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of(op);
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

        @Override
        public String word() {
            return "missed";
        }

        @Override
        public List<@Nullable String> fields() {
            return EdgeReason.fields(links);
        }
    }

    /**
     * The first transaction read a list without the second's append.
     *
     * @param reader transaction with one of the longest lists, which contains the elements that the first read
     * @param isRead whether that list continues with the second's element; otherwise it does not contain the element
     */
    record MissedInList(long reader, boolean isRead) implements EdgeReason {

        @Override
        public String word() {
            return "missed-in-list";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of(text(reader), String.valueOf(isRead));
        }
    }

    /** The first transaction read a set without the second's element. */
    record MissedInSet() implements EdgeReason {

        @Override
        public String word() {
            return "missed-in-set";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of();
        }
    }

    /**
     * The first's write was visible to a reader of the second's write, so it is older.
     *
     * @param reader null if no transaction needs to be named
     * @param level level that makes the write visible; null if the first simply precedes the reader
     */
    record WasVisible(@Nullable Long reader, @Nullable IsolationLevel level) implements EdgeReason {

        @Override
        public String word() {
            return "visible";
        }

        @Override
        public List<@Nullable String> fields() {
            return Arrays.asList(textOrNull(reader), level == null ? null : level.longName());
        }
    }

    /**
     * Both transactions wrote the key and must not overlap, and the second had not committed when the first started.
     *
     * @param key the key on which the first did not observe the second's write; null if another fact proves the order
     * @param value the value that was not observed
     */
    record NoOverlap(@Nullable String key, @Nullable String value) implements EdgeReason {

        @Override
        public String word() {
            return "no-overlap";
        }

        @Override
        public List<@Nullable String> fields() {
            return Arrays.asList(key, value);
        }
    }

    /**
     * A list contains one append before the other.
     *
     * @param reader transaction that read the list; null if any longest list of the key proves the order
     * @param isNewerRead whether the list contains both; otherwise it contains only the older one
     */
    record Listed(@Nullable Long reader, boolean isNewerRead) implements EdgeReason {

        @Override
        public String word() {
            return "listed";
        }

        @Override
        public List<@Nullable String> fields() {
            return Arrays.asList(textOrNull(reader), String.valueOf(isNewerRead));
        }
    }

    /** The history numbers the first transaction's version before the second's. */
    record Numbered() implements EdgeReason {

        @Override
        public String word() {
            return "numbered";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of();
        }
    }

    /** The second transaction's version replaced the first's: link by link. */
    record Replaced(List<VersionLink> links) implements EdgeReason {

        public Replaced {
            links = List.copyOf(links);
        }

        @Override
        public String word() {
            return "replaced";
        }

        @Override
        public List<@Nullable String> fields() {
            return EdgeReason.fields(links);
        }
    }

    /** One link of a cycle of versions. */
    record Linked(VersionLink link) implements EdgeReason {

        @Override
        public String word() {
            return "linked";
        }

        @Override
        public List<@Nullable String> fields() {
            return link.fields();
        }
    }

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

        @Override
        public String word() {
            return "rows";
        }

        @Override
        public List<@Nullable String> fields() {
            return Arrays.asList(fact.name(), textOrNull(first), textOrNull(second));
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

        @Override
        public String word() {
            return "told";
        }

        @Override
        public List<@Nullable String> fields() {
            return List.of(sentence);
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

        private static final int FIELDS = 7;

        public VersionLink(LinkSource source, long earlier, @Nullable String from, long later, @Nullable String to) {
            this(source, earlier, from, later, to, HistorySlice.NONE, HistorySlice.NONE);
        }

        private List<@Nullable String> fields() {
            return Arrays.asList(source.name(), text(earlier), from, text(later), to, text(first), text(second));
        }

        private static VersionLink of(List<@Nullable String> fields) {
            return new VersionLink(
                    LinkSource.valueOf(given(fields, 0)),
                    number(fields, 1),
                    fields.get(2),
                    number(fields, 3),
                    fields.get(4),
                    number(fields, 5),
                    number(fields, 6));
        }
    }

    // ---------------------------------------------------------------- as a word and fields

    /** Returns the word of this kind of reason. */
    String word();

    /** Returns the other data of the reason, in a fixed order. */
    List<@Nullable String> fields();

    /**
     * Returns the reason with this word and these fields.
     *
     * @throws IllegalArgumentException if the word or the fields are invalid
     */
    static EdgeReason of(String word, List<@Nullable String> fields) {
        try {
            return switch (word) {
                case "session" -> new InSession(number(fields, 0));
                case "realtime" -> new InTime(number(fields, 0), number(fields, 1));
                case "read" -> new WasRead(given(fields, 0));
                case "missed" -> new Missed(links(fields));
                case "missed-in-list" -> new MissedInList(number(fields, 0), Boolean.parseBoolean(fields.get(1)));
                case "missed-in-set" -> new MissedInSet();
                case "visible" -> {
                    String level = fields.get(1);
                    yield new WasVisible(
                            numberOrNull(fields.get(0)), level == null ? null : IsolationLevel.byName(level));
                }
                case "no-overlap" -> new NoOverlap(fields.get(0), fields.get(1));
                case "listed" -> new Listed(numberOrNull(fields.get(0)), Boolean.parseBoolean(fields.get(1)));
                case "numbered" -> new Numbered();
                case "replaced" -> new Replaced(links(fields));
                case "linked" -> new Linked(VersionLink.of(fields));
                case "rows" ->
                    new OfRows(
                            RowFact.valueOf(given(fields, 0)),
                            numberOrNull(fields.get(1)),
                            numberOrNull(fields.get(2)));
                case "told" -> new Explained(given(fields, 0));
                default -> throw new IllegalArgumentException("no such reason: word=" + word);
            };
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            throw new IllegalArgumentException("not the parts of a reason: word=" + word + " parts=" + fields, e);
        }
    }

    private static List<@Nullable String> fields(List<VersionLink> links) {
        List<@Nullable String> fields = new ArrayList<>();
        links.forEach(link -> fields.addAll(link.fields()));
        return fields;
    }

    private static List<VersionLink> links(List<@Nullable String> fields) {
        List<VersionLink> links = new ArrayList<>();
        for (int first = 0; first < fields.size(); first += VersionLink.FIELDS) {
            links.add(VersionLink.of(fields.subList(first, first + VersionLink.FIELDS)));
        }
        return links;
    }

    private static @Nullable String textOrNull(@Nullable Long number) {
        return number == null ? null : number.toString();
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private static String given(List<@Nullable String> fields, int position) {
        return Objects.requireNonNull(fields.get(position));
    }

    private static long number(List<@Nullable String> fields, int position) {
        return Long.parseLong(given(fields, position));
    }

    private static @Nullable Long numberOrNull(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }
}
