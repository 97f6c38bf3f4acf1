package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as it is known while transactions arrive, in the names of the history.
 *
 * @param key null for SESSION and TIMESTAMP-ORDER
 * @param arrived when the subject arrived, in the caller's time
 * @param flips how often the verdict has turned
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
     * The transactions that take part in a finding.
     *
     * @param subject the transaction at fault: the reader, the earlier of two writers, the later of a session's neighbours
     * @param other the writer that should have been read from, the later of two writers, the neighbour before; or null
     * @param observedWriter the writer that was read from, or null where none is known
     */
    public record Parties(OnlineTxn subject, @Nullable OnlineTxn other, @Nullable OnlineTxn observedWriter) {}

    /**
     * What a read should have returned and what it did.
     *
     * @param expected what should have been read, as text; null for the initial state and where nothing was read
     * @param observed what was read, likewise
     */
    public record Reading(@Nullable String expected, @Nullable String observed) {

        /** Stands for the reading of findings that concern no read. */
        public static final Reading NONE = new Reading(null, null);
    }

    /** The transaction at fault. */
    public OnlineTxn subject() {
        return parties.subject();
    }

    /** The one that it stands against; null if there is none. */
    public @Nullable OnlineTxn other() {
        return parties.other();
    }

    /** What becomes of a finding. */
    public enum Change {
        /** Wrong by what has arrived so far. */
        RAISED,
        /** No longer wrong. */
        WITHDRAWN,
        /** Still wrong, though something else should have been read. */
        CHANGED,
        /** Wrong by all that may still arrive in time. */
        FINAL,
        /** Something that was too late for a final verdict has turned it. */
        CORRECTED;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The id that a check of all rows would give it, as far as its transactions are known. */
    public String anomalyId() {
        long[] txnIds = Stream.of(parties.subject(), parties.other(), parties.observedWriter())
                .filter(Objects::nonNull)
                .mapToLong(OnlineTxn::txnId)
                .toArray();
        return Finding.anomalyId(level, anomaly, txnIds, key);
    }

    /** Whether both are tellings of one anomaly, whatever is known of the transactions around it. */
    public boolean isSameAs(OnlineFinding than) {
        return anomaly == than.anomaly
                && level == than.level
                && subject().txnId() == than.subject().txnId()
                && (key == null ? than.key == null : key.equals(than.key))
                && (anomaly != Anomaly.NOCONFLICT || isSame(other(), than.other()));
    }

    private static boolean isSame(@Nullable OnlineTxn one, @Nullable OnlineTxn other) {
        return one != null && other != null && one.txnId() == other.txnId();
    }
}
