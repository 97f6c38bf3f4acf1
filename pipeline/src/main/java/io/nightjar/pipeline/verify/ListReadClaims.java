package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.level.Anomaly;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end for claims about lists, one list at a time. */
final class ListReadClaims {

    private final ScalarTable values;
    private final ListStore lists;

    ListReadClaims(ScalarTable values, ListStore lists) {
        this.values = values;
        this.lists = lists;
    }

    void verify(List<FindingClaim> claims) {
        List<FindingClaim> byKey = new ArrayList<>(claims);
        byKey.sort(Comparator.comparingInt((FindingClaim claim) -> claim.key.ordinal)
                .thenComparing(claim -> claim.isSerial));
        AppendLog.Ordered log = null;
        FindingClaim before = null;
        for (FindingClaim claim : byKey) {
            if (log == null || before == null || before.key != claim.key || before.isSerial != claim.isSerial) {
                log = claim.key.log.ordered(claim.isSerial);
            }
            verify(claim, log);
            before = claim;
        }
    }

    private void verify(FindingClaim claim, AppendLog.Ordered log) {
        if (claim.key.hasRegisterWrites) {
            claim.refute("the key is written as a register and as a list: key=" + claim.key.text);
        } else if (!claim.readIsConfirmed || claim.list == null) {
            claim.refute("the reader's own operations say otherwise");
        } else if (claim.finding.anomaly() == Anomaly.EXT) {
            verifyExternal(claim, log);
        } else {
            verifyInternal(claim, log);
        }
    }

    // ---------------------------------------------------------------- EXT

    private void verifyExternal(FindingClaim claim, AppendLog.Ordered log) {
        ListClaim list = claim.list;
        int seen = log.lengthSeenBy(claim);
        verifyExpected(claim, log, seen);
        verifySnapshotWriter(claim, log, seen);
        int length = list.ownPartIsRight ? list.length - list.own.length : list.length;
        int agreement = Math.min(agreement(list, log), length);
        boolean isRight =
                list.ownPartIsRight ? length == seen && agreement == seen : length >= seen && agreement >= seen;
        if (isRight) {
            claim.refute("the read returned what it should");
            return;
        }
        int same = Math.min(agreement, seen);
        if (same == length) {
            verifyEarlyEnd(claim, log, length == 0 ? null : log.element(length - 1));
        } else {
            verifyElement(claim, log, lists.element(list.stored, same));
        }
        ReadClaims.verifySlack(claim, shift(claim, log, length, agreement));
    }

    private static void verifySnapshotWriter(FindingClaim claim, AppendLog.Ordered log, int seen) {
        Long writer = seen == 0 ? null : log.writerOfLast(seen);
        if (writer == null
                ? claim.read().expectedWriter() != null
                : !writer.equals(claim.read().expectedWriter())) {
            claim.refute("the last writer is another: expected=" + writer + " claimed="
                    + claim.read().expectedWriter());
        }
    }

    /** Returns the shift that explains a list; null unless it once was the whole list and the own part is right. */
    private static @Nullable Long shift(FindingClaim claim, AppendLog.Ordered log, int length, int agreement) {
        if (!claim.list.ownPartIsRight || agreement < length || !log.isState(length)) {
            return null;
        }
        long first = log.commitOfLast(length);
        long last = log.lastTsOf(length);
        if (last < first || (length > 0 && log.writerOfLast(length) == claim.first.txnId())) {
            return null;
        }
        return last < claim.readTs() ? last - claim.readTs() : Math.max(0, first - claim.readTs());
    }

    // ---------------------------------------------------------------- INT

    private void verifyInternal(FindingClaim claim, AppendLog.Ordered log) {
        ListClaim list = claim.list;
        verifyInternalWriter(claim, log);
        if (claim.finding.slack() != null) {
            claim.refute("an internal mismatch has no slack: slack=" + claim.finding.slack());
        }
        if (list.isLaterRead) {
            if (!list.endsTooEarly) {
                verifyElement(claim, log, list.differing);
            } else {
                verifyEarlyEnd(claim, log, list.length == 0 ? null : lists.element(list.stored, list.length - 1));
            }
            return;
        }
        int seen = log.lengthSeenBy(claim);
        verifyExpected(claim, log, seen);
        int same = Math.min(agreement(list, log), seen);
        while (same >= seen
                && same < Math.min(seen + list.own.length, list.length)
                && lists.element(list.stored, same) == list.own[same - seen]) {
            same++;
        }
        if (same == list.length) {
            verifyEarlyEnd(claim, log, same == 0 ? null : lists.element(list.stored, same - 1));
        } else {
            verifyElement(claim, log, lists.element(list.stored, same));
        }
    }

    private static void verifyInternalWriter(FindingClaim claim, AppendLog.Ordered log) {
        Long writer = claim.read().expectedWriter();
        if (claim.list.own.length > 0) {
            if (writer == null || writer != claim.first.txnId()) {
                claim.refute("the transaction itself wrote what was expected: claimed=" + writer);
            }
        } else if (writer != null && !log.hasWriter(writer)) {
            claim.refute("did not write what was expected: claimed=" + writer);
        }
    }

    // ---------------------------------------------------------------- both

    private int agreement(ListClaim list, AppendLog.Ordered log) {
        return list.stored == ListClaim.NO_LIST ? 0 : lists.agreement(list.stored, log);
    }

    private void verifyExpected(FindingClaim claim, AppendLog.Ordered log, int seen) {
        long[] own = claim.list.own;
        String expected = ListText.of(seen + own.length, i -> values.text(i < seen ? log.element(i) : own[i - seen]));
        if (!ReadClaims.isEqual(expected, claim.read().expected())) {
            claim.refute("the list should be another: expected=" + expected + " claimed="
                    + claim.read().expected());
        }
    }

    /** Judges a list that only ends too early, which is stale; its writer is the one that appended its last element. */
    private static void verifyEarlyEnd(FindingClaim claim, AppendLog.Ordered log, @Nullable Long lastElement) {
        Expectation read = claim.read();
        if (read.origin() != Origin.STALE) {
            claim.refute("origin: expected=" + Origin.STALE + " claimed=" + read.origin());
        } else if (lastElement == null) {
            if (read.observedWriter() != null) {
                claim.refute("nobody wrote the empty list: claimed=" + read.observedWriter());
            }
        } else if (!log.isAppended(lastElement)) {
            verifyUncommitted(claim, lastElement);
        } else if (read.observedWriter() == null
                || !(log.isAppendedBy(lastElement, read.observedWriter(), claim, true)
                        || log.isAppendedBy(lastElement, read.observedWriter(), claim, false))) {
            claim.refute("observed writer: claimed=" + read.observedWriter());
        }
    }

    private static void verifyUncommitted(FindingClaim claim, long element) {
        Long writer = claim.read().observedWriter();
        boolean isAborted = claim.key.log.isAborted(element);
        boolean isRight = isAborted ? writer != null && claim.key.log.isAbortedBy(element, writer) : writer == null;
        if (!isRight) {
            claim.refute("observed writer: claimed=" + writer);
        }
    }

    private static void verifyElement(FindingClaim claim, AppendLog.Ordered log, long element) {
        Expectation read = claim.read();
        if (log.isAppended(element)) {
            boolean isStale = read.origin() == Origin.STALE;
            if (!isStale && read.origin() != Origin.FUTURE) {
                claim.refute("origin: a committed transaction appended the element, claimed=" + read.origin());
            } else if (read.observedWriter() == null
                    || !log.isAppendedBy(element, read.observedWriter(), claim, isStale)) {
                claim.refute(
                        "did not append the element on that side of the snapshot: claimed=" + read.observedWriter());
            }
            return;
        }
        Origin origin = claim.key.log.isAborted(element) ? Origin.ABORTED : Origin.NEVER;
        if (read.origin() != origin) {
            claim.refute("origin: expected=" + origin + " claimed=" + read.origin());
        }
        verifyUncommitted(claim, element);
    }
}
