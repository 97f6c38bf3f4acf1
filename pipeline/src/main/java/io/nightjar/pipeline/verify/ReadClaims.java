package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.verify.InternalReads.Evidence;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Claims about reads: their queries about the key, the facts that the reader's row confirms, and the result for
 * registers.
 */
final class ReadClaims {

    /** Bound beyond which differences of timestamps may overflow, and slack is not computed. */
    private static final long FARTHEST = Long.MAX_VALUE / 4;

    private final @Nullable String initialValue;
    private final RawTxns raw;
    private final ScalarPool values;
    private boolean knowsInitial;
    private long initial;

    ReadClaims(@Nullable String initialValue, RawTxns raw) {
        this.initialValue = initialValue;
        this.raw = raw;
        this.values = raw.values;
    }

    // ---------------------------------------------------------------- before the first row

    void ask(FindingClaim claim) {
        LastWriterQueries frontier = claim.key.frontier(claim.isSerial);
        Participant reader = claim.first;
        if (claim.isSerial) {
            claim.snapshotQuestion = frontier.addQuery(claim.readTs(), LastWriterQueries.COMMIT, reader.txnId());
            claim.readOnlyQuestion = frontier.askAfter(claim.readTs());
        } else if (claim.readRank() == LastWriterQueries.INSTANT) {
            claim.snapshotQuestion = frontier.addQuery(claim.readTs(), LastWriterQueries.INSTANT, reader.txnId());
        } else {
            claim.snapshotQuestion = frontier.askAfter(claim.readTs());
        }
        Expectation read = claim.read();
        if (read.observed() != null) {
            claim.observedFacts = claim.key.facts(read.observed());
            claim.nearestQuestion = claim.observedFacts.askNearest(claim.readTs(), reader.commitTs(), reader.txnId());
            if (read.observedWriter() != null) {
                claim.observedFacts.watch(read.observedWriter());
            }
        }
        if (read.expected() != null && read.expectedWriter() != null) {
            claim.key.facts(read.expected()).watch(read.expectedWriter());
        }
        askForSlack(claim, frontier);
    }

    private static void askForSlack(FindingClaim claim, LastWriterQueries frontier) {
        Long slack = claim.finding.slack();
        Participant observedWriter = claim.finding.by(Role.OBSERVED_WRITER);
        if (slack == null) {
            if (observedWriter != null) {
                claim.slackQuestions[0] = frontier.askAfter(observedWriter.commitTs());
            }
            return;
        }
        if (isFar(slack) || isFar(claim.readTs())) {
            claim.isSlackFar = true;
            return;
        }
        long shifted = claim.readTs() + slack;
        claim.slackQuestions[0] = frontier.askAfter(shifted);
        claim.slackQuestions[1] = frontier.askAfter(slack < 0 ? shifted + 1 : claim.readTs() - slack + 1);
    }

    private static boolean isFar(long ts) {
        return ts > FARTHEST || ts < -FARTHEST;
    }

    void learnValues() {
        if (initialValue != null && values.isPossible(initialValue)) {
            initial = values.intern(initialValue);
            knowsInitial = true;
        }
    }

    boolean isInitialValue(long value) {
        return knowsInitial && value == initial;
    }

    // ---------------------------------------------------------------- the reader's own operations

    /** Returns the operations of a row on the key of a claim, in program order. */
    int[] opsOn(FindingClaim claim, int row) {
        return raw.keys.isPossible(claim.key.text) ? raw.opsOn(row, raw.keys.intern(claim.key.text)) : new int[0];
    }

    /**
     * Returns the read that a claim is about: the first of the key, or for INT the first that contradicts earlier
     * operations. Refutes the claim if the read returned another value than claimed.
     *
     * @param own receives the operations on the key up to that read
     */
    int readOf(FindingClaim claim, InternalReads own) {
        boolean isExternal = claim.finding.anomaly() == Anomaly.EXT;
        boolean isFirstRead = true;
        for (int op : opsOn(claim, claim.row)) {
            boolean hasWritten = own.hasOwnWrites();
            boolean disagrees = own.add(op) != InternalReads.Disagreement.NONE;
            if (isExternal ? raw.isRead(op) : disagrees) {
                claim.wroteBefore = hasWritten;
                boolean isKnown = !isExternal && !(isFirstRead && own.isList());
                if (!isEqual(raw.text(op), claim.read().observed())) {
                    claim.refute("the first read of the key returned something else: observed=" + raw.text(op));
                } else if (isExternal && hasWritten && !own.isList()) {
                    claim.refute("the first operation on the key is not a read");
                } else if (isKnown
                        && !own.expectedTexts()
                                .contains(String.valueOf(claim.read().expected()))) {
                    claim.refute("the reader's own operations differ");
                }
                return op;
            }
            isFirstRead &= !raw.isRead(op);
        }
        claim.refute(
                isExternal
                        ? "the first read of the key returned something else: observed=nothing read"
                        : "the reader's own operations differ");
        return RawTxns.NONE;
    }

    /** Returns whether a text is as claimed; the empty list may be spelt either way. */
    static boolean isEqual(@Nullable String text, @Nullable String claimed) {
        return Objects.equals("[]".equals(text) ? null : text, "[]".equals(claimed) ? null : claimed);
    }

    // ---------------------------------------------------------------- the end, for registers

    void verify(FindingClaim claim) {
        Expectation read = claim.read();
        WatchedKey key = claim.key;
        boolean initialHasMeaning = knowsInitial && !key.wroteInitialValue;
        readOf(claim, new InternalReads(raw, Evidence.TIMESTAMPS, initialHasMeaning ? initial : null, false));
        if (claim.isRefuted()) {
            return;
        }
        LastWriterQueries frontier = key.frontier(claim.isSerial);
        int snapshot = claim.isSerial && claim.isReadOnly ? claim.readOnlyQuestion : claim.snapshotQuestion;
        boolean hasFrontier = frontier.hasWriter(snapshot);
        boolean isInitial =
                read.observed() == null || (initialHasMeaning && read.observed().equals(initialValue));
        boolean isExternal = claim.finding.anomaly() == Anomaly.EXT;
        if (isExternal) {
            verifyExpected(claim, frontier, snapshot);
        } else {
            verifyExpectedInside(claim);
        }
        boolean isRight = hasFrontier ? !isInitial && Objects.equals(read.observed(), read.expected()) : isInitial;
        if (isExternal && isRight) {
            claim.refute("the read returned the expected version");
        }
        if (isInitial) {
            verifyInitialSource(claim, isExternal ? hasFrontier : hasFrontier || claim.wroteBefore);
        } else {
            verifySource(claim, frontier);
        }
        if (!isExternal && claim.finding.slack() != null) {
            claim.refute("an internal mismatch has no slack: slack=" + claim.finding.slack());
        }
    }

    private void verifyExpected(FindingClaim claim, LastWriterQueries frontier, int snapshot) {
        Expectation read = claim.read();
        if (!frontier.hasWriter(snapshot)) {
            if (read.expected() != null || read.expectedWriter() != null) {
                claim.refute("the snapshot holds the initial state: expected=" + read.expected());
            }
        } else if (read.expectedWriter() == null || read.expectedWriter() != frontier.writerOf(snapshot)) {
            claim.refute("the last writer is another: expected=" + frontier.writerOf(snapshot) + " claimed="
                    + read.expectedWriter());
        } else if (read.expected() == null
                || !values.isPossible(read.expected())
                || values.intern(read.expected()) != frontier.valueOf(snapshot)) {
            claim.refute("the last writer wrote another value: claimed=" + read.expected());
        }
    }

    /**
     * Verifies the value that an earlier read returned: no writer need be named, but a named writer must have written
     * it.
     */
    private static void verifyExpectedInside(FindingClaim claim) {
        Expectation read = claim.read();
        long reader = claim.first.txnId();
        if (claim.wroteBefore) {
            if (read.expectedWriter() == null || read.expectedWriter() != reader) {
                claim.refute("the transaction itself wrote the expected version: claimed=" + read.expectedWriter());
            }
        } else if (read.expectedWriter() != null
                && (read.expected() == null
                        || claim.key.facts(read.expected()).doneBy.get((long) read.expectedWriter()) == 0)) {
            claim.refute("the named writer did not write the expected version: claimed=" + read.expectedWriter());
        }
    }

    static void verifyInitialSource(FindingClaim claim, boolean someoneWrote) {
        Expectation read = claim.read();
        if (read.origin() != (someoneWrote ? Origin.STALE : null) || read.observedWriter() != null) {
            claim.refute("the initial state was read: claimed=" + read.origin());
        } else if (claim.finding.anomaly() == Anomaly.EXT) {
            verifySlack(claim, claim.key.firstCommit - 1 - claim.readTs());
        }
    }

    static void verifySlack(FindingClaim claim, @Nullable Long slack) {
        if (!claim.isSlackFar && !Objects.equals(claim.finding.slack(), slack)) {
            claim.refute("slack: expected=" + slack + " claimed=" + claim.finding.slack());
        }
    }

    private void verifySource(FindingClaim claim, LastWriterQueries frontier) {
        Expectation read = claim.read();
        ValueFacts facts = requireNonNull(claim.observedFacts);
        Participant writer = claim.finding.by(Role.OBSERVED_WRITER);
        int did = read.observedWriter() == null ? 0 : facts.doneBy.get((long) read.observedWriter());
        if ((facts.done & ValueFacts.FINAL) != 0) {
            if ((did & ValueFacts.FINAL) == 0) {
                claim.refute("the named writer's final write is another version: claimed=" + read.observedWriter());
                return;
            }
            Participant txn = writer == null ? claim.first : writer;
            boolean seen = txn.txnId() != claim.first.txnId()
                    && claim.sees(txn.commitTs(), txn.startTs() == txn.commitTs(), txn.txnId());
            verifyOrigin(claim, seen ? Origin.STALE : Origin.FUTURE);
            if (claim.finding.anomaly() == Anomaly.EXT) {
                verifyShift(claim, frontier, txn);
            }
            return;
        }
        if ((facts.done & ValueFacts.NOT_FINAL) != 0) {
            verifyUnshifted(claim, Origin.INTERMEDIATE, (did & ValueFacts.NOT_FINAL) != 0);
        } else if ((facts.done & ValueFacts.ABORTED) != 0) {
            verifyUnshifted(claim, Origin.ABORTED, (did & ValueFacts.ABORTED) != 0);
        } else {
            verifyUnshifted(claim, Origin.NEVER, read.observedWriter() == null);
        }
    }

    private static void verifyOrigin(FindingClaim claim, Origin origin) {
        if (claim.read().origin() != origin) {
            claim.refute(
                    "origin: expected=" + origin + " claimed=" + claim.read().origin());
        }
    }

    private static void verifyUnshifted(FindingClaim claim, Origin origin, boolean isWriterRight) {
        verifyOrigin(claim, origin);
        verifySlack(claim, null);
        if (!isWriterRight) {
            claim.refute("observed writer: claimed=" + claim.read().observedWriter());
        }
    }

    /** Verifies a shift: the shifted snapshot must show the observed value, and no smaller shift may. */
    private void verifyShift(FindingClaim claim, LastWriterQueries frontier, Participant writer) {
        long value = values.intern(claim.read().observed());
        long reader = claim.first.txnId();
        ValueFacts facts = requireNonNull(claim.observedFacts);
        long before = facts.lastBefore(claim.nearestQuestion, reader);
        long after = facts.firstAfter(claim.nearestQuestion, reader);
        int shifted = claim.slackQuestions[0];
        if (claim.isSlackFar) {
            return;
        }
        if (claim.finding.slack() == null) {
            if (writer.txnId() != reader
                    && frontier.writerOf(shifted) != reader
                    && frontier.commitOf(shifted) == writer.commitTs()
                    && frontier.valueOf(shifted) == value) {
                claim.refute("a shift explains the read but none is claimed");
            }
            claim.doubtfulTs = new long[] {before, after};
            return;
        }
        long slack = claim.finding.slack();
        if (!frontier.hasWriter(shifted)
                || frontier.valueOf(shifted) != value
                || frontier.writerOf(shifted) != writer.txnId()
                || writer.txnId() == reader) {
            claim.refute("the shifted snapshot does not show the observed value: slack=" + slack);
            return;
        }
        verifySmallest(claim, frontier, value, before, after);
    }

    private static void verifySmallest(
            FindingClaim claim, LastWriterQueries frontier, long value, long before, long after) {
        long slack = requireNonNull(claim.finding.slack());
        long readTs = claim.readTs();
        int shifted = claim.slackQuestions[0];
        int edge = claim.slackQuestions[1];
        if (slack < 0) {
            if (frontier.commitOf(edge) != readTs + slack + 1) {
                claim.refute("a smaller shift back explains the read: slack=" + slack);
            }
            claim.doubtfulTs[0] = before != HistorySlice.NONE && before > readTs + slack ? before : HistorySlice.NONE;
            claim.doubtfulTs[1] = after != HistorySlice.NONE && after < readTs - slack ? after : HistorySlice.NONE;
            return;
        }
        if (frontier.commitOf(shifted) != readTs + slack) {
            claim.refute("a smaller shift forward explains the read: slack=" + slack);
        }
        boolean isShownNearer = slack > 0
                && frontier.hasWriter(edge)
                && frontier.valueOf(edge) == value
                && frontier.writerOf(edge) != claim.first.txnId();
        if (isShownNearer) {
            claim.refute("a smaller shift back explains the read: slack=" + slack);
        }
        claim.doubtfulTs[0] =
                slack > 0 && before != HistorySlice.NONE && before > readTs - slack ? before : HistorySlice.NONE;
        claim.doubtfulTs[1] = after != HistorySlice.NONE && after < readTs + slack ? after : HistorySlice.NONE;
    }
}
