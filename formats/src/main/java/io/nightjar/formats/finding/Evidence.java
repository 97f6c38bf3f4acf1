package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions that findings speak of, kept as columns while the history passes by, and handed out as rows for people
 * afterwards.
 *
 * <p>Costs memory for the wanted transactions only. One thread observes.
 */
public final class Evidence {

    /** There is no such operation. */
    public static final int NO_OP = -1;

    private static final int CHUNK_WEIGHT = 1 << 18;
    private static final long CHUNK_ROWS = 1L << 30;
    private static final long ABSENT = -1;

    /** An operation of a transaction on a key, by its part in an anomaly. */
    public enum Part {
        /** The first read of the key. */
        FIRST_READ,
        /** The first read of the key that differs from what the transaction itself read or wrote before. */
        INTERNAL_MISMATCH,
        /** The last change of the key. */
        FINAL_WRITE
    }

    private final LongSet wanted;
    private final List<HistorySlice> chunks = new ArrayList<>();
    private final Long2LongOpenHashMap placeOf = new Long2LongOpenHashMap(); // chunk << 32 | txn, by transaction id
    private SliceBuilder open;
    private String openFile;
    private long openRow;

    public Evidence(LongSet wantedTxnIds) {
        wanted = wantedTxnIds;
        placeOf.defaultReturnValue(ABSENT);
    }

    public Evidence(long... wantedTxnIds) {
        this(new LongOpenHashSet(wantedTxnIds));
    }

    /** The transactions that take part in the findings. */
    public static LongSet participantsOf(List<Finding> findings) {
        LongOpenHashSet ids = new LongOpenHashSet();
        for (Finding finding : findings) {
            for (Participant participant : finding.participants()) {
                ids.add(participant.txnId());
            }
        }
        return ids;
    }

    /** Keeps the wanted transactions of a slice; every slice of the history is shown once, with all its columns. */
    public void observe(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (wanted.contains(slice.txnId[txn])) {
                keep(slice, txn);
            }
        }
    }

    private void keep(HistorySlice slice, int txn) {
        long row = slice.rowOf(txn);
        if (open == null
                || open.weight() >= CHUNK_WEIGHT
                || !slice.file.equals(openFile)
                || Math.abs(row - openRow) > CHUNK_ROWS) {
            seal();
            open = new SliceBuilder(slice.file);
            openFile = slice.file;
            openRow = row;
        }
        placeOf.put(slice.txnId[txn], ((long) chunks.size() << 32) | open.txnCount());
        open.copyTxn(slice, txn);
    }

    private void seal() {
        if (open != null) {
            chunks.add(open.build());
            open = null;
        }
    }

    public boolean has(long txnId) {
        return placeOf.containsKey(txnId);
    }

    /** A wanted transaction, or null if the history has none of this id. */
    public TxnRow row(long txnId) {
        long place = placeOf.get(txnId);
        if (place == ABSENT) {
            return null;
        }
        HistorySlice chunk = chunk(place);
        int txn = (int) place;
        List<OpRow> ops = new ArrayList<>();
        for (int op = firstOp(chunk, txn); op < firstOp(chunk, txn + 1); op++) {
            ops.add(new OpRow(OpKind.name(chunk.kind[op]), chunk.keyText(op), valueText(chunk, op)));
        }
        return new TxnRow(
                txnId,
                chunk.sessionId[txn],
                chunk.sessionSeq[txn],
                TxnStatus.name(chunk.status[txn]),
                chunk.startTs[txn],
                chunk.commitTs[txn],
                chunk.extra == null ? null : chunk.extra[txn],
                chunk.file,
                chunk.rowOf(txn),
                ops);
    }

    /** Position, from 0, of the operation that gives a participant its part, or {@link #NO_OP}. */
    public int opIndexOf(Finding finding, Participant participant) {
        Finding.Expectation read = finding.expectation();
        return switch (participant.role()) {
            case READER ->
                switch (finding.anomaly()) {
                    case INT -> internalMismatch(participant.txnId(), finding.key(), read);
                    default -> opIndexOf(participant.txnId(), finding.key(), Part.FIRST_READ);
                };
            case OBSERVED_WRITER -> lastWriteOf(participant.txnId(), finding.key(), read.observed());
            case EXPECTED_WRITER, EARLIER_WRITER, LATER_WRITER ->
                opIndexOf(participant.txnId(), finding.key(), Part.FINAL_WRITE);
            case SUBJECT, PREVIOUS, ON_CYCLE, NEEDED -> NO_OP;
        };
    }

    /** Position, from 0, of an operation inside its transaction, or {@link #NO_OP}. */
    public int opIndexOf(long txnId, String key, Part part) {
        long place = placeOf.get(txnId);
        if (place == ABSENT) {
            return NO_OP;
        }
        HistorySlice chunk = chunk(place);
        int txn = (int) place;
        OwnReads own = new OwnReads();
        int found = NO_OP;
        for (int op = firstOp(chunk, txn); op < firstOp(chunk, txn + 1); op++) {
            if (!chunk.keyText(op).equals(key)) {
                continue;
            }
            boolean isRead = OpKind.isRead(chunk.kind[op]);
            boolean disagrees = own.disagrees(chunk, op);
            boolean wanted =
                    switch (part) {
                        case FIRST_READ -> isRead;
                        case INTERNAL_MISMATCH -> disagrees;
                        case FINAL_WRITE -> !isRead;
                    };
            if (wanted) {
                found = op - firstOp(chunk, txn);
                if (part != Part.FINAL_WRITE) {
                    return found;
                }
            }
        }
        return found;
    }

    /** The read that follows what was expected and returned what was observed, else the first that disagrees. */
    private int internalMismatch(long txnId, String key, Finding.Expectation read) {
        long place = placeOf.get(txnId);
        if (place == ABSENT || read == null) {
            return NO_OP;
        }
        HistorySlice chunk = chunk(place);
        int txn = (int) place;
        int before = NO_OP;
        for (int op = firstOp(chunk, txn); op < firstOp(chunk, txn + 1); op++) {
            if (!chunk.keyText(op).equals(key)) {
                continue;
            }
            if (before != NO_OP
                    && OpKind.isRead(chunk.kind[op])
                    && equal(valueText(chunk, before), read.expected())
                    && equal(valueText(chunk, op), read.observed())) {
                return op - firstOp(chunk, txn);
            }
            before = op;
        }
        return opIndexOf(txnId, key, Part.INTERNAL_MISMATCH);
    }

    private int lastWriteOf(long txnId, String key, String value) {
        long place = placeOf.get(txnId);
        if (place == ABSENT) {
            return NO_OP;
        }
        HistorySlice chunk = chunk(place);
        int txn = (int) place;
        for (int op = firstOp(chunk, txn + 1) - 1; op >= firstOp(chunk, txn); op--) {
            if (OpKind.isWrite(chunk.kind[op]) && chunk.keyText(op).equals(key) && equal(valueText(chunk, op), value)) {
                return op - firstOp(chunk, txn);
            }
        }
        return opIndexOf(txnId, key, Part.FINAL_WRITE);
    }

    private HistorySlice chunk(long place) {
        int chunk = (int) (place >>> 32);
        if (chunk == chunks.size()) {
            seal();
        }
        return chunks.get(chunk);
    }

    private static int firstOp(HistorySlice chunk, int txn) {
        return chunk.firstOpOf[txn];
    }

    private static String valueText(HistorySlice chunk, int op) {
        return switch (chunk.kind[op]) {
            case OpKind.READ_NOTHING -> null;
            case OpKind.READ_LIST -> ListText.of(chunk, chunk.value[op]);
            default -> chunk.valueText(chunk.value[op]);
        };
    }

    private static boolean equal(String a, String b) {
        return a == null ? b == null : a.equals(b);
    }
}
