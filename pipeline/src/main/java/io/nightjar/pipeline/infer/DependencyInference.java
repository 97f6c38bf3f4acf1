package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Inference of the dependencies between transactions from their writes and reads and the orders of versions. */
public final class DependencyInference {

    /*
     * Definitions. Adya's edges between neighboring versions of a key, as far as their order is known:
     *
     *   ww  from the writer of a version to the writer of the next
     *   wr  from the writer of a version to each transaction that read it
     *   rw  from each transaction that read a version to the writer of the next
     *
     * Versions whose writer is unknown or does not count are skipped: the next version of a counted writer follows them
     * nevertheless. Only reads of committed transactions count.
     *
     * Layout. If k transactions read the last known version and m wrote later versions, a helper vertex represents the
     * k times m edges. Session order and real time become chains of helpers, two edges per transaction, from which
     * every later transaction is reached by one edge:
     *
     *   T -SO-> s1 -> s2 -> s3        T -RT-> c1 -> c2 -> c3       c: a moment at which some transactions have ended,
     *            \     \     \                 \     \     \          before others begin
     *             U     V     W                 U     V     W
     *
     * Source. docs/papers.md#adya
     */

    private final ReadResolution reads;
    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final TxnOutcomes outcomes;
    private final DigraphBuilder graph;

    private final IntColumn successors = new IntColumn();
    private final BicliqueEdges allPairs;
    private int[] targets = new int[64]; // writers of the next versions after the current version
    private int targetCount;

    private DependencyInference(ReadResolution reads, VersionOrders orders) {
        this.reads = reads;
        this.log = reads.log;
        this.orders = orders;
        versions = orders.versions();
        outcomes = orders.outcomes();
        graph = DigraphBuilder.withKinds(log.txnCount).ensureCapacity((int) Math.min(1 << 28, 1.25 * log.opCount + 16));
        allPairs = new BicliqueEdges(graph, log.txnCount);
    }

    /**
     * @param sessions null if session order is not requested
     * @param realTime whether real time is requested
     */
    public static DependencyGraph infer(
            ReadResolution reads, VersionOrders orders, @Nullable Sessions sessions, boolean realTime) {
        return infer(reads, orders, sessions, realTime, null);
    }

    /** @param guess numbers by transaction, the assumed order of the versions at the end of a key; or null */
    public static DependencyGraph infer(
            ReadResolution reads,
            VersionOrders orders,
            @Nullable Sessions sessions,
            boolean realTime,
            long @Nullable [] guess) {
        DependencyInference inference = new DependencyInference(reads, orders);
        ReadEdges ofReads = ReadEdges.addTo(inference.graph, reads, orders);
        if (guess != null) {
            inference.followGuess(guess);
        }
        inference.followVersions();
        inference.followLateReaders(ofReads);
        new SetDependencies(reads.log, orders, inference.allPairs).infer();
        if (sessions != null) {
            inference.followSessions(sessions);
        }
        if (realTime) {
            inference.followRealTime();
        }
        return new DependencyGraph(inference.log.txnCount, inference.graph.build());
    }

    // ---------------------------------------------------------------- versions

    private void followVersions() {
        for (int key = 0; key < log.keyCount; key++) {
            int length = orders.chainLength(key);
            for (int next = 1; next < length; next++) {
                overwrite(orders.chainVersion(key, next - 1), orders.chainVersion(key, next));
            }
            if (length > 0) {
                for (int end = 0; end < orders.endCount(key); end++) {
                    overwrite(orders.chainVersion(key, length - 1), orders.end(key, end));
                }
            } else if (orders.isPartial(key)) {
                for (int end = 0; end < orders.endCount(key); end++) {
                    orders.registers().gatherSuccessors(orders.end(key, end), successors);
                    for (int i = 0; i < successors.size(); i++) {
                        overwrite(orders.end(key, end), successors.get(i));
                    }
                }
            }
        }
    }

    private void followGuess(long[] guess) {
        for (int key = 0; key < log.keyCount; key++) {
            int count = orders.endCount(key);
            if (count < 2 || orders.isPartial(key)) {
                continue;
            }
            long[] numbers = new long[count];
            int[] inOrder = new int[count];
            for (int end = 0; end < count; end++) {
                inOrder[end] = orders.end(key, end);
                numbers[end] = guess[versions.firstWriter(inOrder[end])];
            }
            RadixSort.sort(numbers, inOrder, count);
            for (int next = 1; next < count; next++) {
                overwrite(inOrder[next - 1], inOrder[next]);
            }
        }
    }

    private void overwrite(int version, int next) {
        int first = versions.firstWriter(version);
        int second = versions.firstWriter(next);
        if (first != second) {
            graph.add(first, second, DependencyGraph.WW);
        }
    }

    // ---------------------------------------------------------------- readers of versions with several next versions

    private void followLateReaders(ReadEdges ofReads) {
        followGroups(ofReads.lateKeys, ofReads.lateReaders, log.keyCount, true);
        followGroups(ofReads.partialVersions, ofReads.partialReaders, versions.count(), false);
    }

    private void followGroups(IntColumn groupOf, IntColumn readerOf, int groupCount, boolean byKey) {
        if (groupOf.size() == 0) {
            return;
        }
        int[] firstOf = CountingSort.firstOf(groupOf, groupCount);
        int[] readers = new int[groupOf.size()];
        int[] next = Arrays.copyOf(firstOf, groupCount);
        for (int i = 0; i < readers.length; i++) {
            int at = next[groupOf.get(i)];
            if (at == firstOf[groupOf.get(i)] || readers[at - 1] != readerOf.get(i)) {
                readers[at] = readerOf.get(i);
                next[groupOf.get(i)]++;
            }
        }
        for (int group = 0; group < groupCount; group++) {
            if (next[group] > firstOf[group]) {
                gatherNext(group, byKey);
                allPairs.join(readers, firstOf[group], next[group], targets, targetCount, DependencyGraph.RW);
            }
        }
    }

    private void gatherNext(int group, boolean byKey) {
        successors.clear();
        if (!byKey && !versions.isInitial(group)) {
            orders.registers().gatherSuccessors(group, successors);
        } else {
            int count = byKey ? orders.endCount(group) : orders.registers().minimalCount(group);
            for (int end = 0; end < count; end++) {
                successors.add(orders.end(group, end));
            }
        }
        targetCount = successors.size();
        if (targets.length < targetCount) {
            targets = new int[Math.max(targetCount, 2 * targets.length)];
        }
        for (int i = 0; i < targetCount; i++) {
            targets[i] = versions.firstWriter(successors.get(i));
        }
    }

    // ---------------------------------------------------------------- sessions and real time

    private void followSessions(Sessions sessions) {
        for (int session = 0; session < sessions.count(); session++) {
            int previous = -1;
            int helper = -1;
            for (int i = sessions.first(session); i < sessions.first(session + 1); i++) {
                int txn = sessions.txn(i);
                if (!outcomes.isCounted(txn)) {
                    continue;
                }
                if (previous >= 0) {
                    int next = graph.addVertex();
                    if (helper >= 0) {
                        graph.add(helper, next, DependencyGraph.VIA);
                    }
                    helper = next;
                    graph.add(previous, helper, DependencyGraph.SO);
                    graph.add(helper, txn, DependencyGraph.VIA);
                }
                previous = txn;
            }
        }
    }

    private void followRealTime() {
        int count = 0;
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (outcomes.isCounted(txn)) {
                count += RealTimeOrder.hasBeginning(log, txn) ? 1 : 0;
                count += RealTimeOrder.hasEnd(log, txn) ? 1 : 0;
            }
        }
        long[] times = new long[count];
        int[] events = new int[count]; // ~txn for an end
        int event = 0;
        for (int txn = 0; txn < log.txnCount; txn++) { // begins sort first, and so stay before equal ends
            if (outcomes.isCounted(txn) && RealTimeOrder.hasBeginning(log, txn)) {
                times[event] = log.invokeNs[txn];
                events[event++] = txn;
            }
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (outcomes.isCounted(txn) && RealTimeOrder.hasEnd(log, txn)) {
                times[event] = log.completeNs[txn];
                events[event++] = ~txn;
            }
        }
        RadixSort.sort(times, events, count);
        int moment = -1;
        boolean isOver = true; // a transaction has begun since, so that further ends belong to another moment
        for (int i = 0; i < count; i++) {
            if (events[i] < 0) {
                if (isOver) {
                    int next = graph.addVertex();
                    if (moment >= 0) {
                        graph.add(moment, next, DependencyGraph.VIA);
                    }
                    moment = next;
                    isOver = false;
                }
                graph.add(~events[i], moment, DependencyGraph.RT);
            } else if (moment >= 0) {
                graph.add(moment, events[i], DependencyGraph.VIA);
                isOver = true;
            }
        }
    }
}
