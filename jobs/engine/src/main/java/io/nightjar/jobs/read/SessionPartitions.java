package io.nightjar.jobs.read;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.validate.Validation;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * All transactions of a history without their keys and values, partitioned on disk by a hash of their session: a query
 * about some sessions then reads their partition, and not the whole history.
 */
public final class SessionPartitions implements Closeable {

    /*
     * One file contains the frames of all partitions:
     *
     *   frameAt[partition] = where each of its frames begins, in the order of the rows
     */
    private static final int LARGEST_BUFFER = 1 << 17;
    private static final int MIN_BUFFER = 1 << 12;

    private final SpillFile file;
    private final SliceCodec codec = new SliceCodec();
    private final int partitionBits;
    private final int sendAt;
    private final int[][] txnsOf;
    private final int[] countOf; // transactions per partition of the slice that is being partitioned
    private final ByteWriter[] buffers;
    private final LongColumn[] frameAt;
    private final long[] txnCountOf;
    private byte[] scratch = new byte[0];

    /** @param memoryBytes maximum memory for the buffers of the partitions */
    SessionPartitions(SpillFile.Folders spillFolders, int partitionBits, long memoryBytes) {
        this.partitionBits = partitionBits;
        int partitions = 1 << partitionBits;
        sendAt = (int) Math.max(MIN_BUFFER, Math.min(LARGEST_BUFFER, memoryBytes / partitions / 2)); // a sink doubles
        txnsOf = new int[partitions][16];
        countOf = new int[partitions];
        buffers = new ByteWriter[partitions];
        frameAt = new LongColumn[partitions];
        txnCountOf = new long[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            buffers[partition] = new ByteWriter(MIN_BUFFER);
            frameAt[partition] = new LongColumn();
        }
        file = new SpillFile(spillFolders);
    }

    /** Partitions the next slice, in the order of the rows. */
    void partition(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int partition = Validation.partitionOf(slice.sessionId[txn], partitionBits);
            int count = countOf[partition]++;
            if (count == txnsOf[partition].length) {
                txnsOf[partition] = Arrays.copyOf(txnsOf[partition], count * 2);
            }
            txnsOf[partition][count] = txn;
        }
        for (int partition = 0; partition < countOf.length; partition++) {
            if (countOf[partition] > 0) {
                codec.encode(slice, txnsOf[partition], countOf[partition], SliceForm.HEADS, buffers[partition]);
                txnCountOf[partition] += countOf[partition];
                countOf[partition] = 0;
                if (buffers[partition].size() >= sendAt) {
                    flush(partition);
                }
            }
        }
    }

    /** Ends the partitioning and flushes all partitions. */
    void endOfDealing() {
        for (int partition = 0; partition < buffers.length; partition++) {
            if (buffers[partition].size() > 0) {
                flush(partition);
            }
            buffers[partition] = null;
            txnsOf[partition] = null;
        }
    }

    private void flush(int partition) {
        frameAt[partition].add(file.byteCount());
        file.append(buffers[partition].bytes(), buffers[partition].size());
        buffers[partition].clear();
    }

    int partitionBits() {
        return partitionBits;
    }

    public int partitionCount() {
        return 1 << partitionBits;
    }

    public long txnCount(int partition) {
        return txnCountOf[partition];
    }

    public long bytesSpilled() {
        return file.byteCount();
    }

    /** Consumer of slices. */
    @FunctionalInterface
    public interface Taker {
        void take(HistorySlice slice);
    }

    /** Passes on all transactions of the sessions of a partition, in the order of the rows. */
    public void forEach(int partition, Taker to) throws IOException {
        for (int frame = 0; frame < frameAt[partition].size(); frame++) {
            ByteReader feed = file.frameAt(frameAt[partition].get(frame), scratch());
            while (!feed.isEmpty()) {
                to.take(codec.decode(feed));
            }
        }
    }

    private byte[] scratch() {
        scratch = scratch.length > 0 ? scratch : new byte[2 * LARGEST_BUFFER];
        return scratch;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
