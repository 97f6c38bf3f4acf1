package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Verifies repeated values and elements, and lists of which neither is a prefix of the other. */
final class ListReplay {

    private final RawTxns raw;
    private final ClaimedReads reads;

    ListReplay(RawTxns raw, ClaimedReads reads) {
        this.raw = raw;
        this.reads = reads;
    }

    void verifyDuplicateWrite(ValueClaim claim) {
        int first = claim.txnBy(Role.EXPECTED_WRITER);
        int second = claim.txnBy(Role.OBSERVED_WRITER);
        Expectation write = claim.finding.expectation();
        if (first == RawTxns.NONE || second == RawTxns.NONE || claim.txnOf.length != 2 || write == null) {
            claim.refute("a doubled value needs two writers and the value");
            return;
        }
        boolean isRight = write.observed() != null
                && write.observed().equals(write.expected())
                && Objects.equals(write.expectedWriter(), raw.txnId[first])
                && Objects.equals(write.observedWriter(), raw.txnId[second])
                && write.origin() == null;
        int needed = first == second ? 2 : 1;
        if (!isRight
                || writesOf(claim, first, write.observed()) < needed
                || writesOf(claim, second, write.observed()) < needed) {
            claim.refute("not written twice: claimed=" + write);
        }
    }

    private int writesOf(ValueClaim claim, int txn, @Nullable String value) {
        int count = 0;
        for (int op : raw.opsOn(txn, claim.key)) {
            if (OpKind.isWrite(raw.kind[op]) && Objects.equals(raw.text(op), value)) {
                count++;
            }
        }
        return count;
    }

    void verifyDuplicateElements(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        Long writerId = writer == RawTxns.NONE ? claim.read().observedWriter() : Long.valueOf(raw.txnId[writer]);
        if (!reads.isReadBy(claim) || !reads.hasOrigin(claim, null, writerId, null, null)) {
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read : raw.opsOn(reader, claim.key)) {
            if (raw.isListRead(read) && showsTwice(claim, read, writerId) && reads.isWriterOf(claim, read)) {
                return;
            }
        }
        claim.refute("no list contains an element twice that was appended once");
    }

    /** Returns whether a list has an element twice that the claim names, alone or in its list, and that was appended once. */
    private boolean showsTwice(ValueClaim claim, int read, @Nullable Long writerId) {
        String observed = requireNonNull(claim.read().observed());
        boolean isWhole = observed.equals(raw.text(read));
        LongOpenHashSet seen = new LongOpenHashSet();
        for (int position = 0; position < raw.length(read); position++) {
            long element = raw.element(read, position);
            if (!seen.add(element) && (isWhole || observed.equals(raw.values.text(element)))) {
                KeyFacts.Value facts = reads.facts(claim, element);
                if (facts.writeCount <= 1 && (writerId == null || facts.writer == writerId)) {
                    return true;
                }
            }
        }
        return false;
    }

    void verifyIncompatible(ValueClaim claim) {
        Expectation read = claim.finding.expectation();
        boolean hasWriters = read != null
                && (read.expectedWriter() != null || read.observedWriter() != null || read.origin() != null);
        boolean isOfReaders = claim.finding.participants().stream().allMatch(txn -> txn.role() == Role.READER);
        if (claim.txnOf.length != 2 || !isOfReaders || read == null || hasWriters) {
            claim.refute("two readers with their lists are required");
            return;
        }
        int reader = claim.txnOf[0];
        int other = claim.txnOf[1];
        if (!reads.isCommittedReader(claim, reader) || !reads.isCommittedReader(claim, other)) {
            return;
        }
        for (int a : raw.opsOn(reader, claim.key)) {
            if (!reads.isReadOn(claim, a) || !Objects.equals(raw.text(a), read.observed())) {
                continue;
            }
            for (int b : raw.opsOn(other, claim.key)) {
                if (reads.isReadOn(claim, b) && Objects.equals(raw.text(b), read.expected()) && isTorn(claim, a, b)) {
                    return;
                }
            }
        }
        claim.refute("no two such lists, neither a prefix of the other");
    }

    /** Returns whether two lists differ at some position; if the claim is about snapshots, at an element read from outside. */
    private boolean isTorn(ValueClaim claim, int read, int other) {
        boolean isOutside = claim.isAboutSnapshots();
        int length = isOutside ? raw.outsideLength(claim.txnOf[0], read) : raw.length(read);
        int otherLength = isOutside ? raw.outsideLength(claim.txnOf[1], other) : raw.length(other);
        return raw.areTorn(read, length, other, otherLength);
    }
}
