package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.Objects;

/** Verifies updates based on a version of an aborted transaction, and updates that replaced one version twice. */
final class UpdateReplay {

    private final RawTxns raw;
    private final ClaimedReads reads;

    UpdateReplay(RawTxns raw, ClaimedReads reads) {
        this.raw = raw;
        this.reads = reads;
    }

    void verifyDirtyUpdate(ValueClaim claim) {
        int aborted = claim.txnBy(Role.EARLIER_WRITER);
        int updater = claim.txnBy(Role.LATER_WRITER);
        if (aborted == RawTxns.NONE || updater == RawTxns.NONE || claim.txnOf.length > 3) {
            claim.refute("a dirty update needs an aborted writer and one that built on it");
            return;
        }
        if (raw.status[aborted] != TxnStatus.ABORTED || raw.status[updater] == TxnStatus.ABORTED) {
            claim.refute("the earlier writer must be aborted, the later one not");
            return;
        }
        int shower = claim.txnOf.length == 2 ? RawTxns.NONE : claim.txnBy(Role.NEEDED);
        if (claim.txnOf.length == 3 && (shower == RawTxns.NONE || !reads.isCommittedReader(claim, shower))) {
            claim.refute("a third transaction that shows nothing");
            return;
        }
        for (int write : raw.opsOn(aborted, claim.key)) {
            boolean isDirty = OpKind.isWrite(raw.kind[write])
                    && reads.facts(claim, raw.value[write]).livingWriter == KeyFacts.NO_WRITER
                    && (claim.finding.expectation() == null
                            || Objects.equals(raw.text(write), claim.read().observed()));
            if (isDirty && isBuiltOn(claim, raw.value[write], updater, shower)) {
                return;
            }
        }
        claim.refute("no evidence shows an update based on the version of the other transaction");
    }

    /**
     * Returns whether the updater read the value before its write of the key, or a committed read shows the value
     * followed by an element of the updater.
     */
    private boolean isBuiltOn(ValueClaim claim, long value, int updater, int shower) {
        boolean hasRead = false;
        for (int op : raw.opsOn(updater, claim.key)) {
            hasRead |= raw.isRead(op) && reads.returns(op, value);
            if (OpKind.isWrite(raw.kind[op])) {
                boolean isShown = shower == RawTxns.NONE
                        ? hasRead && raw.status[updater] == TxnStatus.COMMITTED
                                || isAfter(reads.facts(claim).whole.elements, value, raw.value[op])
                        : showsAfter(claim, shower, value, raw.value[op]);
                if (isShown) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean showsAfter(ValueClaim claim, int shower, long first, long second) {
        for (int op : raw.opsOn(shower, claim.key)) {
            if (raw.isListRead(op) && isAfter(raw.list(op), first, second)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAfter(long[] list, long first, long second) {
        boolean hasFirst = false;
        for (long element : list) {
            if (hasFirst && element == second) {
                return true;
            }
            hasFirst |= element == first;
        }
        return false;
    }

    void verifyLostUpdate(ValueClaim claim) {
        Expectation version = claim.finding.expectation();
        boolean saysMore = version != null
                && (version.expected() != null
                        || version.expectedWriter() != null
                        || version.observedWriter() != null
                        || version.origin() != null);
        boolean isOfSubjects = claim.finding.participants().stream().allMatch(txn -> txn.role() == Role.SUBJECT);
        if (claim.txnOf.length < 2 || saysMore || hasTwice(claim) || !isOfSubjects) {
            claim.refute("a lost update needs two transactions and the version that they read");
            return;
        }
        int first = claim.txnOf[0];
        for (int read : raw.opsOn(first, claim.key)) {
            if (isUpdateOf(claim, first, read)
                    && (version == null || ReadClaims.isEqual(reads.textOf(read), version.observed()))
                    && allUpdate(claim, read)) {
                return;
            }
        }
        claim.refute("not all read one version of the key and replaced it");
    }

    private static boolean hasTwice(ValueClaim claim) {
        return claim.finding.participants().stream()
                        .map(Participant::txnId)
                        .distinct()
                        .count()
                != claim.txnOf.length;
    }

    private boolean allUpdate(ValueClaim claim, int read) {
        for (int txn : claim.txnOf) {
            boolean updates = false;
            for (int op : raw.opsOn(txn, claim.key)) {
                updates |= isUpdateOf(claim, txn, op)
                        && ReadClaims.isEqual(reads.textOf(op), reads.textOf(read))
                        && isSame(claim, op, read);
            }
            if (!updates) {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(ValueClaim claim, int read, int other) {
        return (!isOfSeveral(claim, read) || raw.writerTxn[read] == raw.writerTxn[other])
                && raw.length(read) == raw.length(other)
                && !raw.areTorn(read, raw.length(read), other, raw.length(other));
    }

    /** Returns whether several transactions left the value that a register read returned. */
    private boolean isOfSeveral(ValueClaim claim, int read) {
        return raw.kind[read] == OpKind.READ && reads.facts(claim, raw.value[read]).lastingWriter == KeyFacts.SEVERAL;
    }

    /** Returns whether an operation is a committed transaction's read before any own write of the key, which it writes later. */
    private boolean isUpdateOf(ValueClaim claim, int txn, int read) {
        if (!reads.isReadOn(claim, read) || raw.status[txn] != TxnStatus.COMMITTED) {
            return false;
        }
        if (isOfSeveral(claim, read) && raw.writerTxn[read] == HistorySlice.NONE) {
            return false;
        }
        return raw.writesBefore(txn, read) == 0 && raw.writes(txn, claim.key);
    }
}
