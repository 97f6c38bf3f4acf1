package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.SetsFields;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/**
 * Index of the last writer before each of several positions; the positions are known beforehand, writers arrive in any
 * order.
 *
 * <p>Questions are asked, then writers offered, then answers taken.
 */
final class LastWriterQueries {

    /*
     * Definitions. A position is (timestamp, rank, transaction id).
     *
     * Algorithm. The sorted queries divide the line of positions into buckets. A writer belongs to the bucket before
     * the first query that follows it, found by binary search; each bucket keeps only its last writer. The answer to a
     * query is the last writer of all buckets before it.
     *
     * Cost. Memory grows with the queries, not with the writers.
     */

    /**
     * Rank at one timestamp: commits of transactions that started at another, or all writers where only commits count.
     */
    static final int COMMIT = 0;

    /** Transactions that start and commit at one timestamp, by id. */
    static final int INSTANT = 1;

    /** Reads that see every commit of the timestamp. */
    static final int READ = 2;

    private static final int NO_WRITER = -1;

    private long[] tsOf = new long[4]; // by question, sorted once closed
    private int[] rankOf = new int[4];
    private long[] idOf = new long[4];
    private int count;
    private int[] positionOf; // among the sorted questions, by question as asked

    private long[] lastTs; // of a bucket
    private int[] lastRank; // NO_WRITER if the bucket is empty
    private long[] lastId;
    private long[] lastValue;

    private int latest; // the bucket of the last writer: the next one is often of it, since rows are about in order

    /** Asks for the last writer before a position; returns the question's number. */
    int addQuery(long ts, int rank, long id) {
        if (count == tsOf.length) {
            tsOf = Arrays.copyOf(tsOf, count * 2);
            rankOf = Arrays.copyOf(rankOf, count * 2);
            idOf = Arrays.copyOf(idOf, count * 2);
        }
        tsOf[count] = ts;
        rankOf[count] = rank;
        idOf[count] = id;
        return count++;
    }

    /** Asks for the last writer whose commit is not after a timestamp. */
    int askAfter(long ts) {
        return addQuery(ts, READ, 0);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Sorts the questions, once all were asked. */
    @SetsFields
    void close() {
        int[] order = new int[count];
        for (int question = 0; question < count; question++) {
            order[question] = question;
        }
        IntArrays.mergeSort(
                order,
                (one, other) -> compare(tsOf[one], rankOf[one], idOf[one], tsOf[other], rankOf[other], idOf[other]));
        positionOf = new int[count];
        long[] ts = new long[count];
        int[] ranks = new int[count];
        long[] ids = new long[count];
        for (int position = 0; position < count; position++) {
            int question = order[position];
            positionOf[question] = position;
            ts[position] = tsOf[question];
            ranks[position] = rankOf[question];
            ids[position] = idOf[question];
        }
        tsOf = ts;
        rankOf = ranks;
        idOf = ids;
        lastTs = new long[count];
        lastRank = new int[count];
        lastId = new long[count];
        lastValue = new long[count];
        Arrays.fill(lastRank, NO_WRITER);
    }

    /** Adds a writer; returns false if a writer already added precludes it as an answer to every query. */
    boolean addWriter(long ts, int rank, long id, long value) {
        int bucket = isOf(latest, ts, rank, id) ? latest : bucketOf(ts, rank, id);
        latest = bucket;
        return bucket < count && keepLast(bucket, ts, rank, id, value);
    }

    private boolean isOf(int bucket, long ts, int rank, long id) {
        return (bucket == 0 || compareTo(bucket - 1, ts, rank, id) <= 0)
                && (bucket == count || compareTo(bucket, ts, rank, id) > 0);
    }

    private int bucketOf(long ts, int rank, long id) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareTo(middle, ts, rank, id) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private int compareTo(int position, long ts, int rank, long id) {
        return compare(tsOf[position], rankOf[position], idOf[position], ts, rank, id);
    }

    private boolean keepLast(int bucket, long ts, int rank, long id, long value) {
        boolean isLast = lastRank[bucket] == NO_WRITER
                || compare(ts, rank, id, lastTs[bucket], lastRank[bucket], lastId[bucket]) > 0;
        if (isLast) {
            lastTs[bucket] = ts;
            lastRank[bucket] = rank;
            lastId[bucket] = id;
            lastValue[bucket] = value;
        }
        return isLast;
    }

    /** Answers the questions, once all writers were offered. */
    void resolve() {
        for (int bucket = 1; bucket < count; bucket++) {
            int before = bucket - 1;
            if (lastRank[before] != NO_WRITER) {
                keepLast(bucket, lastTs[before], lastRank[before], lastId[before], lastValue[before]);
            }
        }
    }

    /** Returns whether a writer precedes the position. */
    boolean hasWriter(int question) {
        return lastRank[positionOf[question]] != NO_WRITER;
    }

    long commitOf(int question) {
        return lastTs[positionOf[question]];
    }

    long writerOf(int question) {
        return lastId[positionOf[question]];
    }

    long valueOf(int question) {
        return lastValue[positionOf[question]];
    }

    static int compare(long ts, int rank, long id, long otherTs, int otherRank, long otherId) {
        if (ts != otherTs) {
            return Long.compare(ts, otherTs);
        }
        return rank != otherRank ? Integer.compare(rank, otherRank) : Long.compare(id, otherId);
    }
}
