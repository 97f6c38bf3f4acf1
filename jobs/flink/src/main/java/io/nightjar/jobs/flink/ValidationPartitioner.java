package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import io.nightjar.pipeline.validate.CommittedRows;
import io.nightjar.pipeline.validate.SplitFacts;
import io.nightjar.pipeline.validate.ValidationPart;
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
    private final SlicePartitioner.Output toParts;
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
            int[] keyOf, long bufferBytes, SlicePartitioner.Output toParts, SlicePartitioner.Output toMerger) {
        this.keyOf = keyOf;
        this.sendAt = (int) Math.max(MIN_BUFFERED, Math.min(MAX_BUFFERED, bufferBytes / keyOf.length / 4));
        this.toParts = toParts;
        this.toMerger = toMerger;
        this.sessions = new SlicePartitioner(Chunk.Kind.HEADS, keyOf, SliceForm.HEADS, sendAt, toParts);
        this.idsOf = new long[keyOf.length][];
        this.idCountOf = new int[keyOf.length];
        this.idBuffers = new ByteWriter[keyOf.length];
        this.idOrderOf = new long[keyOf.length];
        for (int part = 0; part < keyOf.length; part++) {
            idsOf[part] = new long[64];
            idBuffers[part] = new ByteWriter(1 << 10);
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
            sessions.add(ValidationPart.partOfSession(slice.sessionId[txn], keyOf.length), txn);
        }
        sessions.encodeWithRows(slice, order, nextRow);
    }

    private void sendIds(HistorySlice slice, long order) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long id = slice.txnId[txn];
            int part = ValidationPart.partOfId(id, keyOf.length);
            if (idCountOf[part] == idsOf[part].length) {
                idsOf[part] = Arrays.copyOf(idsOf[part], 2 * idsOf[part].length);
            }
            idsOf[part][idCountOf[part]++] = id;
        }
        for (int part = 0; part < keyOf.length; part++) {
            if (idCountOf[part] > 0) {
                encodeIds(part, order);
            }
        }
    }

    private void encodeIds(int part, long order) {
        ByteWriter buffer = idBuffers[part];
        if (buffer.size() == 0) {
            idOrderOf[part] = order;
        }
        buffer.putVarint(idCountOf[part]);
        PackedLongs.put(idsOf[part], idCountOf[part], buffer);
        idCountOf[part] = 0;
        if (buffer.size() >= sendAt) {
            flushIds(part);
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
        for (int part = 0; part < keyOf.length; part++) {
            if (idBuffers[part].size() > 0) {
                flushIds(part);
            }
        }
        if (commits.size() > 0) {
            flushCommits();
        }
        toMerger.emit(Chunk.of(0, facts), order);
    }

    private void flushIds(int part) {
        toParts.emit(new Chunk(Chunk.Kind.IDS, keyOf[part], idBuffers[part]), idOrderOf[part]);
        idBuffers[part].clear();
    }

    private void flushCommits() {
        toMerger.emit(new Chunk(Chunk.Kind.COMMITS, 0, commits), commitOrder);
        commits.clear();
    }
}
