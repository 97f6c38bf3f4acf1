package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A finding from timestamps during verification: the roles of its participants, and the queries about it. */
final class FindingClaim extends Claim {

    final boolean isSerial;
    final Map<Role, Participant> txnBy = new EnumMap<>(Role.class);

    /** The reader or subject; the earlier writer of a conflict. */
    @SuppressWarnings("NullAway.Init") // a claim of the wrong shape has none, and nothing asks for it
    Participant first;

    /** The key's facts. */
    @SuppressWarnings("NullAway.Init") // set before the rows are read, if a key is involved
    WatchedKey key;

    /** Questions to the key's frontier; see {@link ReadClaims}. */
    int snapshotQuestion;

    int readOnlyQuestion;
    int[] slackQuestions = new int[2];
    boolean isSlackFar;

    /** The facts about the value that was observed, or null; and the question about its nearest commits. */
    @Nullable
    ValueFacts observedFacts;

    int nearestQuestion;

    /** The row of the first transaction, once it is known to be in the history. */
    int row;

    /** Whether the first transaction writes nothing. */
    boolean isReadOnly;

    /** Whether the reader wrote the key before the read that disagrees with its own operations. */
    boolean wroteBefore;

    /** Whether the later writer of a conflict read the key from its snapshot. */
    boolean hasReadBefore;

    /** Timestamps that may hold a closer explanation and need another pass; NONE if absent. */
    long[] doubtfulTs = {HistorySlice.NONE, HistorySlice.NONE};

    FindingClaim(Finding finding) {
        super(finding);
        this.isSerial = finding.level() == IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        String wrong = wrongShape();
        if (wrong != null) {
            refute(wrong);
        }
    }

    /** Returns the classic name of the replayed anomaly; null if none fits. */
    @Nullable
    String classicName() {
        return switch (finding.anomaly()) {
            case INT -> read().expectedWriter() == null ? ClassicPattern.NON_REPEATABLE_READ : null;
            case NOCONFLICT -> hasReadBefore ? ClassicPattern.LOST_UPDATE : null;
            default -> null;
        };
    }

    /** Returns the transaction that plays a role which findings of its kind always have. */
    Participant in(Role role) {
        return requireNonNull(finding.by(role));
    }

    /** Returns when the reader reads, or the subject of a session begins. */
    long readTs() {
        return isSerial ? first.commitTs() : first.startTs();
    }

    boolean isBackward(Participant txn) {
        return !isSerial && txn.startTs() > txn.commitTs();
    }

    /** Returns the position of the reader among the commits of its timestamp. */
    int readRank() {
        if (isSerial) {
            return isReadOnly ? LastWriterQueries.READ : LastWriterQueries.COMMIT;
        }
        return first.startTs() == first.commitTs() ? LastWriterQueries.INSTANT : LastWriterQueries.READ;
    }

    /** Returns whether the reader's snapshot holds a commit. */
    boolean sees(long commit, boolean isInstant, long writerId) {
        int rank = !isSerial && isInstant ? LastWriterQueries.INSTANT : LastWriterQueries.COMMIT;
        int readRank = readRank();
        long readId = readRank == LastWriterQueries.READ ? 0 : first.txnId();
        return LastWriterQueries.compare(commit, rank, writerId, readTs(), readRank, readId) < 0;
    }

    /**
     * Identity of a finding: two findings with equal identities are the same. Of a conflict, the smaller writer id is
     * first.
     */
    record Identity(
            Anomaly anomaly, @Nullable IsolationLevel level, long txnId, long laterTxnId, @Nullable String key) {}

    Identity identity() {
        Participant second = finding.by(Role.LATER_WRITER);
        long id = first.txnId();
        long other = second == null ? id : second.txnId();
        return new Identity(
                finding.anomaly(), finding.level(), Math.min(id, other), Math.max(id, other), finding.key());
    }

    // ---------------------------------------------------------------- shape

    private @Nullable String wrongShape() {
        for (Participant participant : finding.participants()) {
            if (txnBy.put(participant.role(), participant) != null) {
                return "two transactions in one part: role="
                        + participant.role().word();
            }
        }
        if (finding.level() != IsolationLevel.SNAPSHOT_ISOLATION && !isSerial) {
            return "a level that timestamps do not decide: level="
                    + (finding.level() == null ? "none" : finding.level().longName());
        }
        String algorithm = isSerial ? "chronos-ser" : "chronos-si";
        if (!algorithm.equals(finding.algorithm())) {
            return "wrong algorithm: expected=" + algorithm + " claimed=" + finding.algorithm();
        }
        String wrong =
                switch (finding.anomaly()) {
                    case EXT, INT -> wrongRead();
                    case NOCONFLICT -> wrongRoles(true, Role.EARLIER_WRITER, Role.LATER_WRITER);
                    case SESSION -> wrongRoles(false, Role.SUBJECT, Role.PREVIOUS);
                    case TIMESTAMP_ORDER -> wrongRoles(false, Role.SUBJECT);
                    default -> "an anomaly that timestamps do not show";
                };
        return wrong != null ? wrong : wrongEdge();
    }

    private @Nullable String wrongRoles(boolean needsKey, Role... roles) {
        boolean haveAll = txnBy.size() == roles.length;
        for (Role role : roles) {
            haveAll &= txnBy.containsKey(role);
        }
        if (!haveAll) {
            return "wrong participants: expected=" + Set.of(roles) + " claimed=" + txnBy.keySet();
        }
        if (finding.expectation() != null || needsKey != (finding.key() != null)) {
            return "a read or a key where none is involved, or none where one is";
        }
        if (isSerial && finding.anomaly() != Anomaly.SESSION) {
            return "serializability does not define this anomaly";
        }
        first = in(roles[0]);
        return null;
    }

    private @Nullable String wrongRead() {
        Participant reader = finding.by(Role.READER);
        if (reader == null || finding.key() == null || finding.expectation() == null) {
            return "a read without reader, key or expectation";
        }
        first = reader;
        int roleCount = 1;
        roleCount += finding.by(Role.EXPECTED_WRITER) == null ? 0 : 1;
        roleCount += finding.by(Role.OBSERVED_WRITER) == null ? 0 : 1;
        if (roleCount != txnBy.size()) {
            return "a participant that a read does not have: claimed=" + txnBy.keySet();
        }
        if (isWrongWriter(Role.EXPECTED_WRITER, read().expectedWriter())) {
            return "expected writer and its participant differ: expectedWriter=" + read().expectedWriter();
        }
        if (isWrongWriter(Role.OBSERVED_WRITER, read().observedWriter())) {
            return "observed writer and its participant differ: observedWriter=" + read().observedWriter();
        }
        return null;
    }

    /** Returns whether a writer is wrong; the reader itself needs no second role. */
    private boolean isWrongWriter(Role role, @Nullable Long writer) {
        Participant participant = finding.by(role);
        if (participant == null) {
            return writer != null && writer != first.txnId();
        }
        return writer == null || writer != participant.txnId();
    }

    private @Nullable String wrongEdge() {
        for (Edge edge : finding.edges()) {
            if (!isParticipant(edge.fromTxnId())
                    || !isParticipant(edge.toTxnId())
                    || !(edge.key() == null || Objects.equals(edge.key(), finding.key()))) {
                return "an edge that does not belong here: edge=" + edge;
            }
        }
        return null;
    }

    private boolean isParticipant(long txnId) {
        for (Participant participant : finding.participants()) {
            if (participant.txnId() == txnId) {
                return true;
            }
        }
        return false;
    }
}
