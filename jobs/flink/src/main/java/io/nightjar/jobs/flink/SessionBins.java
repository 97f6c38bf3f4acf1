package io.nightjar.jobs.flink;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Assignment of sessions to bins: connected sessions share a bin, and bins are about equally large.
 *
 * @param largeBins number of bins, the first ones, that are one large group each
 * @param binOf by session id; empty if only one bin exists
 */
record SessionBins(int binCount, int largeBins, Long2IntOpenHashMap binOf) implements Serializable {

    /** Everything in one bin. */
    static final SessionBins ONE = new SessionBins(1, 0, new Long2IntOpenHashMap());

    private static final int NONE = -1;
    private static final int BINS_PER_TASK = 3;

    /** Number of operations whose data fits into a processor's caches. */
    private static final long OPS_FOR_CACHES = 1 << 18;

    /** Number of bins above which partitioning costs more than the check gains. */
    private static final int MAX_FOR_CACHES = 64;

    /**
     * @param groupOf the group of each session, from 0 on
     * @param weightOf number of operations of a session
     * @param maxInBin capacity of a bin
     * @param large minimum weight of a group in a separate bin
     */
    static SessionBins of(long[] sessionIds, int[] groupOf, long[] weightOf, long maxInBin, long large, int tasks) {
        int groupCount = 0;
        for (int group : groupOf) {
            groupCount = Math.max(groupCount, group + 1);
        }
        long[] weightOfGroup = new long[groupCount];
        long total = 0;
        for (int session = 0; session < groupOf.length; session++) {
            weightOfGroup[groupOf[session]] += weightOf[session];
            total += weightOf[session];
        }
        long forCaches = Math.min(MAX_FOR_CACHES, total / OPS_FOR_CACHES);
        long toFit = total / Math.max(1, maxInBin) + 1;
        long bins = Math.max(Math.max(forCaches, toFit), (long) tasks * BINS_PER_TASK);
        int binCount = (int) Math.max(1, Math.min(bins, Math.min(groupCount, TaskKeys.MAX_PARALLELISM)));
        int largeBins = 0;
        for (long weight : weightOfGroup) {
            largeBins += weight >= large ? 1 : 0;
        }
        largeBins = Math.min(largeBins, TaskKeys.MAX_PARALLELISM / 2);
        binCount = Math.min(Math.max(binCount, largeBins + 1), Math.max(1, Math.max(largeBins, groupCount)));
        int[] binOfGroup = fill(weightOfGroup, largeBins, binCount);
        Long2IntOpenHashMap binOf = new Long2IntOpenHashMap(sessionIds.length);
        for (int session = 0; session < sessionIds.length; session++) {
            binOf.put(sessionIds[session], binOfGroup[groupOf[session]]);
        }
        return new SessionBins(binCount, largeBins, binOf);
    }

    /** Assigns groups to bins: the largest group first, each into the bin that holds least. */
    private static int[] fill(long[] weightOfGroup, int largeBins, int binCount) {
        Integer[] largestFirst = new Integer[weightOfGroup.length];
        Arrays.setAll(largestFirst, group -> group);
        Arrays.sort(
                largestFirst,
                Comparator.comparingLong((Integer group) -> -weightOfGroup[group])
                        .thenComparing(Comparator.naturalOrder()));
        long[] load = new long[binCount];
        PriorityQueue<Integer> lightest = new PriorityQueue<>(
                Comparator.comparingLong((Integer bin) -> load[bin]).thenComparing(Comparator.naturalOrder()));
        for (int bin = largeBins; bin < binCount; bin++) {
            lightest.add(bin);
        }
        int[] binOfGroup = new int[weightOfGroup.length];
        for (int i = 0; i < largeBins; i++) {
            binOfGroup[largestFirst[i]] = i;
        }
        for (int i = largeBins; i < largestFirst.length; i++) {
            int group = largestFirst[i];
            int bin = lightest.poll();
            binOfGroup[group] = bin;
            load[bin] += weightOfGroup[group];
            lightest.add(bin);
        }
        return binOfGroup;
    }

    int binOf(long sessionId) {
        if (binCount == 1) {
            return 0;
        }
        int bin = binOf.getOrDefault(sessionId, NONE);
        if (bin == NONE) {
            throw new AssertionError("bug: session unknown to the plan: sessionId=" + sessionId);
        }
        return bin;
    }
}
