package io.nightjar.formats.finding;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One anomaly, in the names of the history: one row of the anomaly table.
 *
 * @param pattern the classic name if one fits, else null; set by the replay of the finding
 * @param level the weakest requested level that the anomaly rules out; null if it only makes reads ambiguous
 * @param algorithm the algorithm that found it, as the table spells it
 * @param key its only key, or null if none or several are involved
 * @param participants the transactions, first the transaction at fault
 * @param expectation the expected and the observed value; null if no read is involved
 * @param slack the smallest shift of the snapshot that would remove the anomaly; null if none would
 * @param dependsOnUnknown whether the finding requires a transaction whose outcome the client never learned
 */
public record Finding(
        Anomaly anomaly,
        @Nullable String pattern,
        @Nullable IsolationLevel level,
        String algorithm,
        @Nullable String key,
        List<Participant> participants,
        @Nullable Expectation expectation,
        @Nullable Long slack,
        boolean dependsOnUnknown,
        List<Edge> edges)
        implements Serializable {

    /** The {@link #algorithm} of findings that require a complete history of tables. */
    public static final String OF_TABLES = "versions";

    /** Maximum length of a cycle whose rotations are all compared; the words of a longer cycle are sorted instead. */
    private static final int MAX_TURNED = 500;

    public Finding {
        participants = List.copyOf(participants);
        edges = List.copyOf(edges);
    }

    /**
     * Returns whether the finding concerns tables: predicate reads, their rows, and versions that include deletions.
     */
    public boolean isOfTables() {
        return algorithm.equals(OF_TABLES);
    }

    /** Returns whether the finding depends on timestamps and not only on values read. */
    public boolean isByTimestamps() {
        return switch (anomaly) {
            case SESSION, INT, EXT, NOCONFLICT, TIMESTAMP_ORDER -> true;
            default -> false;
        };
    }

    /** Returns the first participant of a role; null if none has it. */
    public @Nullable Participant by(Role role) {
        for (Participant participant : participants) {
            if (participant.role() == role) {
                return participant;
            }
        }
        return null;
    }

    /** Returns a copy with the given classic name. */
    public Finding withPattern(@Nullable String name) {
        return new Finding(
                anomaly, name, level, algorithm, key, participants, expectation, slack, dependsOnUnknown, edges);
    }

    /** Returns a copy without the origin of the observed value. */
    public Finding withoutOrigin() {
        if (expectation == null) {
            return this;
        }
        Expectation read = new Expectation(
                expectation.expected(),
                expectation.expectedWriter(),
                expectation.observed(),
                expectation.observedWriter(),
                null);
        return new Finding(anomaly, pattern, level, algorithm, key, participants, read, slack, dependsOnUnknown, edges);
    }

    /** Returns a copy without some transactions, which represent the state before the history. */
    public Finding without(LongPredicate isLeftOut) {
        if (participants.stream().noneMatch(participant -> isLeftOut.test(participant.txnId()))) {
            return this;
        }
        List<Participant> named = participants.stream()
                .filter(participant -> !isLeftOut.test(participant.txnId()))
                .toList();
        List<Edge> between = edges.stream()
                .filter(edge -> !isLeftOut.test(edge.fromTxnId()) && !isLeftOut.test(edge.toTxnId()))
                .toList();
        Expectation read = expectation == null ? null : expectation.without(isLeftOut);
        return new Finding(anomaly, pattern, level, algorithm, key, named, read, slack, dependsOnUnknown, between);
    }

    /**
     * Returns the representative key: for a cycle through several keys that of its first step on a key; null if none is
     * involved.
     */
    public @Nullable String objectKey() {
        if (key != null) {
            return key;
        }
        for (Edge edge : edges) {
            if (edge.key() != null) {
                return edge.key();
            }
        }
        return null;
    }

    /** Returns the keys of the finding, first the keys of its steps, in their order; empty if none is involved. */
    public List<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        for (Edge edge : edges) {
            if (edge.key() != null) {
                keys.add(edge.key());
            }
        }
        if (key != null) {
            keys.add(key);
        }
        return List.copyOf(keys);
    }

    /** Returns a hash of level, type, transactions and key, which is equal in every run over one history. */
    public String anomalyId() {
        return anomalyId(
                level,
                anomaly,
                participants.stream().mapToLong(Participant::txnId).toArray(),
                objectKey());
    }

    /**
     * Returns the id of a finding with these properties.
     *
     * @param txnIds of the participants, in any order, possibly with repetitions
     */
    public static String anomalyId(
            @Nullable IsolationLevel level, Anomaly anomaly, long[] txnIds, @Nullable String key) {
        long[] ids = txnIds.clone();
        Arrays.sort(ids);
        StringBuilder txns = new StringBuilder();
        for (int i = 0; i < ids.length; i++) {
            if (i == 0 || ids[i] != ids[i - 1]) {
                txns.append(i == 0 ? "" : ",").append(ids[i]);
            }
        }
        return "a" + hash(level == null ? null : level.longName(), anomaly.spelling(), txns.toString(), key);
    }

    /**
     * Returns a hash of type, keys, pattern and shape of the cycle: stable across runs, independent of the requested
     * levels and of transaction ids.
     */
    public String fingerprint() {
        int length = cycleLength();
        if (key != null) {
            return "f"
                    + hash(
                            anomaly.spelling(),
                            key,
                            pattern,
                            length == 0
                                    ? null
                                    : smallestTurn(length, edge -> edge.type().word()));
        }
        String keys = length == 0
                ? edges.stream()
                        .map(Edge::key)
                        .filter(Objects::nonNull)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining("\0"))
                : smallestTurn(length, edge -> edge.type().word() + '\0' + edge.key());
        return "f" + hash(anomaly.spelling(), keys, pattern, null);
    }

    /** Returns the length of the cycle; 0 if the finding is not a cycle. */
    private int cycleLength() {
        int length = (int) participants.stream()
                .filter(participant -> participant.role() == Role.ON_CYCLE)
                .count();
        return length > edges.size() ? 0 : length;
    }

    /** Returns a word for each step of the cycle, rotated so that the text is minimal. */
    private String smallestTurn(int length, Function<Edge, String> word) {
        if (length > MAX_TURNED) {
            return edges.subList(0, length).stream().map(word).sorted().collect(Collectors.joining(" "));
        }
        String smallest = "";
        for (int first = 0; first < length; first++) {
            StringBuilder turn = new StringBuilder();
            for (int step = 0; step < length; step++) {
                turn.append(word.apply(edges.get((first + step) % length))).append(' ');
            }
            String text = turn.toString();
            smallest = first == 0 || text.compareTo(smallest) < 0 ? text : smallest;
        }
        return smallest;
    }

    private static String hash(@Nullable String... fields) {
        MessageDigest digest = Sha256.copy();
        for (@Nullable String field : fields) {
            if (field == null) {
                digest.update((byte) 1);
            } else {
                digest.update(field.getBytes(StandardCharsets.UTF_8));
            }
            digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    /** Holder of the digest prototype, created once because millions of findings are possible. */
    private static final class Sha256 {

        private static final MessageDigest EMPTY = find();

        private Sha256() {}

        private static MessageDigest find() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new AssertionError("bug: every JDK has SHA-256", impossible);
            }
        }

        static MessageDigest copy() {
            try {
                return (MessageDigest) EMPTY.clone();
            } catch (CloneNotSupportedException notThere) {
                return find();
            }
        }
    }

    /**
     * A participant of an anomaly. The same transaction may have two roles.
     *
     * @param startTs {@code HistorySlice.NONE} if it has none
     * @param commitTs the commit timestamp that was used, {@code HistorySlice.NONE} if it has none
     */
    public record Participant(long txnId, Role role, long startTs, long commitTs) implements Serializable {}

    /** The roles of participants. */
    public enum Role {
        READER("reader"),
        EXPECTED_WRITER("expected-writer"),
        OBSERVED_WRITER("observed-writer"),
        EARLIER_WRITER("earlier-writer"),
        LATER_WRITER("later-writer"),
        PREVIOUS("previous-in-session"),
        SUBJECT("subject"),
        /** The transaction is on the cycle; participants are listed in the order of the cycle. */
        ON_CYCLE("on-cycle"),
        /** The transaction is needed to order the others. */
        NEEDED("needed");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * The values that a read should have returned and did return, as text: a value, a list in brackets, or null for the
     * initial state.
     *
     * @param expectedWriter the transaction that wrote the expected value; null for the initial state
     * @param observedWriter null if no transaction wrote the observed value, or it is the initial state
     * @param origin origin of the observed value; null if it is the initial state's and that is not stale
     */
    public record Expectation(
            @Nullable String expected,
            @Nullable Long expectedWriter,
            @Nullable String observed,
            @Nullable Long observedWriter,
            @Nullable Origin origin)
            implements Serializable {

        private Expectation without(LongPredicate isLeftOut) {
            boolean isExpectedOut = expectedWriter != null && isLeftOut.test(expectedWriter);
            boolean isObservedOut = observedWriter != null && isLeftOut.test(observedWriter);
            return new Expectation(
                    expected,
                    isExpectedOut ? null : expectedWriter,
                    observed,
                    isObservedOut ? null : observedWriter,
                    origin);
        }
    }

    /** Origin of a value that should not have been read. */
    public enum Origin {
        NEVER,
        ABORTED,
        INTERMEDIATE,
        STALE,
        FUTURE;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A dependency between two transactions, with the data that proves it.
     *
     * @param reason data that derives it from the reads; null if type and value suffice
     * @param predicate the condition of the predicate read, with its parameters; null unless it follows from a
     * predicate read
     */
    public record Edge(
            long fromTxnId,
            long toTxnId,
            EdgeType type,
            @Nullable String key,
            @Nullable String fromValue,
            @Nullable String toValue,
            EdgeEvidence evidence,
            @Nullable EdgeReason reason,
            @Nullable String predicate)
            implements Serializable {

        public Edge(
                long fromTxnId,
                long toTxnId,
                EdgeType type,
                @Nullable String key,
                @Nullable String fromValue,
                @Nullable String toValue,
                EdgeEvidence evidence,
                @Nullable EdgeReason reason) {
            this(fromTxnId, toTxnId, type, key, fromValue, toValue, evidence, reason, null);
        }

        /** Returns a copy whose reader is a predicate read with this condition. */
        public Edge ofPredicate(String condition) {
            return new Edge(fromTxnId, toTxnId, type, key, fromValue, toValue, evidence, reason, condition);
        }

        public Edge(
                long fromTxnId,
                long toTxnId,
                EdgeType type,
                @Nullable String key,
                @Nullable String fromValue,
                @Nullable String toValue,
                EdgeEvidence evidence) {
            this(fromTxnId, toTxnId, type, key, fromValue, toValue, evidence, null);
        }
    }
}
