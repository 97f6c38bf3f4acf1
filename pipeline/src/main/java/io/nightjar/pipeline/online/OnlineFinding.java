package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly found while transactions arrive, with the names of the history.
 *
 * @param key null for SESSION and TIMESTAMP-ORDER
 * @param arrived when the subject arrived, in the caller's time
 * @param flips how often the verdict has flipped
 */
public record OnlineFinding(
        IsolationLevel level,
        Anomaly anomaly,
        @Nullable String key,
        Parties parties,
        Reading reading,
        long arrived,
        int flips) {

    /**
     * The transactions of a finding.
     *
     * @param subject the transaction at fault: the reader, the earlier of two writers, the later of a session's
     *     neighbors
     * @param other the writer that should have been read from, the later of two writers, the previous neighbor; or null
     * @param observedWriter the writer that was read from, or null if unknown
     */
    public record Parties(OnlineTxn subject, @Nullable OnlineTxn other, @Nullable OnlineTxn observedWriter) {}

    /**
     * The expected and the observed result of a read.
     *
     * @param expected expected value as text; null for the initial state and if no read is involved
     * @param observed observed value, likewise
     */
    public record Reading(@Nullable String expected, @Nullable String observed) {

        /** The reading of findings that concern no read. */
        public static final Reading NONE = new Reading(null, null);
    }

    /** Returns the transaction at fault. */
    public OnlineTxn subject() {
        return parties.subject();
    }

    /** Returns the other transaction of the conflict; null if the finding has none. */
    public @Nullable OnlineTxn other() {
        return parties.other();
    }

    /** The change of a finding. */
    public enum Change {
        /** Wrong according to the rows so far. */
        RAISED,
        /** No longer wrong. */
        WITHDRAWN,
        /** Still wrong, but with another expected value. */
        CHANGED,
        /** Wrong; no row that arrives in time can change it. */
        FINAL,
        /** Changed by a row that arrived after the final verdict. */
        CORRECTED;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Returns the id of this finding in a check of all rows, as far as its transactions are known. */
    public String anomalyId() {
        long[] txnIds = Stream.of(parties.subject(), parties.other(), parties.observedWriter())
                .filter(Objects::nonNull)
                .mapToLong(OnlineTxn::txnId)
                .toArray();
        return Finding.anomalyId(level, anomaly, txnIds, key);
    }

    /** Returns a name of the anomaly, the same for findings that differ only in other transactions. */
    public String name() {
        String pair = anomaly == Anomaly.NOCONFLICT
                ? Long.toString(requireNonNull(other()).txnId())
                : "";
        return level + " " + anomaly + " " + subject().txnId() + " " + pair + " " + key;
    }
}
