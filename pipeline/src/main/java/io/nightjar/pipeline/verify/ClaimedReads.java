package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows that concern the reads named by a finding about one key. */
final class ClaimedReads {

    private final RawTxns raw;
    private final GatheredFacts gathered;

    ClaimedReads(GatheredFacts gathered) {
        this.raw = gathered.raw();
        this.gathered = gathered;
    }

    /** Returns whether the reader committed, and no transaction but the reader and whom it read from takes part. */
    boolean isReadBy(ValueClaim claim) {
        int reader = claim.txnBy(Role.READER);
        int roleCount = claim.txnBy(Role.OBSERVED_WRITER) == RawTxns.NONE ? 1 : 2;
        if (reader == RawTxns.NONE || claim.txnOf.length != roleCount) {
            claim.refute("wrong participants: claimed=" + claim.finding.participants());
            return false;
        }
        return isCommittedReader(claim, reader);
    }

    boolean isCommittedReader(ValueClaim claim, int reader) {
        if (raw.status[reader] != TxnStatus.COMMITTED) {
            claim.refute("the reader did not commit: txn=" + raw.txnId[reader]);
            return false;
        }
        return true;
    }

    boolean isByOthers(
            ValueClaim claim, Origin origin, int writer, @Nullable String expected, @Nullable Long expectedWriter) {
        int reader = claim.txnBy(Role.READER);
        if (writer == RawTxns.NONE || writer == reader) {
            claim.refute("no other transaction that wrote it");
            return false;
        }
        return hasOrigin(claim, origin, raw.txnId[writer], expected, expectedWriter);
    }

    /** Returns whether the rows confirm the expectation beyond the observed value. */
    boolean hasOrigin(
            ValueClaim claim,
            @Nullable Origin origin,
            @Nullable Long observedWriter,
            @Nullable String expected,
            @Nullable Long expectedWriter) {
        Expectation read = claim.read();
        boolean isRight = read.origin() == origin
                && Objects.equals(read.observedWriter(), observedWriter)
                && Objects.equals(read.expected(), expected)
                && Objects.equals(read.expectedWriter(), expectedWriter);
        if (!isRight) {
            claim.refute("expected=" + expected + " of " + expectedWriter + " origin=" + origin + " observedWriter="
                    + observedWriter + " claimed=" + read);
        }
        return isRight;
    }

    KeyFacts facts(ValueClaim claim) {
        return gathered.of(claim.key);
    }

    KeyFacts.Value facts(ValueClaim claim, long value) {
        KeyFacts.Value facts = facts(claim).valueOf.get(value);
        return facts == null ? new KeyFacts.Value() : facts;
    }

    /**
     * Returns the text by which findings denote the result of a read: null for the initial state, in every spelling of
     * the history.
     */
    @Nullable
    String textOf(int read) {
        return gathered.isInitial(read) ? null : raw.text(read);
    }

    boolean isReadOn(ValueClaim claim, int op) {
        return raw.key[op] == claim.key && raw.isRead(op);
    }

    /** A statement about a value that a read returned. */
    interface ReturnedValue {
        boolean test(int read, long value);
    }

    /** Returns whether a statement is true of a value that a read of the claim's key returned and that the claim names, alone or in its list. */
    boolean anyObserved(ValueClaim claim, int reader, ReturnedValue statement) {
        String observed = requireNonNull(claim.read().observed());
        for (int read : raw.opsOn(reader, claim.key)) {
            if (!raw.isRead(read)) {
                continue;
            }
            boolean isWhole = observed.equals(raw.text(read));
            for (int position = 0; position < sizeOf(read); position++) {
                long value = valueAt(read, position);
                if ((isWhole || observed.equals(raw.values.text(value))) && statement.test(read, value)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns how many values a read returned. */
    int sizeOf(int read) {
        return raw.kind[read] == OpKind.READ ? 1 : raw.length(read);
    }

    long valueAt(int read, int position) {
        return raw.kind[read] == OpKind.READ ? raw.value[read] : raw.element(read, position);
    }

    boolean returns(int read, long value) {
        for (int position = 0; position < sizeOf(read); position++) {
            if (valueAt(read, position) == value) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the observed writer, if one is named, wrote something that the read returned, and takes part if it is another. */
    boolean isWriterOf(ValueClaim claim, int read) {
        Long writerId = claim.read().observedWriter();
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        if (writerId == null) {
            return writer == RawTxns.NONE;
        }
        boolean isReader = writer == RawTxns.NONE && writerId == raw.txnId[claim.txnBy(Role.READER)];
        if (!isReader && (writer == RawTxns.NONE || raw.txnId[writer] != writerId)) {
            return false;
        }
        LongSet returned = new LongOpenHashSet();
        for (int position = 0; position < sizeOf(read); position++) {
            returned.add(valueAt(read, position));
        }
        int row = isReader ? claim.txnBy(Role.READER) : writer;
        for (int write : raw.opsOn(row, claim.key)) {
            if (OpKind.isWrite(raw.kind[write]) && returned.contains(raw.value[write])) {
                return true;
            }
        }
        return false;
    }
}
