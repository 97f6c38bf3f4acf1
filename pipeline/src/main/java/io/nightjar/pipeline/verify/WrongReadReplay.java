package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.InternalReads.Disagreement;
import io.nightjar.pipeline.verify.InternalReads.Evidence;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Objects;

/** Verifies reads of versions that no transaction may observe, and reads that contradict their own transaction. */
final class WrongReadReplay {

    private final GatheredFacts gathered;
    private final RawTxns raw;
    private final ClaimedReads reads;

    WrongReadReplay(GatheredFacts gathered, ClaimedReads reads) {
        this.gathered = gathered;
        this.raw = gathered.raw();
        this.reads = reads;
    }

    void verifyAborted(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!reads.isReadBy(claim) || !reads.isByOthers(claim, Origin.ABORTED, writer, null, null)) {
            return;
        }
        if (raw.status[writer] != TxnStatus.ABORTED) {
            claim.refute("the writer is not aborted: status=" + TxnStatus.name(raw.status[writer]));
            return;
        }
        Long2IntMap firstWrites = firstWritesOf(claim, writer);
        verifyObserved(
                claim,
                (read, value) ->
                        firstWrites.containsKey(value) && reads.facts(claim, value).livingWriter == KeyFacts.NO_WRITER,
                "no read returned a value that only the aborted transaction wrote");
    }

    void verifyIntermediate(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!reads.isReadBy(claim)) {
            return;
        }
        int lastOp = writer == RawTxns.NONE ? RawTxns.NONE : lastWrite(claim, writer);
        String last = lastOp == RawTxns.NONE ? null : raw.text(lastOp);
        Long expectedWriter = writer == RawTxns.NONE ? null : raw.txnId[writer];
        if (!reads.isByOthers(claim, Origin.INTERMEDIATE, writer, last, expectedWriter)) {
            return;
        }
        if (raw.status[writer] == TxnStatus.ABORTED) {
            claim.refute("the writer is aborted: txn=" + raw.txnId[writer]);
            return;
        }
        int reader = claim.txnBy(Role.READER);
        Long2IntMap firstWrites = firstWritesOf(claim, writer);
        verifyObserved(
                claim,
                (read, value) -> firstWrites.containsKey(value)
                        && reads.facts(claim, value).livingWriter == raw.txnId[writer]
                        && isReplaced(value, lastOp, reader, read),
                "no read returned a value that its writer replaced without the reader observing it");
    }

    /** Refutes a claim unless a statement is true of an observed value. */
    private void verifyObserved(ValueClaim claim, ClaimedReads.ReturnedValue statement, String wrong) {
        if (!reads.anyObserved(claim, claim.txnBy(Role.READER), statement)) {
            claim.refute(wrong);
        }
    }

    /** Returns the first operation by which a transaction wrote each value to the key of a claim. */
    private Long2IntMap firstWritesOf(ValueClaim claim, int writer) {
        Long2IntMap firstWrites = new Long2IntOpenHashMap();
        for (int op : raw.opsOn(writer, claim.key)) {
            if (OpKind.isWrite(raw.kind[op])) {
                firstWrites.putIfAbsent(raw.value[op], op);
            }
        }
        return firstWrites;
    }

    private int lastWrite(ValueClaim claim, int writer) {
        int last = RawTxns.NONE;
        for (int op : raw.opsOn(writer, claim.key)) {
            last = OpKind.isWrite(raw.kind[op]) ? op : last;
        }
        return last;
    }

    /**
     * Returns whether a later write of the writer to the key replaced a value, and the read shows no trace of that
     * write.
     */
    private boolean isReplaced(long value, int lastWrite, int reader, int read) {
        if (raw.value[lastWrite] == value) {
            return false;
        }
        int length = raw.outsideLength(reader, read);
        boolean isAtEnd = length > 0 && raw.element(read, length - 1) == value;
        return isAtEnd || !reads.returns(read, raw.value[lastWrite]);
    }

    void verifyGarbage(ValueClaim claim) {
        if (!reads.isReadBy(claim) || !reads.hasOrigin(claim, Origin.NEVER, null, null, null)) {
            return;
        }
        Long initial = gathered.initialOf(claim.key);
        verifyObserved(
                claim,
                (read, value) -> (raw.kind[read] != OpKind.READ || initial == null || value != initial)
                        && reads.facts(claim, value).writer == KeyFacts.NO_WRITER,
                "no read returned a value without a writer");
    }

    void verifyFuture(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        if (!reads.isReadBy(claim)) {
            return;
        }
        Long writer = claim.read().observedWriter();
        if (!reads.hasOrigin(claim, Origin.FUTURE, writer, null, null)) {
            return;
        }
        if (writer != null && writer != raw.txnId[reader]) {
            claim.refute("the observed writer is not the reader: observedWriter=" + writer);
            return;
        }
        Long2IntMap firstWrites = firstWritesOf(claim, reader);
        verifyObserved(
                claim,
                (read, value) ->
                        firstWrites.get(value) > read && reads.facts(claim, value).livingWriter == raw.txnId[reader],
                "no read returned a value that its own transaction wrote later");
    }

    // ---------------------------------------------------------------- reads against their own transaction

    void verifyInternal(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        Expectation read = claim.finding.expectation();
        if (read == null) {
            claim.refute("the finding of an internal read has no expected value");
            return;
        }
        if (!reads.isReadBy(claim)) {
            return;
        }
        boolean isOwn = read.expectedWriter() != null && read.expectedWriter() == raw.txnId[reader];
        if (read.origin() != null || (read.expectedWriter() != null && !isOwn)) {
            claim.refute("an internal read is measured by its own transaction only: claimed=" + read);
            return;
        }
        InternalReads own =
                new InternalReads(raw, Evidence.VALUES, gathered.initialOf(claim.key), reads.facts(claim).isSet);
        for (int op : raw.opsOn(reader, claim.key)) {
            Disagreement disagreement = own.add(op);
            boolean counts = disagreement == Disagreement.WITH_OWN_WRITE
                    || disagreement == Disagreement.WITH_OWN_READ
                            && claim.finding.level() != IsolationLevel.READ_COMMITTED;
            if (counts
                    && Objects.equals(reads.textOf(op), read.observed())
                    && own.expectedTexts().contains(String.valueOf(read.expected()))
                    && (!isOwn || own.hasOwnWrites())
                    && reads.isWriterOf(claim, op)) {
                return;
            }
        }
        claim.refute("no read disagrees so with its own transaction: claimed=" + read);
    }
}
