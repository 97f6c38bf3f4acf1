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
 * How it is known that one transaction comes before another, as far as the edge itself does not say it: data that the verifier
 * holds against the history and that sentences are made of.
 *
 * <p>On the wire and in tables a reason is its word and its parts.
 */
public sealed interface EdgeReason extends Serializable {

    /** Both belong to this session. */
    record InSession(long session) implements EdgeReason {

        @Override
        public String word() {
            return "session";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of(text(session));
        }
    }

    /** The first had completed when the second was invoked. */
    record InTime(long completeNs, long invokeNs) implements EdgeReason {

        @Override
        public String word() {
            return "realtime";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of(text(completeNs), text(invokeNs));
        }
    }

    /**
     * The second read what the first left.
     *
     * @param op by which the first left it: w, append or add
     */
    record WasRead(String op) implements EdgeReason {

        @Override
        public String word() {
            return "read";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of(op);
        }
    }

    /**
     * The first read a version of a register, or the initial state, that the second's replaced.
     *
     * @param links from that version to the second's; empty where nothing but the first's read is needed
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
        public List<@Nullable String> parts() {
            return EdgeReason.parts(links);
        }
    }

    /**
     * The first read a list without what the second appended.
     *
     * @param reader whose list, one of the longest, has what the first read
     * @param isRead whether that list has the second's behind it; else it does not have it at all
     */
    record MissedInList(long reader, boolean isRead) implements EdgeReason {

        @Override
        public String word() {
            return "missed-in-list";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of(text(reader), String.valueOf(isRead));
        }
    }

    /** The first read a set without what the second added. */
    record MissedInSet() implements EdgeReason {

        @Override
        public String word() {
            return "missed-in-set";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of();
        }
    }

    /**
     * What the first wrote was visible to a reader of what the second wrote, so it is older.
     *
     * @param reader null if no transaction needs to be named
     * @param level says why it was visible; null if the first simply comes before the reader
     */
    record WasVisible(@Nullable Long reader, @Nullable IsolationLevel level) implements EdgeReason {

        @Override
        public String word() {
            return "visible";
        }

        @Override
        public List<@Nullable String> parts() {
            return Arrays.asList(textOrNull(reader), level == null ? null : level.longName());
        }
    }

    /**
     * Both wrote the key and must not overlap, and the second had not committed when the first began.
     *
     * @param key where the first did not see what the second wrote; null if it is known in another way
     * @param value what it did not see
     */
    record NoOverlap(@Nullable String key, @Nullable String value) implements EdgeReason {

        @Override
        public String word() {
            return "no-overlap";
        }

        @Override
        public List<@Nullable String> parts() {
            return Arrays.asList(key, value);
        }
    }

    /**
     * A list shows one append before the other.
     *
     * @param reader whose list; null where any longest list of the key does
     * @param isNewerRead whether the list has both; else it has the older one only
     */
    record Listed(@Nullable Long reader, boolean isNewerRead) implements EdgeReason {

        @Override
        public String word() {
            return "listed";
        }

        @Override
        public List<@Nullable String> parts() {
            return Arrays.asList(textOrNull(reader), String.valueOf(isNewerRead));
        }
    }

    /** The history numbers the first's version before the second's. */
    record Numbered() implements EdgeReason {

        @Override
        public String word() {
            return "numbered";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of();
        }
    }

    /** The second's version replaced the first's: link by link. */
    record Replaced(List<VersionLink> links) implements EdgeReason {

        public Replaced {
            links = List.copyOf(links);
        }

        @Override
        public String word() {
            return "replaced";
        }

        @Override
        public List<@Nullable String> parts() {
            return EdgeReason.parts(links);
        }
    }

    /** One link of a circle of versions. */
    record Linked(VersionLink link) implements EdgeReason {

        @Override
        public String word() {
            return "linked";
        }

        @Override
        public List<@Nullable String> parts() {
            return link.parts();
        }
    }

    /**
     * What rows of tables show; everything else that is said of it stands in the edge.
     *
     * @param first who wrote what should have been seen, or what was read; or a timestamp of the second. Null where the fact has none
     * @param second a timestamp of the one that it is held against
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
        public List<@Nullable String> parts() {
            return Arrays.asList(fact.name(), textOrNull(first), textOrNull(second));
        }
    }

    /** Facts about rows of tables. "Looked at" is of a row that a search for others was told does not match. */
    enum RowFact {
        SHOULD_HAVE_READ,
        READ_BEFORE,
        NOT_RETURNED,
        RETURNED,
        /** An answer was computed of other rows. */
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
        /** What a predicate read asked for had changed before. */
        MATCH_HAD_CHANGED,
        MATCH_CHANGED,
        LATE_START,
        EARLY_START,
        EARLY_COMMIT,
        OVERLAP
    }

    /** A sentence, of a row of a table that an earlier version wrote. */
    record Told(String sentence) implements EdgeReason {

        @Override
        public String word() {
            return "told";
        }

        @Override
        public List<@Nullable String> parts() {
            return List.of(sentence);
        }
    }

    /** What shows that one version of a register comes before another. */
    enum LinkSource {
        /** Nothing was written before the initial state. */
        INITIAL,
        /** A transaction read the one and then wrote the other. */
        READ_THEN_WRITTEN,
        SESSION,
        REAL_TIME,
        TIMESTAMP,
        /** The history numbers versions. */
        VERSION
    }

    /**
     * One version comes before another.
     *
     * @param earlier the transaction that shows the one
     * @param from null for the initial state
     * @param later the transaction that shows the other
     * @param first the session, the time of completion or the commit timestamp of the earlier; {@code HistorySlice.NONE} if the
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

        private static final int PARTS = 7;

        public VersionLink(LinkSource source, long earlier, @Nullable String from, long later, @Nullable String to) {
            this(source, earlier, from, later, to, HistorySlice.NONE, HistorySlice.NONE);
        }

        private List<@Nullable String> parts() {
            return Arrays.asList(source.name(), text(earlier), from, text(later), to, text(first), text(second));
        }

        private static VersionLink of(List<@Nullable String> parts) {
            return new VersionLink(
                    LinkSource.valueOf(given(parts, 0)),
                    number(parts, 1),
                    parts.get(2),
                    number(parts, 3),
                    parts.get(4),
                    number(parts, 5),
                    number(parts, 6));
        }
    }

    // ---------------------------------------------------------------- as a word and parts

    /** What kind of reason it is. */
    String word();

    /** What else there is to it, in a fixed order. */
    List<@Nullable String> parts();

    /**
     * The reason that has this word and these parts.
     *
     * @throws IllegalArgumentException if there is none
     */
    static EdgeReason of(String word, List<@Nullable String> parts) {
        try {
            return switch (word) {
                case "session" -> new InSession(number(parts, 0));
                case "realtime" -> new InTime(number(parts, 0), number(parts, 1));
                case "read" -> new WasRead(given(parts, 0));
                case "missed" -> new Missed(links(parts));
                case "missed-in-list" -> new MissedInList(number(parts, 0), Boolean.parseBoolean(parts.get(1)));
                case "missed-in-set" -> new MissedInSet();
                case "visible" -> {
                    String level = parts.get(1);
                    yield new WasVisible(
                            numberOrNull(parts.get(0)), level == null ? null : IsolationLevel.byName(level));
                }
                case "no-overlap" -> new NoOverlap(parts.get(0), parts.get(1));
                case "listed" -> new Listed(numberOrNull(parts.get(0)), Boolean.parseBoolean(parts.get(1)));
                case "numbered" -> new Numbered();
                case "replaced" -> new Replaced(links(parts));
                case "linked" -> new Linked(VersionLink.of(parts));
                case "rows" ->
                    new OfRows(
                            RowFact.valueOf(given(parts, 0)), numberOrNull(parts.get(1)), numberOrNull(parts.get(2)));
                case "told" -> new Told(given(parts, 0));
                default -> throw new IllegalArgumentException("no such reason: word=" + word);
            };
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            throw new IllegalArgumentException("not the parts of a reason: word=" + word + " parts=" + parts, e);
        }
    }

    private static List<@Nullable String> parts(List<VersionLink> links) {
        List<@Nullable String> parts = new ArrayList<>();
        links.forEach(link -> parts.addAll(link.parts()));
        return parts;
    }

    private static List<VersionLink> links(List<@Nullable String> parts) {
        List<VersionLink> links = new ArrayList<>();
        for (int first = 0; first < parts.size(); first += VersionLink.PARTS) {
            links.add(VersionLink.of(parts.subList(first, first + VersionLink.PARTS)));
        }
        return links;
    }

    private static @Nullable String textOrNull(@Nullable Long number) {
        return number == null ? null : number.toString();
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private static String given(List<@Nullable String> parts, int place) {
        return Objects.requireNonNull(parts.get(place));
    }

    private static long number(List<@Nullable String> parts, int place) {
        return Long.parseLong(given(parts, place));
    }

    private static @Nullable Long numberOrNull(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }
}
