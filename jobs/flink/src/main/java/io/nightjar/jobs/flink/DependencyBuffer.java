package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.timestamp.LaneDependencies;
import io.nightjar.pipeline.check.timestamp.PositionMerger;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;

/** Sends the facts of lanes in chunks, misses before dependencies. */
final class DependencyBuffer implements LaneDependencies.Sink {

    /*
     * Layout. A chunk is a count, followed by columns of packed numbers:
     *
     *   MISSES         txnId, start, commit, firstMissed, marks * 2 + isReadOnly
     *   DEPENDENCIES   fromId, from, toId, to, isMissed
     *
     * A chunk of MISSES with a count of 0 expresses doubt.
     */

    /** The key of facts that were found while lanes were checked. */
    static final int OF_CHECKED_LANES = 0;

    /** The key of facts that were found in lanes that were read again. */
    static final int OF_LANES_READ_AGAIN = 1;

    private static final int CAPACITY = 1 << 14;
    private static final int COLUMNS = 5;

    private final SlicePartitioner.Output to;
    private final int key;
    private final long[][] misses = new long[COLUMNS][CAPACITY];
    private final long[][] dependencies = new long[COLUMNS][CAPACITY];
    private int missCount;
    private int dependencyCount;

    DependencyBuffer(int key, SlicePartitioner.Output to) {
        this.key = key;
        this.to = to;
    }

    @Override
    public void misses(long txnId, boolean isReadOnly, long start, long commit, long firstMissed, int marks) {
        put(misses, missCount++, txnId, start, commit, firstMissed, 2L * marks + (isReadOnly ? 1 : 0));
        if (missCount == CAPACITY) {
            flush();
        }
    }

    @Override
    public void depends(long fromId, long from, long toId, long to, boolean isMissed) {
        put(dependencies, dependencyCount++, fromId, from, toId, to, isMissed ? 1 : 0);
        if (dependencyCount == CAPACITY) {
            flush();
        }
    }

    private static void put(long[][] columns, int at, long... row) {
        for (int column = 0; column < COLUMNS; column++) {
            columns[column][at] = row[column];
        }
    }

    /** Sends the buffered facts. */
    void flush() {
        if (missCount > 0) {
            to.emit(new Chunk(Chunk.Kind.MISSES, key, encode(misses, missCount)), 0);
        }
        if (dependencyCount > 0) {
            Chunk chunk = new Chunk(Chunk.Kind.DEPENDENCIES, key, encode(dependencies, dependencyCount));
            to.emit(chunk, StageOperator.LAST);
        }
        missCount = 0;
        dependencyCount = 0;
    }

    /** Sends that positions cannot be determined. */
    void doubt() {
        to.emit(new Chunk(Chunk.Kind.MISSES, key, encode(misses, 0)), 0);
    }

    private static ByteWriter encode(long[][] columns, int count) {
        ByteWriter bytes = new ByteWriter(1 << 10);
        bytes.putVarint(count);
        for (long[] column : columns) {
            PackedLongs.put(column, count, bytes);
        }
        return bytes;
    }

    /** Adds the facts of a chunk to the facts of all lanes. */
    static void decode(Chunk chunk, PositionMerger into) {
        ByteReader feed = chunk.feed();
        int count = feed.getCount();
        long[][] columns = new long[COLUMNS][count];
        for (long[] column : columns) {
            PackedLongs.get(feed, column, count);
        }
        if (count == 0) {
            into.doubt();
        }
        for (int at = 0; at < count; at++) {
            long first = columns[0][at];
            long last = columns[COLUMNS - 1][at];
            if (chunk.kind == Chunk.Kind.MISSES) {
                into.misses(first, (last & 1) == 1, columns[1][at], columns[2][at], columns[3][at], (int) last >> 1);
            } else {
                into.depends(first, columns[1][at], columns[2][at], columns[3][at], last == 1);
            }
        }
    }
}
