package io.nightjar.jobs.report;

import java.util.Arrays;

/** Histogram over time with a bounded number of buckets of equal width, for any range of times. */
final class TimeHistogram {

    /*
     * Buckets are aligned to multiples of their width. When a time lies too far outside, the width doubles and adjacent
     * buckets merge, so the range need not be known in advance and two histograms can be added.
     */

    private static final int BUCKETS = 96;

    private long width = 1;
    private long first; // number of the first bucket, which starts at time first * width
    private int count; // number of buckets in use
    private long[] counts = new long[BUCKETS];

    void add(long time, long times) {
        if (count == 0) {
            first = Math.floorDiv(time, width);
            count = 1;
        }
        long bucket = Math.floorDiv(time, width);
        while (!reaches(bucket)) {
            widen();
            bucket = Math.floorDiv(time, width);
        }
        counts[(int) (bucket - first)] += times;
    }

    /** Extends the range to a bucket; returns false if it would exceed the maximum number of buckets. */
    private boolean reaches(long bucket) {
        long low = Math.min(first, bucket);
        long high = Math.max(first + count - 1, bucket);
        if (high - low < 0 || high - low >= BUCKETS) {
            return false;
        }
        if (low < first) {
            long[] moved = new long[BUCKETS];
            System.arraycopy(counts, 0, moved, (int) (first - low), count);
            counts = moved;
        }
        first = low;
        count = (int) (high - low) + 1;
        return true;
    }

    private void widen() {
        long wide = Math.floorDiv(first, 2L);
        long[] merged = new long[BUCKETS];
        int last = 0;
        for (int i = 0; i < count; i++) {
            last = (int) (Math.floorDiv(first + i, 2L) - wide);
            merged[last] += counts[i];
        }
        counts = merged;
        first = wide;
        count = last + 1;
        width *= 2;
    }

    void addAll(TimeHistogram other) {
        for (int i = 0; i < other.count; i++) {
            if (other.counts[i] != 0) {
                add((other.first + i) * other.width, other.counts[i]);
            }
        }
        while (width < other.width) {
            widen();
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    long width() {
        return width;
    }

    /** Returns the start of the first bucket. */
    long start() {
        return first * width;
    }

    long end() {
        return (first + count) * width;
    }

    long[] counts() {
        return Arrays.copyOf(counts, count);
    }

    /** Returns the counts in the buckets of another histogram, whose range contains this range. */
    long[] countsLike(TimeHistogram other) {
        long[] alike = new long[other.count];
        for (int i = 0; i < count; i++) {
            long bucket = Math.floorDiv((first + i) * width, other.width) - other.first;
            alike[(int) Math.max(0, Math.min(alike.length - 1, bucket))] += counts[i];
        }
        return alike;
    }
}
