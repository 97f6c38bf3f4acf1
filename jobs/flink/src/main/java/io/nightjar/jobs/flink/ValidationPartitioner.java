package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import io.nightjar.pipeline.validate.CommittedRows;
import io.nightjar.pipeline.validate.SplitFacts;
import io.nightjar.pipeline.validate.ValidationPartition;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Output of the first reading for validation: sessions and ids to their partitions, facts and commit times to one task.
 */
final class ValidationPartitioner {

    /** Rows are numbered split by split, of which none has as many. */
    private static final int ROW_BITS = 36;

    private static final int MAX_BUFFERED = 1 << 18;
    private static final int MIN_BUFFERED = 1 << 12;
    private static final Set<ColumnGroup> OF_SESSIONS =
            EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    private final int[] keyOf;
    private final int sendAt;
    private final SlicePartitioner.Output toPartitions;
    private final SlicePartitioner.Output toMerger;
    private final SlicePartitioner sessions;
    private final long[][] idsOf;
    private final int[] idCountOf;
    private final ByteWriter[] idBuffers;
    private final long[] idOrderOf;
    private final CommittedRows committed = new CommittedRows();
    private final ByteWriter commits = new ByteWriter(MIN_BUFFERED);
    private long commitOrder;
    private SplitFacts facts = new SplitFacts();
    private long nextRow;

    /**
     * @param keyOf the key by which a partition is sent
     * @param bufferBytes total memory of all buffers
     * @param toMerger the task that merges the results of partitions
     */
    ValidationPartitioner(
            int[] keyOf, long bufferBytes, SlicePartitioner.Output toPartitions, SlicePartitioner.Output toMerger) {
        this.keyOf = keyOf;
        this.sendAt = (int) Math.max(MIN_BUFFERED, Math.min(MAX_BUFFERED, bufferBytes / keyOf.length / 4));
        this.toPartitions = toPartitions;
        this.toMerger = toMerger;
        this.sessions = new SlicePartitioner(Chunk.Kind.HEADS, keyOf, SliceForm.HEADS, sendAt, toPartitions);
        this.idsOf = new long[keyOf.length][];
        this.idCountOf = new int[keyOf.length];
        this.idBuffers = new ByteWriter[keyOf.length];
        this.idOrderOf = new long[keyOf.length];
        for (int partition = 0; partition < keyOf.length; partition++) {
            idsOf[partition] = new long[64];
            idBuffers[partition] = new ByteWriter(1 << 10);
        }
    }

    void beginSplit(int split) {
        facts = new SplitFacts();
        nextRow = (long) split << ROW_BITS;
    }

    /** @param order of the slice */
    void send(HistorySlice slice, long order) {
        facts.add(slice);
        sendSessions(slice.withOnly(OF_SESSIONS), order);
        sendIds(slice, order);
        sendCommits(slice, order);
        nextRow += slice.txnCount;
    }

    private void sendSessions(HistorySlice slice, long order) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            sessions.add(ValidationPartition.partitionOfSession(slice.sessionId[txn], keyOf.length), txn);
        }
        sessions.encodeWithRows(slice, order, nextRow);
    }

    private void sendIds(HistorySlice slice, long order) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long id = slice.txnId[txn];
            int partition = ValidationPartition.partitionOfId(id, keyOf.length);
            if (idCountOf[partition] == idsOf[partition].length) {
                idsOf[partition] = Arrays.copyOf(idsOf[partition], 2 * idsOf[partition].length);
            }
            idsOf[partition][idCountOf[partition]++] = id;
        }
        for (int partition = 0; partition < keyOf.length; partition++) {
            if (idCountOf[partition] > 0) {
                encodeIds(partition, order);
            }
        }
    }

    private void encodeIds(int partition, long order) {
        ByteWriter buffer = idBuffers[partition];
        if (buffer.size() == 0) {
            idOrderOf[partition] = order;
        }
        buffer.putVarint(idCountOf[partition]);
        PackedLongs.put(idsOf[partition], idCountOf[partition], buffer);
        idCountOf[partition] = 0;
        if (buffer.size() >= sendAt) {
            flushIds(partition);
        }
    }

    private void sendCommits(HistorySlice slice, long order) {
        committed.gather(slice);
        if (committed.count() == 0) {
            return;
        }
        if (commits.size() == 0) {
            commitOrder = order;
        }
        committed.encode(commits);
        if (commits.size() >= MAX_BUFFERED) {
            flushCommits();
        }
    }

    /** Sends the remaining transactions of a split, followed by its facts. */
    void endSplit(long order) {
        sessions.flush();
        for (int partition = 0; partition < keyOf.length; partition++) {
            if (idBuffers[partition].size() > 0) {
                flushIds(partition);
            }
        }
        if (commits.size() > 0) {
            flushCommits();
        }
        toMerger.emit(Chunk.of(0, facts), order);
    }

    private void flushIds(int partition) {
        toPartitions.emit(new Chunk(Chunk.Kind.IDS, keyOf[partition], idBuffers[partition]), idOrderOf[partition]);
        idBuffers[partition].clear();
    }

    private void flushCommits() {
        toMerger.emit(new Chunk(Chunk.Kind.COMMITS, 0, commits), commitOrder);
        commits.clear();
    }
}
