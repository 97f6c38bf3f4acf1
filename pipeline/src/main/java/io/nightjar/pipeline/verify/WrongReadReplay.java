package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges reads of what no transaction should see, and reads against what their own transaction did. */
final class WrongReadReplay {

    private final RawTxns raw;
    private final ClaimedReads reads;

    WrongReadReplay(RawTxns raw, ClaimedReads reads) {
        this.raw = raw;
        this.reads = reads;
    }

    void judgeAborted(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!reads.isReadBy(claim) || !reads.isByOthers(claim, Origin.ABORTED, writer, null, null)) {
            return;
        }
        if (raw.status[writer] != TxnStatus.ABORTED) {
            claim.refute("the writer is not aborted: status=" + TxnStatus.name(raw.status[writer]));
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = raw.firstOpOf[writer]; write < raw.firstOpOf[writer + 1]; write++) {
                if (reads.isSeen(claim, read, write)
                        && reads.facts(claim, raw.value[write]).livingWriter == KeyFacts.NOBODY) {
                    return;
                }
            }
        }
        claim.refute("no read returned what the aborted transaction wrote, and it alone");
    }

    void judgeIntermediate(ValueClaim claim) {
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (!reads.isReadBy(claim)) {
            return;
        }
        String last = writer == RawTxns.NONE ? null : lastValue(claim, writer);
        Long expectedWriter = writer == RawTxns.NONE ? null : raw.txnId[writer];
        if (!reads.isByOthers(claim, Origin.INTERMEDIATE, writer, last, expectedWriter)) {
            return;
        }
        if (raw.status[writer] == TxnStatus.ABORTED) {
            claim.refute("the writer is aborted: txn=" + raw.txnId[writer]);
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = raw.firstOpOf[writer]; write < raw.firstOpOf[writer + 1]; write++) {
                if (reads.isSeen(claim, read, write)
                        && reads.facts(claim, raw.value[write]).livingWriter == raw.txnId[writer]
                        && isReplaced(claim, writer, write, reader, read)) {
                    return;
                }
            }
        }
        claim.refute("no read returned what its writer replaced itself, unseen by the reader");
    }

    private @Nullable String lastValue(ValueClaim claim, int writer) {
        String last = null;
        for (int op = raw.firstOpOf[writer]; op < raw.firstOpOf[writer + 1]; op++) {
            if (raw.key[op] == claim.key && OpKind.isWrite(raw.kind[op])) {
                last = raw.text(op);
            }
        }
        return last;
    }

    /** Whether the writer went on to write the key, and the read does not show it or ends before it. */
    private boolean isReplaced(ValueClaim claim, int writer, int write, int reader, int read) {
        int last = write;
        for (int later = write + 1; later < raw.firstOpOf[writer + 1]; later++) {
            if (raw.key[later] == claim.key && OpKind.isWrite(raw.kind[later])) {
                last = later;
            }
        }
        int length = raw.outsideLength(reader, read);
        boolean isAtEnd = length > 0 && raw.element(read, length - 1) == raw.value[write];
        return last != write
                && raw.value[last] != raw.value[write]
                && (isAtEnd || !reads.returns(read, raw.value[last]));
    }

    void judgeGarbage(ValueClaim claim) {
        if (!reads.isReadBy(claim) || !reads.hasOrigin(claim, Origin.NEVER, null, null, null)) {
            return;
        }
        int reader = claim.txnBy(Role.READER);
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            if (!reads.isReadOn(claim, read) || reads.textOf(claim, read) == null) {
                continue;
            }
            for (int place = 0; place < reads.sizeOf(read); place++) {
                long value = reads.valueAt(read, place);
                if (reads.isObserved(claim, read, value) && reads.facts(claim, value).writer == KeyFacts.NOBODY) {
                    return;
                }
            }
        }
        claim.refute("no read returned a value that nobody wrote");
    }

    void judgeFuture(ValueClaim claim) {
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
        for (int read = raw.firstOpOf[reader]; read < raw.firstOpOf[reader + 1]; read++) {
            for (int write = read + 1; write < raw.firstOpOf[reader + 1]; write++) {
                if (reads.isSeen(claim, read, write)
                        && reads.facts(claim, raw.value[write]).livingWriter == raw.txnId[reader]
                        && !isWrittenBefore(claim, reader, read, raw.value[write])) {
                    return;
                }
            }
        }
        claim.refute("no read returned what its own transaction wrote only afterwards");
    }

    private boolean isWrittenBefore(ValueClaim claim, int txn, int read, long value) {
        for (int op = raw.firstOpOf[txn]; op < read; op++) {
            if (raw.key[op] == claim.key && OpKind.isWrite(raw.kind[op]) && raw.value[op] == value) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- reads against their own transaction

    void judgeInternal(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        Expectation read = claim.finding.expectation();
        if (read == null) {
            claim.refute("an internal read without what was expected");
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
        OwnView view = new OwnView(raw, reads.initialOf(claim), reads.facts(claim).isSet);
        for (int op = raw.firstOpOf[reader]; op < raw.firstOpOf[reader + 1]; op++) {
            if (raw.key[op] != claim.key) {
                continue;
            }
            OwnView.Disagreement disagreement = view.take(op);
            boolean counts = disagreement == OwnView.Disagreement.WITH_OWN_WRITE
                    || disagreement == OwnView.Disagreement.WITH_OWN_READ
                            && claim.finding.level() != IsolationLevel.READ_COMMITTED;
            if (counts
                    && Objects.equals(reads.textOf(claim, op), read.observed())
                    && view.expectedTexts().contains(String.valueOf(read.expected()))
                    && (!isOwn || view.hasOwnWrites())
                    && reads.isWriterOf(claim, op)) {
                return;
            }
        }
        claim.refute("no read disagrees so with its own transaction: claimed=" + read);
    }
}
