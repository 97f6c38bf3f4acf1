package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.verify.InternalReads.Evidence;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end for claims about lists, one list at a time. */
final class ListReadClaims {

    private final RawTxns raw;
    private final ReadClaims reads;
    private final Int2IntOpenHashMap agreement =
            new Int2IntOpenHashMap(); // with the log, by first element of a list read

    ListReadClaims(RawTxns raw, ReadClaims reads) {
        this.raw = raw;
        this.reads = reads;
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
                agreement.clear();
            }
            verify(claim, log);
            before = claim;
        }
    }

    private void verify(FindingClaim claim, AppendLog.Ordered log) {
        if (claim.key.hasRegisterWrites) {
            claim.refute("the key is written as a register and as a list: key=" + claim.key.text);
            return;
        }
        InternalReads own = new InternalReads(raw, Evidence.TIMESTAMPS, null, false);
        int read = reads.readOf(claim, own);
        if (claim.isRefuted()) {
            return;
        }
        boolean isExternal = claim.finding.anomaly() == Anomaly.EXT;
        if (isExternal ? raw.kind[read] == OpKind.READ : !own.isList()) {
            claim.refute("the reader's own operations differ");
        } else if (isExternal) {
            verifyExternal(claim, log, read, own.ownElements());
        } else {
            verifyInternal(claim, log, read, own);
        }
    }

    // ---------------------------------------------------------------- EXT

    private void verifyExternal(FindingClaim claim, AppendLog.Ordered log, int read, LongArrayList own) {
        int seen = log.lengthSeenBy(claim);
        verifyExpected(claim, log, seen, own);
        verifySnapshotWriter(claim, log, seen);
        boolean isOwnRight = raw.endsWith(read, own);
        int length = isOwnRight ? raw.length(read) - own.size() : raw.length(read);
        int agreement = Math.min(agreement(read, log), length);
        boolean isRight = isOwnRight ? length == seen && agreement == seen : length >= seen && agreement >= seen;
        if (isRight) {
            claim.refute("the read returned the expected version");
            return;
        }
        int same = Math.min(agreement, seen);
        verifySource(claim, log, read, same, length);
        ReadClaims.verifySlack(claim, isOwnRight ? shift(claim, log, length, agreement) : null);
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

    /** Returns the shift that explains a list; null unless it once was the whole list. */
    private static @Nullable Long shift(FindingClaim claim, AppendLog.Ordered log, int length, int agreement) {
        if (agreement < length || !log.isState(length)) {
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

    private void verifyInternal(FindingClaim claim, AppendLog.Ordered log, int read, InternalReads internal) {
        LongArrayList own = internal.ownElements();
        verifyInternalWriter(claim, log, own);
        if (claim.finding.slack() != null) {
            claim.refute("an internal mismatch has no slack: slack=" + claim.finding.slack());
        }
        int length = raw.length(read);
        int same = 0;
        if (internal.hasReadBefore(read)) {
            int expectedLength = internal.expectedLength();
            while (same < Math.min(expectedLength, length)
                    && raw.element(read, same) == internal.expectedElement(same)) {
                same++;
            }
        } else {
            int seen = log.lengthSeenBy(claim);
            verifyExpected(claim, log, seen, own);
            same = Math.min(agreement(read, log), seen);
            while (same >= seen
                    && same < Math.min(seen + own.size(), length)
                    && raw.element(read, same) == own.getLong(same - seen)) {
                same++;
            }
        }
        verifySource(claim, log, read, same, length);
    }

    private static void verifyInternalWriter(FindingClaim claim, AppendLog.Ordered log, LongArrayList own) {
        Long writer = claim.read().expectedWriter();
        if (!own.isEmpty()) {
            if (writer == null || writer != claim.first.txnId()) {
                claim.refute("the transaction itself wrote the expected version: claimed=" + writer);
            }
        } else if (writer != null && !log.hasWriter(writer)) {
            claim.refute("the named writer did not write the expected version: claimed=" + writer);
        }
    }

    // ---------------------------------------------------------------- both

    /** Returns how many leading elements of a list read agree with the log. */
    private int agreement(int read, AppendLog.Ordered log) {
        int length = raw.length(read);
        if (length == 0) {
            return 0;
        }
        int list = (int) (raw.value[read] >>> 32);
        int known = agreement.get(list);
        while (known < Math.min(length, log.size()) && raw.element(read, known) == log.element(known)) {
            known++;
        }
        agreement.put(list, known);
        return Math.min(known, length);
    }

    /** Verifies the origin of the first element that differs, or of a list that ends too early. */
    private void verifySource(FindingClaim claim, AppendLog.Ordered log, int read, int same, int length) {
        if (same == length) {
            verifyEarlyEnd(claim, log, length == 0 ? null : raw.element(read, length - 1));
        } else {
            verifyElement(claim, log, raw.element(read, same));
        }
    }

    private void verifyExpected(FindingClaim claim, AppendLog.Ordered log, int seen, LongArrayList own) {
        String expected =
                ListText.of(seen + own.size(), i -> raw.values.text(i < seen ? log.element(i) : own.getLong(i - seen)));
        if (!ReadClaims.isEqual(expected, claim.read().expected())) {
            claim.refute("the list should be another: expected=" + expected + " claimed="
                    + claim.read().expected());
        }
    }

    /**
     * Verifies a list that ends too early, which is stale; its writer is the transaction that appended its last
     * element.
     */
    private static void verifyEarlyEnd(FindingClaim claim, AppendLog.Ordered log, @Nullable Long lastElement) {
        Expectation read = claim.read();
        if (read.origin() != Origin.STALE) {
            claim.refute("origin: expected=" + Origin.STALE + " claimed=" + read.origin());
        } else if (lastElement == null) {
            if (read.observedWriter() != null) {
                claim.refute("the empty list has no writer: claimed=" + read.observedWriter());
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
