package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that findings name, stored as columns while the history is scanned, and returned as readable rows
 * afterwards.
 *
 * <p>Requires memory for the wanted transactions only. Only one thread may call {@code observe}.
 */
public final class ParticipantRows {

    private static final int CHUNK_WEIGHT = 1 << 18;
    private static final long CHUNK_ROWS = 1L << 30;
    private static final long ABSENT = -1;

    private final LongSet wanted;
    private final List<HistorySlice> chunks = new ArrayList<>();
    private final Long2LongOpenHashMap positionOf = new Long2LongOpenHashMap(); // chunk << 32 | txn, by transaction id
    private @Nullable SliceBuilder open;
    private String openFile = "";
    private long openRow;

    public ParticipantRows(LongSet wantedTxnIds) {
        wanted = wantedTxnIds;
        positionOf.defaultReturnValue(ABSENT);
    }

    public ParticipantRows(long... wantedTxnIds) {
        this(new LongOpenHashSet(wantedTxnIds));
    }

    /** Returns the participants of the findings. */
    public static LongSet participantsOf(List<Finding> findings) {
        LongOpenHashSet ids = new LongOpenHashSet();
        for (Finding finding : findings) {
            for (Participant participant : finding.participants()) {
                ids.add(participant.txnId());
            }
        }
        return ids;
    }

    /** Stores the wanted transactions of a slice; called once for every slice of the history, with all its columns. */
    public void observe(HistorySlice slice) {
        observe(slice, wantedIn(slice));
    }

    /** Returns the ordinals of the wanted transactions of a slice; thread-safe. */
    public int[] wantedIn(HistorySlice slice) {
        IntArrayList txns = new IntArrayList();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (wanted.contains(slice.txnId[txn])) {
                txns.add(txn);
            }
        }
        return txns.toIntArray();
    }

    /** @param wantedTxns the result of {@link #wantedIn} for the slice */
    public void observe(HistorySlice slice, int[] wantedTxns) {
        for (int txn : wantedTxns) {
            keep(slice, txn);
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
        positionOf.put(slice.txnId[txn], ((long) chunks.size() << 32) | open.txnCount());
        open.copyTxn(slice, txn);
    }

    private void seal() {
        if (open != null) {
            chunks.add(open.build());
            open = null;
        }
    }

    public boolean has(long txnId) {
        return positionOf.containsKey(txnId);
    }

    /** Returns a wanted transaction, or null if the history does not contain this id. */
    public @Nullable TxnRow row(long txnId) {
        long position = positionOf.get(txnId);
        if (position == ABSENT) {
            return null;
        }
        HistorySlice chunk = chunk(position);
        int txn = (int) position;
        return new TxnRow(
                txnId,
                chunk.sessionId[txn],
                chunk.sessionSeq[txn],
                TxnStatus.name(chunk.status[txn]),
                new TxnRow.Times(
                        chunk.startTs[txn],
                        chunk.commitTs[txn],
                        numberOf(chunk.invokeNs, txn),
                        numberOf(chunk.completeNs, txn)),
                chunk.extra == null ? null : chunk.extra[txn],
                chunk.locationOf(txn),
                new KeptOps(chunk, txn));
    }

    private static long numberOf(long @Nullable [] column, int txn) {
        return column == null ? HistorySlice.NONE : column[txn];
    }

    /** Returns the slice that contains a wanted transaction, or null if the history does not contain this id. */
    public @Nullable HistorySlice sliceOf(long txnId) {
        long position = positionOf.get(txnId);
        return position == ABSENT ? null : chunk(position);
    }

    /** Returns the ordinal of a wanted transaction in its slice. */
    public int ordinalOf(long txnId) {
        return (int) positionOf.get(txnId);
    }

    /**
     * Returns the value that an operation of such a slice read or wrote, as findings spell it; null for the initial
     * state.
     */
    public static @Nullable String valueText(HistorySlice slice, int op) {
        if (OpKind.hasList(slice.kind[op])) {
            return ListText.of(slice, slice.value[op]);
        }
        return OpKind.hasValue(slice.kind[op]) ? slice.valueText(slice.value[op]) : null;
    }

    private HistorySlice chunk(long position) {
        int chunk = (int) (position >>> 32);
        if (chunk == chunks.size()) {
            seal();
        }
        return chunks.get(chunk);
    }
}
