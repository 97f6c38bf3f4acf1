package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Which sessions are checked together: sessions that hang together are in one bin, and bins are about equally large. */
final class SessionBins {

    /** Everything in one bin. */
    static final SessionBins ONE = new SessionBins(1, 0, new long[0], new int[0]);

    private static final int BINS_PER_TASK = 3;

    /** So many operations, and what is known of them, are checked without leaving a processor's caches all the time. */
    private static final long OPS_FOR_CACHES = 1 << 18;

    /** Whoever deals out to more of them loses what the check gains. */
    private static final int MOST_FOR_CACHES = 64;

    private final int binCount;
    private final int largeBins;
    private final long[] sessionIds; // sorted
    private final int[] binOf;
    private final LongOrdinals ordinals = new LongOrdinals();

    private SessionBins(int binCount, int largeBins, long[] sessionIds, int[] binOf) {
        this.binCount = binCount;
        this.largeBins = largeBins;
        this.sessionIds = sessionIds;
        this.binOf = binOf;
        for (long id : sessionIds) {
            ordinals.ordinal(id);
        }
    }

    /**
     * @param groupOf the group of each session, from 0 on
     * @param weightOf what a session has of operations
     * @param mostInBin what fits into a bin
     * @param large what makes a group large enough for a bin of its own
     */
    static SessionBins of(long[] sessionIds, int[] groupOf, long[] weightOf, long mostInBin, long large, int tasks) {
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
        long forCaches = Math.min(MOST_FOR_CACHES, total / OPS_FOR_CACHES);
        long toFit = total / Math.max(1, mostInBin) + 1;
        long bins = Math.max(Math.max(forCaches, toFit), (long) tasks * BINS_PER_TASK);
        int binCount = (int) Math.max(1, Math.min(bins, Math.min(groupCount, TaskKeys.MAX_PARALLELISM)));
        int largeBins = 0;
        for (long weight : weightOfGroup) {
            largeBins += weight >= large ? 1 : 0;
        }
        largeBins = Math.min(largeBins, TaskKeys.MAX_PARALLELISM / 2);
        binCount = Math.min(Math.max(binCount, largeBins + 1), Math.max(1, Math.max(largeBins, groupCount)));
        int[] binOfGroup = fill(weightOfGroup, largeBins, binCount);
        long[] ids = sessionIds.clone();
        int[] order = new int[ids.length];
        Arrays.setAll(order, session -> session);
        RadixSort.sort(ids, order, ids.length);
        int[] binOf = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            binOf[i] = binOfGroup[groupOf[order[i]]];
        }
        return new SessionBins(binCount, largeBins, ids, binOf);
    }

    /** The largest group first, each into the bin that holds least. */
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

    int binCount() {
        return binCount;
    }

    /** How many of the bins, the first ones, are one large group each. */
    int largeBins() {
        return largeBins;
    }

    int binOf(long sessionId) {
        if (binCount == 1) {
            return 0;
        }
        int at = ordinals.find(sessionId);
        if (at == LongOrdinals.NONE) {
            throw new AssertionError("cannot happen: session unknown to the plan: sessionId=" + sessionId);
        }
        return binOf[at];
    }

    void encode(ByteSink to) {
        to.putVarint(binCount);
        to.putVarint(largeBins);
        to.putVarint(sessionIds.length);
        long before = 0;
        for (int i = 0; i < sessionIds.length; i++) {
            to.putSigned(sessionIds[i] - before);
            to.putVarint(binOf[i]);
            before = sessionIds[i];
        }
    }

    static SessionBins decode(ByteFeed from) {
        int binCount = from.getCount();
        int largeBins = from.getCount();
        long[] ids = new long[from.getCount()];
        int[] binOf = new int[ids.length];
        long before = 0;
        for (int i = 0; i < ids.length; i++) {
            ids[i] = before + from.getSigned();
            binOf[i] = from.getCount();
            before = ids[i];
        }
        return new SessionBins(binCount, largeBins, ids, binOf);
    }
}
