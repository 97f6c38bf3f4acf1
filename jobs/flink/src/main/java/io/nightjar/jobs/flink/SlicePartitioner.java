package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;

/** Partitions transactions of slices, and sends each partition in chunks of a minimum size. */
final class SlicePartitioner {

    /** Where chunks go. */
    interface Output {

        /** @param order by it chunks of one key are sorted where they arrive */
        void emit(Chunk chunk, long order);
    }

    private final Output to;
    private final Chunk.Kind kind;
    private final int[] keyOf;
    private final SliceForm form;
    private final int sendAt;
    private final SliceCodec codec = new SliceCodec();
    private final int[][] txnsOf;
    private final int[] countOf;
    private final ByteWriter[] buffers;
    private final long[] firstOrderOf;
    private long[] rows = new long[64];

    /**
     * @param keyOf the key by which chunks of a part are sent
     * @param sendAt how many bytes make a chunk
     */
    SlicePartitioner(Chunk.Kind kind, int[] keyOf, SliceForm form, int sendAt, Output to) {
        this.to = to;
        this.kind = kind;
        this.keyOf = keyOf;
        this.form = form;
        this.sendAt = sendAt;
        this.txnsOf = new int[keyOf.length][64];
        this.countOf = new int[keyOf.length];
        this.buffers = new ByteWriter[keyOf.length];
        this.firstOrderOf = new long[keyOf.length];
        for (int part = 0; part < buffers.length; part++) {
            buffers[part] = new ByteWriter(1 << 10);
        }
    }

    /** Gives a transaction of the slice that is encoded next to a part. */
    void add(int part, int txn) {
        int count = countOf[part]++;
        if (count == txnsOf[part].length) {
            txnsOf[part] = Arrays.copyOf(txnsOf[part], count * 2);
        }
        txnsOf[part][count] = txn;
    }

    /** Encodes the transactions that were added. */
    void encode(HistorySlice slice, long order) {
        for (int part = 0; part < keyOf.length; part++) {
            if (countOf[part] > 0) {
                encode(slice, part, order);
                endSlice(part);
            }
        }
    }

    /**
     * Encodes the transactions that were added, each slice followed by the row numbers of its transactions in the whole
     * history.
     *
     * @param firstRow row number of the slice's first row
     */
    void encodeWithRows(HistorySlice slice, long order, long firstRow) {
        for (int part = 0; part < keyOf.length; part++) {
            if (countOf[part] > 0) {
                encode(slice, part, order);
                putRows(slice, part, firstRow);
                endSlice(part);
            }
        }
    }

    private void encode(HistorySlice slice, int part, long order) {
        if (buffers[part].size() == 0) {
            firstOrderOf[part] = order;
        }
        codec.encode(slice, txnsOf[part], countOf[part], form, buffers[part]);
    }

    /** Writes row numbers; if rows are contiguous in their file, as the distance between the two numberings. */
    private void putRows(HistorySlice slice, int part, long firstRow) {
        boolean areRowsWithoutGaps = slice.rowOffsetOf == null;
        buffers[part].putByte(areRowsWithoutGaps ? 1 : 0);
        if (areRowsWithoutGaps) {
            buffers[part].putSigned(firstRow - slice.firstRow);
            return;
        }
        if (rows.length < countOf[part]) {
            rows = new long[txnsOf[part].length];
        }
        for (int i = 0; i < countOf[part]; i++) {
            rows[i] = firstRow + txnsOf[part][i];
        }
        PackedLongs.put(rows, countOf[part], buffers[part]);
    }

    private void endSlice(int part) {
        countOf[part] = 0;
        if (buffers[part].size() >= sendAt) {
            send(part);
        }
    }

    /**
     * Returns the row numbers of the transactions of a slice in the whole history, written after it by
     * {@link #encodeWithRows}.
     */
    static long[] getRows(ByteReader from, HistorySlice slice, long[] scratch) {
        long[] rows =
                scratch.length < slice.txnCount ? new long[Math.max(slice.txnCount, 2 * scratch.length)] : scratch;
        if (from.getByte() == 1) {
            long distance = from.getSigned();
            for (int txn = 0; txn < slice.txnCount; txn++) {
                rows[txn] = slice.rowOf(txn) + distance;
            }
        } else {
            PackedLongs.get(from, rows, slice.txnCount);
        }
        return rows;
    }

    /** Sends the buffered transactions at the end of a split. */
    void flush() {
        for (int part = 0; part < keyOf.length; part++) {
            if (buffers[part].size() > 0) {
                send(part);
            }
        }
    }

    private void send(int part) {
        to.emit(new Chunk(kind, keyOf[part], buffers[part]), firstOrderOf[part]);
        buffers[part].clear();
    }
}
