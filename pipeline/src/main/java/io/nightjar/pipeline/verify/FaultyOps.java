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
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds the operation by which a transaction takes part in a finding. */
public final class FaultyOps {

    /** No such operation exists. */
    public static final int NO_OP = -1;

    private final ParticipantRows evidence;
    private final Long2ObjectOpenHashMap<OpsByKey> opsByKey = new Long2ObjectOpenHashMap<>(); // by transaction id

    /** @param evidence has seen the history */
    public FaultyOps(ParticipantRows evidence) {
        this.evidence = evidence;
    }

    /** Returns the position, from 0, of the operation that gives a participant its role, or {@link #NO_OP}. */
    public int opIndexOf(Finding finding, Participant participant) {
        HistorySlice slice = evidence.sliceOf(participant.txnId());
        if (slice == null || finding.key() == null) {
            return NO_OP;
        }
        int txn = evidence.ordinalOf(participant.txnId());
        OpsOnKey ops = new OpsOnKey(slice, txn, opsOn(slice, txn, finding.key()));
        int op =
                switch (participant.role()) {
                    case READER -> faultyRead(finding, participant, ops);
                    case OBSERVED_WRITER ->
                        ops.lastWrite(requireNonNull(finding.expectation()).observed());
                    case EXPECTED_WRITER, EARLIER_WRITER, LATER_WRITER -> ops.lastChange();
                    case SUBJECT -> finding.anomaly() == Anomaly.LOST_UPDATE ? ops.lastChange() : NO_OP;
                    case PREVIOUS, ON_CYCLE, NEEDED -> NO_OP;
                };
        return op == NO_OP ? NO_OP : op - slice.firstOpOf[txn];
    }

    private static int faultyRead(Finding finding, Participant reader, OpsOnKey ops) {
        Expectation read = finding.expectation();
        return switch (finding.anomaly()) {
            case INT, INTERNAL -> read == null ? NO_OP : ops.contradiction(read);
            case G1A, G1B, GARBAGE_READ, FUTURE_READ ->
                ops.readShowing(requireNonNull(read).observed(), 1);
            case DUPLICATE_ELEMENTS -> ops.readShowing(requireNonNull(read).observed(), 2);
            case INCOMPATIBLE_ORDER -> { // the shorter one of two lists is of the first participant
                boolean isFirst = reader == finding.participants().get(0);
                String list = isFirst
                        ? requireNonNull(read).observed()
                        : requireNonNull(read).expected();
                yield ops.firstRead(op -> Objects.equals(ops.value(op), list));
            }
            default -> ops.firstRead(op -> true);
        };
    }

    /** Returns the operations of a transaction on a key but guards, in program order; indexes each transaction once. */
    private int[] opsOn(HistorySlice slice, int txn, String key) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        boolean isName = slice.keyType == ValueType.STRING;
        long name = isName ? slice.keyNames.find(utf8, 0, utf8.length) : NO_OP;
        if (isName ? name < 0 : !ScalarPool.isNumber(key)) {
            return new int[0];
        }
        OpsByKey ofTxn = opsByKey.computeIfAbsent(
                slice.txnId[txn],
                absent -> new OpsByKey(slice.firstOpOf[txn], slice.firstOpOf[txn + 1], op -> slice.key[op]));
        return Arrays.stream(ofTxn.on(isName ? name : Long.parseLong(key)))
                .filter(op -> slice.hasKey(op) && !OpKind.isGuard(slice.kind[op]))
                .toArray();
    }

    /** Operations of one transaction on one key, in program order. */
    private record OpsOnKey(HistorySlice slice, int txn, int[] ops) {

        @Nullable
        String value(int op) {
            return ParticipantRows.valueText(slice, op);
        }

        /** Returns the first read that a test accepts, else the first read. */
        int firstRead(IntPredicate test) {
            int first = NO_OP;
            for (int op : ops) {
                if (OpKind.isRead(slice.kind[op])) {
                    if (test.test(op)) {
                        return op;
                    }
                    first = first == NO_OP ? op : first;
                }
            }
            return first;
        }

        /** Returns the first read that shows a value, of a list as an element so many times; else the first read. */
        int readShowing(@Nullable String observed, int times) {
            return firstRead(op -> slice.kind[op] == OpKind.READ_LIST
                    ? count(op, observed) >= times
                    : Objects.equals(value(op), observed));
        }

        private int count(int op, @Nullable String element) {
            int list = ListRef.list(slice.value[op]);
            int count = 0;
            for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                count += slice.valueText(slice.lists.element(list, i)).equals(element) ? 1 : 0;
            }
            return count;
        }

        /** Returns the last write of a value, else the last change. */
        int lastWrite(@Nullable String value) {
            for (int i = ops.length - 1; i >= 0; i--) {
                if (OpKind.isWrite(slice.kind[ops[i]]) && Objects.equals(value(ops[i]), value)) {
                    return ops[i];
                }
            }
            return lastChange();
        }

        int lastChange() {
            int last = NO_OP;
            for (int op : ops) {
                last = OpKind.isRead(slice.kind[op]) ? last : op;
            }
            return last;
        }

        /**
         * Returns the read with the expected and the observed value, or else the first read that contradicts its
         * transaction.
         */
        int contradiction(Expectation read) {
            for (int i = 1; i < ops.length; i++) {
                if (OpKind.isRead(slice.kind[ops[i]])
                        && Objects.equals(value(ops[i - 1]), read.expected())
                        && Objects.equals(value(ops[i]), read.observed())) {
                    return ops[i];
                }
            }
            RawTxns raw = RawTxns.of(slice, txn, op -> Arrays.binarySearch(ops, op) >= 0);
            InternalReads own = new InternalReads(raw, Evidence.TIMESTAMPS, null, false);
            for (int i = 0; i < ops.length; i++) {
                if (own.add(i) != Disagreement.NONE) {
                    return ops[i];
                }
            }
            return NO_OP;
        }
    }
}
