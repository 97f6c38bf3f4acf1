package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.OpsByKey;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.verify.InternalReads.Disagreement;
import io.nightjar.pipeline.verify.InternalReads.Evidence;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the operation by which a transaction takes part in a finding. */
public final class FaultyOps {

    /** No such operation exists. */
    public static final int NO_OP = -1;

    /** An operation of a transaction on a key, by its role in an anomaly. */
    public enum OpRole {
        /** The first read of the key. */
        FIRST_READ,
        /** The first read of the key that contradicts an earlier read or write of its transaction. */
        INTERNAL_MISMATCH,
        /** The last change of the key. */
        FINAL_WRITE
    }

    private final ParticipantRows evidence;
    private final Long2ObjectOpenHashMap<OpsByKey> opsByKey = new Long2ObjectOpenHashMap<>(); // by transaction id

    /** @param evidence has seen the history */
    public FaultyOps(ParticipantRows evidence) {
        this.evidence = evidence;
    }

    /** Returns the position, from 0, of the operation that gives a participant its role, or {@link #NO_OP}. */
    public int opIndexOf(Finding finding, Participant participant) {
        Expectation read = finding.expectation();
        return switch (participant.role()) {
            case READER ->
                switch (finding.anomaly()) {
                    case INT, INTERNAL -> internalMismatch(participant.txnId(), finding.key(), read);
                    case G1A, G1B, GARBAGE_READ, FUTURE_READ -> readShowing(finding, participant, 1);
                    case DUPLICATE_ELEMENTS -> readShowing(finding, participant, 2);
                    case INCOMPATIBLE_ORDER -> readOfList(finding, participant);
                    default -> opIndexOf(participant.txnId(), finding.key(), OpRole.FIRST_READ);
                };
            case OBSERVED_WRITER ->
                lastWriteOf(
                        participant.txnId(), finding.key(), requireNonNull(read).observed());
            case EXPECTED_WRITER, EARLIER_WRITER, LATER_WRITER ->
                opIndexOf(participant.txnId(), finding.key(), OpRole.FINAL_WRITE);
            case SUBJECT ->
                finding.anomaly() == Anomaly.LOST_UPDATE
                        ? opIndexOf(participant.txnId(), finding.key(), OpRole.FINAL_WRITE)
                        : NO_OP;
            case PREVIOUS, ON_CYCLE, NEEDED -> NO_OP;
        };
    }

    /** Returns the position, from 0, of an operation inside its transaction, or {@link #NO_OP}. */
    public int opIndexOf(long txnId, @Nullable String key, OpRole role) {
        HistorySlice slice = evidence.sliceOf(txnId);
        if (slice == null) {
            return NO_OP;
        }
        int txn = evidence.ordinalOf(txnId);
        int[] ops = opsOn(txnId, slice, key);
        RawTxns raw = RawTxns.of(slice, txn, op -> Arrays.binarySearch(ops, op) >= 0);
        InternalReads own = new InternalReads(raw, Evidence.TIMESTAMPS, null, false);
        int found = NO_OP;
        for (int i = 0; i < ops.length; i++) {
            boolean disagrees = own.add(i) != Disagreement.NONE;
            boolean isWanted =
                    switch (role) {
                        case FIRST_READ -> raw.isRead(i);
                        case INTERNAL_MISMATCH -> disagrees;
                        case FINAL_WRITE -> !raw.isRead(i);
                    };
            if (isWanted) {
                found = ops[i] - slice.firstOpOf[txn];
                if (role != OpRole.FINAL_WRITE) {
                    return found;
                }
            }
        }
        return found;
    }

    /**
     * Returns the read with the expected and the observed value, or else the first read that contradicts its
     * transaction.
     */
    private int internalMismatch(long txnId, @Nullable String key, @Nullable Expectation read) {
        HistorySlice slice = evidence.sliceOf(txnId);
        if (slice == null || read == null) {
            return NO_OP;
        }
        int txn = evidence.ordinalOf(txnId);
        int before = NO_OP;
        for (int op : opsOn(txnId, slice, key)) {
            if (before != NO_OP
                    && OpKind.isRead(slice.kind[op])
                    && equal(ParticipantRows.valueText(slice, before), read.expected())
                    && equal(ParticipantRows.valueText(slice, op), read.observed())) {
                return op - slice.firstOpOf[txn];
            }
            before = op;
        }
        return opIndexOf(txnId, key, OpRole.INTERNAL_MISMATCH);
    }

    /** Returns the first read that shows the observed value, of a list as an element so many times; else the first read. */
    private int readShowing(Finding finding, Participant reader, int times) {
        String observed = requireNonNull(finding.expectation()).observed();
        int found = firstRead(
                reader.txnId(),
                finding.key(),
                (slice, op) -> slice.kind[op] == OpKind.READ_LIST
                        ? count(slice, op, observed) >= times
                        : equal(ParticipantRows.valueText(slice, op), observed));
        return found == NO_OP ? opIndexOf(reader.txnId(), finding.key(), OpRole.FIRST_READ) : found;
    }

    private static int count(HistorySlice slice, int op, @Nullable String element) {
        int list = ListRef.list(slice.value[op]);
        int count = 0;
        for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
            count += equal(slice.valueText(slice.lists.element(list, i)), element) ? 1 : 0;
        }
        return count;
    }

    /** Returns the read of one of two incompatible lists: the shorter one is of the first participant. */
    private int readOfList(Finding finding, Participant reader) {
        Expectation lists = requireNonNull(finding.expectation());
        String text = reader == finding.participants().get(0) ? lists.observed() : lists.expected();
        int found = firstRead(
                reader.txnId(), finding.key(), (slice, op) -> equal(ParticipantRows.valueText(slice, op), text));
        return found == NO_OP ? opIndexOf(reader.txnId(), finding.key(), OpRole.FIRST_READ) : found;
    }

    /** Test that selects a read by its operation in a slice. */
    private interface ReadTest {

        boolean fits(HistorySlice slice, int op);
    }

    private int firstRead(long txnId, @Nullable String key, ReadTest test) {
        HistorySlice slice = evidence.sliceOf(txnId);
        if (slice == null) {
            return NO_OP;
        }
        int txn = evidence.ordinalOf(txnId);
        for (int op : opsOn(txnId, slice, key)) {
            if (OpKind.isRead(slice.kind[op]) && test.fits(slice, op)) {
                return op - slice.firstOpOf[txn];
            }
        }
        return NO_OP;
    }

    private int lastWriteOf(long txnId, @Nullable String key, @Nullable String value) {
        HistorySlice slice = evidence.sliceOf(txnId);
        if (slice == null) {
            return NO_OP;
        }
        int txn = evidence.ordinalOf(txnId);
        int[] ops = opsOn(txnId, slice, key);
        for (int position = ops.length - 1; position >= 0; position--) {
            int op = ops[position];
            if (OpKind.isWrite(slice.kind[op]) && equal(ParticipantRows.valueText(slice, op), value)) {
                return op - slice.firstOpOf[txn];
            }
        }
        return opIndexOf(txnId, key, OpRole.FINAL_WRITE);
    }

    /** Returns the operations of a transaction on a key but guards, in program order. Each transaction is indexed once. */
    private int[] opsOn(long txnId, HistorySlice slice, @Nullable String key) {
        OpsOnKey onKey = new OpsOnKey(slice, key);
        if (!onKey.isThere()) {
            return new int[0];
        }
        int txn = evidence.ordinalOf(txnId);
        OpsByKey ofTxn = opsByKey.computeIfAbsent(
                txnId, absent -> new OpsByKey(slice.firstOpOf[txn], slice.firstOpOf[txn + 1], op -> slice.key[op]));
        return Arrays.stream(ofTxn.on(onKey.key()))
                .filter(op -> onKey.has(op) && !OpKind.isGuard(slice.kind[op]))
                .toArray();
    }

    /** Operations of a slice on a key, found without a text for each. */
    private record OpsOnKey(HistorySlice slice, boolean isThere, long key) {

        OpsOnKey(HistorySlice slice, @Nullable String key) {
            this(slice, isIn(slice, key), key != null && isIn(slice, key) ? asIn(slice, key) : 0);
        }

        private static boolean isIn(HistorySlice slice, @Nullable String key) {
            return key != null
                    && (slice.keyType == ValueType.STRING ? asIn(slice, key) >= 0 : ScalarPool.isNumber(key));
        }

        private static long asIn(HistorySlice slice, String key) {
            if (slice.keyType != ValueType.STRING) {
                return Long.parseLong(key);
            }
            byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
            return slice.keyNames.find(utf8, 0, utf8.length);
        }

        boolean has(int op) {
            return isThere && slice.key[op] == key && slice.hasKey(op);
        }
    }

    private static boolean equal(@Nullable String a, @Nullable String b) {
        return a == null ? b == null : a.equals(b);
    }
}
