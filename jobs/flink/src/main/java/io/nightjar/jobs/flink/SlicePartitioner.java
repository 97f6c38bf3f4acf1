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

    /** Receiver of chunks. */
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
     * @param keyOf the key by which chunks of a partition are sent
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
        for (int partition = 0; partition < buffers.length; partition++) {
            buffers[partition] = new ByteWriter(1 << 10);
        }
    }

    /** Gives a transaction of the slice that is encoded next to a partition. */
    void add(int partition, int txn) {
        int count = countOf[partition]++;
        if (count == txnsOf[partition].length) {
            txnsOf[partition] = Arrays.copyOf(txnsOf[partition], count * 2);
        }
        txnsOf[partition][count] = txn;
    }

    /** Encodes the transactions that were added. */
    void encode(HistorySlice slice, long order) {
        for (int partition = 0; partition < keyOf.length; partition++) {
            if (countOf[partition] > 0) {
                encode(slice, partition, order);
                endSlice(partition);
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
        for (int partition = 0; partition < keyOf.length; partition++) {
            if (countOf[partition] > 0) {
                encode(slice, partition, order);
                putRows(slice, partition, firstRow);
                endSlice(partition);
            }
        }
    }

    private void encode(HistorySlice slice, int partition, long order) {
        if (buffers[partition].size() == 0) {
            firstOrderOf[partition] = order;
        }
        codec.encode(slice, txnsOf[partition], countOf[partition], form, buffers[partition]);
    }

    /** Writes row numbers; if rows are contiguous in their file, as the distance between the two numberings. */
    private void putRows(HistorySlice slice, int partition, long firstRow) {
        boolean areRowsWithoutGaps = slice.rowOffsetOf == null;
        buffers[partition].putByte(areRowsWithoutGaps ? 1 : 0);
        if (areRowsWithoutGaps) {
            buffers[partition].putSigned(firstRow - slice.firstRow);
            return;
        }
        if (rows.length < countOf[partition]) {
            rows = new long[txnsOf[partition].length];
        }
        for (int i = 0; i < countOf[partition]; i++) {
            rows[i] = firstRow + txnsOf[partition][i];
        }
        PackedLongs.put(rows, countOf[partition], buffers[partition]);
    }

    private void endSlice(int partition) {
        countOf[partition] = 0;
        if (buffers[partition].size() >= sendAt) {
            send(partition);
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
        for (int partition = 0; partition < keyOf.length; partition++) {
            if (buffers[partition].size() > 0) {
                send(partition);
            }
        }
    }

    private void send(int partition) {
        to.emit(new Chunk(kind, keyOf[partition], buffers[partition]), firstOrderOf[partition]);
        buffers[partition].clear();
    }
}
