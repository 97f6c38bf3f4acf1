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
 * about some sessions then reads their part, and not the whole history.
 */
public final class SessionPartitions implements Closeable {

    /*
     * One file contains the frames of all parts:
     *
     *   frameAt[part] = where each of its frames begins, in the order of the rows
     */
    private static final int LARGEST_BUFFER = 1 << 17;
    private static final int MIN_BUFFER = 1 << 12;

    private final SpillFile file;
    private final SliceCodec codec = new SliceCodec();
    private final int partBits;
    private final int sendAt;
    private final int[][] txnsOf;
    private final int[] countOf; // transactions per part of the slice that is being partitioned
    private final ByteWriter[] buffers;
    private final LongColumn[] frameAt;
    private final long[] txnCountOf;
    private byte[] scratch = new byte[0];

    /** @param memoryBytes maximum memory for the buffers of the parts */
    SessionPartitions(SpillFile.Folders spillFolders, int partBits, long memoryBytes) {
        this.partBits = partBits;
        int parts = 1 << partBits;
        sendAt = (int) Math.max(MIN_BUFFER, Math.min(LARGEST_BUFFER, memoryBytes / parts / 2)); // a sink doubles
        txnsOf = new int[parts][16];
        countOf = new int[parts];
        buffers = new ByteWriter[parts];
        frameAt = new LongColumn[parts];
        txnCountOf = new long[parts];
        for (int part = 0; part < parts; part++) {
            buffers[part] = new ByteWriter(MIN_BUFFER);
            frameAt[part] = new LongColumn();
        }
        file = new SpillFile(spillFolders);
    }

    /** Partitions the next slice, in the order of the rows. */
    void partition(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int part = Validation.partOf(slice.sessionId[txn], partBits);
            int count = countOf[part]++;
            if (count == txnsOf[part].length) {
                txnsOf[part] = Arrays.copyOf(txnsOf[part], count * 2);
            }
            txnsOf[part][count] = txn;
        }
        for (int part = 0; part < countOf.length; part++) {
            if (countOf[part] > 0) {
                codec.encode(slice, txnsOf[part], countOf[part], SliceForm.HEADS, buffers[part]);
                txnCountOf[part] += countOf[part];
                countOf[part] = 0;
                if (buffers[part].size() >= sendAt) {
                    flush(part);
                }
            }
        }
    }

    /** Ends the partitioning and flushes all parts. */
    void endOfDealing() {
        for (int part = 0; part < buffers.length; part++) {
            if (buffers[part].size() > 0) {
                flush(part);
            }
            buffers[part] = null;
            txnsOf[part] = null;
        }
    }

    private void flush(int part) {
        frameAt[part].add(file.byteCount());
        file.append(buffers[part].bytes(), buffers[part].size());
        buffers[part].clear();
    }

    int partBits() {
        return partBits;
    }

    public int partCount() {
        return 1 << partBits;
    }

    public long txnCount(int part) {
        return txnCountOf[part];
    }

    public long bytesSpilled() {
        return file.byteCount();
    }

    /** Consumer of slices. */
    @FunctionalInterface
    public interface Taker {
        void take(HistorySlice slice);
    }

    /** Passes on all transactions of the sessions of a part, in the order of the rows. */
    public void forEach(int part, Taker to) throws IOException {
        for (int frame = 0; frame < frameAt[part].size(); frame++) {
            ByteReader feed = file.frameAt(frameAt[part].get(frame), scratch());
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
