package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.function.Consumer;

/** Encodes the facts of lanes in chunks, misses apart from dependencies. */
public final class DependencyBuffer implements LaneDependencies.Sink {

    /*
     * Layout. A chunk is a count, followed by columns of packed numbers:
     *
     *   misses         txnId, start, commit, firstMissed, marks * 2 + isReadOnly
     *   dependencies   fromId, from, toId, to, isMissed
     */

    private static final int CAPACITY = 1 << 14;
    private static final int COLUMNS = 5;

    private final Consumer<ByteWriter> toMisses;
    private final Consumer<ByteWriter> toDependencies;
    private final long[][] misses = new long[COLUMNS][CAPACITY];
    private final long[][] dependencies = new long[COLUMNS][CAPACITY];
    private int missCount;
    private int dependencyCount;

    public DependencyBuffer(Consumer<ByteWriter> toMisses, Consumer<ByteWriter> toDependencies) {
        this.toMisses = toMisses;
        this.toDependencies = toDependencies;
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

    /** Encodes the buffered facts. */
    public void flush() {
        if (missCount > 0) {
            toMisses.accept(encode(misses, missCount));
            missCount = 0;
        }
        if (dependencyCount > 0) {
            toDependencies.accept(encode(dependencies, dependencyCount));
            dependencyCount = 0;
        }
    }

    private static ByteWriter encode(long[][] columns, int count) {
        ByteWriter bytes = new ByteWriter(1 << 10);
        bytes.putVarint(count);
        for (long[] column : columns) {
            PackedLongs.put(column, count, bytes);
        }
        return bytes;
    }

    private static long[][] decode(ByteReader from) {
        int count = from.getCount();
        long[][] columns = new long[COLUMNS][count];
        for (long[] column : columns) {
            PackedLongs.get(from, column, count);
        }
        return columns;
    }

    public static void decodeMisses(ByteReader from, PositionMerger into) {
        long[][] columns = decode(from);
        for (int at = 0; at < columns[0].length; at++) {
            int marks = (int) columns[4][at];
            into.misses(columns[0][at], (marks & 1) == 1, columns[1][at], columns[2][at], columns[3][at], marks >> 1);
        }
    }

    public static void decodeDependencies(ByteReader from, PositionMerger into) {
        long[][] columns = decode(from);
        for (int at = 0; at < columns[0].length; at++) {
            into.depends(columns[0][at], columns[1][at], columns[2][at], columns[3][at], columns[4][at] == 1);
        }
    }
}
