package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Claims about reads: what they ask of their key, what the reader's row confirms, and the end for registers. */
final class ReadClaims {

    /** Beyond this, differences of timestamps may overflow, and slack is not looked at. */
    private static final long FARTHEST = Long.MAX_VALUE / 4;

    private final @Nullable String initialValue;
    private final ScalarTable values;
    private final ListStore lists;
    private boolean knowsInitial;
    private long initial;

    ReadClaims(@Nullable String initialValue, ScalarTable values, ListStore lists) {
        this.initialValue = initialValue;
        this.values = values;
        this.lists = lists;
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
            claim.nearestQuestion = claim.observedFacts.nearest.ask(claim.readTs());
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
        Participant observedWriter = claim.by(Role.OBSERVED_WRITER);
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

    // ---------------------------------------------------------------- at the reader's row

    /** @param ifInitial the same operations where reading the initial value is reading nothing */
    void confirm(FindingClaim claim, HistorySlice slice, InternalReads plain, InternalReads ifInitial) {
        if (claim.finding.anomaly() == Anomaly.EXT) {
            confirmExternal(claim, slice, plain);
        } else {
            claim.readIsConfirmed = confirmsInternal(claim, slice, plain);
            claim.readIsConfirmedIfInitial = confirmsInternal(claim, slice, ifInitial);
            InternalReads own = claim.readIsConfirmed ? plain : ifInitial;
            claim.wroteBefore = own.wroteBeforeMismatch;
            if (own.isListed && own.mismatchOp != InternalReads.NO_OP) {
                keepInternalList(claim, slice, own);
            }
        }
    }

    private void confirmExternal(FindingClaim claim, HistorySlice slice, InternalReads own) {
        int op = own.firstReadOp;
        if (op == InternalReads.NO_OP || !isEqual(text(slice, op), claim.read().observed())) {
            claim.refute("the first read of the key returned something else: observed="
                    + (op == InternalReads.NO_OP ? "nothing read" : text(slice, op)));
            return;
        }
        if (!own.isListed && own.firstOp != op) {
            claim.refute("the first operation on the key is not a read");
            return;
        }
        claim.readIsConfirmed = true;
        claim.readIsConfirmedIfInitial = true;
        if (slice.kind[op] != OpKind.READ) {
            claim.list = list(claim, slice, op, own.own, own.ownBeforeFirstRead);
            claim.list.ownPartIsRight = own.ownPartIsRight;
        }
    }

    private boolean confirmsInternal(FindingClaim claim, HistorySlice slice, InternalReads own) {
        int op = own.mismatchOp;
        if (op == InternalReads.NO_OP || !isEqual(text(slice, op), claim.read().observed())) {
            return false;
        }
        if (!own.isListed) {
            return isEqual(text(slice, own.repeatedOp), claim.read().expected());
        }
        boolean isFirstRead = op == own.firstReadOp;
        return isFirstRead || isEqual(expectedText(slice, own), claim.read().expected());
    }

    private static String expectedText(HistorySlice slice, InternalReads own) {
        return ListText.of(
                own.baseLength + own.ownBeforeMismatch, i -> slice.valueText(expectedElement(slice, own, i)));
    }

    private static long expectedElement(HistorySlice slice, InternalReads own, int place) {
        return place < own.baseLength ? slice.lists.element(own.baseList, place) : own.own[place - own.baseLength];
    }

    private ListClaim list(FindingClaim claim, HistorySlice slice, int op, long[] own, int ownCount) {
        ListClaim list = new ListClaim();
        if (slice.kind[op] == OpKind.READ_LIST) {
            list.stored = lists.keep(claim.key.ordinal, slice, slice.value[op], values);
            list.length = ListRef.length(slice.value[op]);
        }
        list.own = new long[ownCount];
        for (int i = 0; i < ownCount; i++) {
            list.own[i] = values.intern(slice.valueNames, own[i]);
        }
        return list;
    }

    private void keepInternalList(FindingClaim claim, HistorySlice slice, InternalReads own) {
        int op = own.mismatchOp;
        claim.list = list(claim, slice, op, own.own, own.ownBeforeMismatch);
        claim.list.isLaterRead = op != own.firstReadOp;
        if (!claim.list.isLaterRead) {
            return;
        }
        int expectedLength = own.baseLength + own.ownBeforeMismatch;
        int same = 0;
        while (same < Math.min(expectedLength, claim.list.length)
                && observedElement(slice, op, same) == expectedElement(slice, own, same)) {
            same++;
        }
        claim.list.endsTooEarly = same == claim.list.length;
        if (!claim.list.endsTooEarly) {
            claim.list.differing = values.intern(slice.valueNames, observedElement(slice, op, same));
        }
    }

    private static long observedElement(HistorySlice slice, int op, int place) {
        return slice.lists.element(ListRef.list(slice.value[op]), place);
    }

    private static @Nullable String text(HistorySlice slice, int op) {
        return switch (slice.kind[op]) {
            case OpKind.READ_NOTHING -> null;
            case OpKind.READ_LIST -> ListText.of(slice, slice.value[op]);
            default -> slice.valueText(slice.value[op]);
        };
    }

    /** The empty list may be spelt either way. */
    static boolean isEqual(@Nullable String text, @Nullable String claimed) {
        return Objects.equals("[]".equals(text) ? null : text, "[]".equals(claimed) ? null : claimed);
    }

    // ---------------------------------------------------------------- the end, for registers

    void verify(FindingClaim claim) {
        Expectation read = claim.read();
        WatchedKey key = claim.key;
        boolean initialHasMeaning = knowsInitial && !key.wroteInitialValue;
        if (!(initialHasMeaning ? claim.readIsConfirmedIfInitial : claim.readIsConfirmed)) {
            claim.refute("the reader's own operations say otherwise");
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
            claim.refute("the read returned what it should");
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

    /** Judges the value that a read before returned: no particular writer need be named, but one that is must have written it. */
    private static void verifyExpectedInside(FindingClaim claim) {
        Expectation read = claim.read();
        long reader = claim.first.txnId();
        if (claim.wroteBefore) {
            if (read.expectedWriter() == null || read.expectedWriter() != reader) {
                claim.refute("the transaction itself wrote what was expected: claimed=" + read.expectedWriter());
            }
        } else if (read.expectedWriter() != null
                && (read.expected() == null
                        || claim.key.facts(read.expected()).doneBy.get((long) read.expectedWriter()) == 0)) {
            claim.refute("did not write what was expected: claimed=" + read.expectedWriter());
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
        ValueFacts facts = claim.observedFacts;
        Participant writer = claim.by(Role.OBSERVED_WRITER);
        int did = read.observedWriter() == null ? 0 : facts.doneBy.get((long) read.observedWriter());
        if ((facts.done & ValueFacts.FINAL) != 0) {
            if ((did & ValueFacts.FINAL) == 0) {
                claim.refute("did not finally write what was observed: claimed=" + read.observedWriter());
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

    /** The shifted snapshot must show the observed value, and no smaller shift may. */
    private void verifyShift(FindingClaim claim, LastWriterQueries frontier, Participant writer) {
        long value = values.intern(claim.read().observed());
        long reader = claim.first.txnId();
        NearestCommitQueries nearest = claim.observedFacts.nearest;
        long before = nearest.before(claim.nearestQuestion, reader);
        long after = nearest.after(claim.nearestQuestion, reader);
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
