package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Derives the dependencies between transactions from what they wrote and read and from the orders of versions. */
public final class DependencyInference {

    /*
     * Adya's edges [1], between neighbouring versions of a key as far as their order is known:
     *
     *   ww  from the writer of a version to the writer of the next
     *   wr  from the writer of a version to each transaction that read it
     *   rw  from each transaction that read a version to the writer of the next
     *
     * Versions whose writer is not known, or does not count, are passed over: the next one of a counted writer comes after
     * them all the same. Reads count only in committed transactions. Where k transactions read the last known version and
     * m wrote versions behind it, a helper stands for the k times m edges.
     *
     * Session order and real time become chains of helpers, two edges a transaction, that every later transaction can be
     * reached from at the cost of one edge:
     *
     *   T -SO-> s1 -> s2 -> s3        T -RT-> c1 -> c2 -> c3       c: a moment at which some transactions have ended,
     *            \     \     \                 \     \     \          before others begin
     *             U     V     W                 U     V     W
     *
     * [1] docs/papers.md#adya
     */

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final Outcomes outcomes;
    private final DependencyGraph.Builder graph;

    private final IntColumn lateKeys = new IntColumn(); // pairs: a key, and a reader that saw its whole chain
    private final IntColumn lateReaders = new IntColumn();
    private final IntColumn partialVersions = new IntColumn(); // pairs: a version of a partial order, and its reader
    private final IntColumn partialReaders = new IntColumn();
    private final IntColumn successors = new IntColumn();
    private final AllPairs allPairs;
    private int[] targets = new int[64]; // writers of the next versions after the one that is looked at
    private int targetCount;

    private DependencyInference(OperationLog log, VersionOrders orders) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        outcomes = orders.outcomes();
        graph = new DependencyGraph.Builder(log.txnCount, (int) Math.min(1 << 28, 1.25 * log.opCount + 16));
        allPairs = new AllPairs(graph, log.txnCount);
    }

    /**
     * @param sessions null if session order is not asked for
     * @param realTime whether real time is asked for
     */
    public static DependencyGraph infer(
            OperationLog log, VersionOrders orders, @Nullable Sessions sessions, boolean realTime) {
        return infer(log, orders, sessions, realTime, null);
    }

    /** @param guess numbers by transaction, in whose order the versions at the end of a key are taken to be; or null */
    public static DependencyGraph infer(
            OperationLog log,
            VersionOrders orders,
            @Nullable Sessions sessions,
            boolean realTime,
            long @Nullable [] guess) {
        DependencyInference inference = new DependencyInference(log, orders);
        inference.followReads();
        if (guess != null) {
            inference.followGuess(guess);
        }
        inference.followVersions();
        inference.followLateReaders();
        new SetDependencies(log, orders, inference.allPairs).infer();
        if (sessions != null) {
            inference.followSessions(sessions);
        }
        if (realTime) {
            inference.followRealTime();
        }
        return inference.graph.build();
    }

    // ---------------------------------------------------------------- reads

    private void followReads() {
        KeyUse use = orders.use();
        int[] wroteOf = new int[log.keyCount]; // the last transaction that was seen to write a key, plus one
        byte[] kinds = log.kind;
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] != TxnStatus.COMMITTED) {
                continue;
            }
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                if (OpKind.isWrite(kinds[op])) {
                    wroteOf[key] = txn + 1;
                } else if (use.of(key) == KeyUse.LIST) {
                    followListRead(txn, key, op, wroteOf[key] == txn + 1);
                } else if (use.of(key) == KeyUse.REGISTER && wroteOf[key] != txn + 1) {
                    followRegisterRead(txn, key, op);
                }
            }
        }
    }

    /** @param wrote whether the transaction had appended before: what it misses then, others overwrote after it */
    private void followListRead(int txn, int key, int op, boolean wrote) {
        if (log.kind[op] == OpKind.READ_NOTHING || log.lists.length(log.value[op]) == 0) {
            if (!wrote) {
                missNext(txn, key, 0);
            }
        } else if (orders.lists().isPrefix(op)) {
            int length = log.lists.length(log.value[op]);
            int next = orders.firstMissed(key, length);
            if (next > 0) {
                int seen = orders.chainVersion(key, next - 1);
                if (orders.place(seen) == length - 1) {
                    int writer = versions.firstWriter(seen);
                    if (writer == txn) {
                        return;
                    }
                    graph.add(writer, txn, DependencyGraph.WR);
                }
            }
            if (!wrote) {
                missNext(txn, key, length);
            }
        } else {
            readFrom(txn, versions.find(key, lastElement(op)));
        }
    }

    private long lastElement(int op) {
        long list = log.value[op];
        return log.lists.element(log.key[op], list, log.lists.length(list) - 1);
    }

    private void readFrom(int txn, int version) {
        if (version != Versions.NONE && orders.isResolved(version) && versions.writer(version) != txn) {
            graph.add(versions.writer(version), txn, DependencyGraph.WR);
        }
    }

    private void followRegisterRead(int txn, int key, int op) {
        int version = versions.ofOp(op);
        readFrom(txn, version);
        if (version == Versions.NONE || versions.writer(version) == Versions.SEVERAL) {
            return;
        }
        if (orders.isPartial(key)) {
            partialVersions.add(version);
            partialReaders.add(txn);
        } else if (orders.place(version) != VersionOrders.NOWHERE) {
            missNext(txn, key, orders.place(version) + 1);
        } else if (versions.isInitial(version)) {
            missNext(txn, key, 0);
        }
    }

    /** The transaction saw the given number of first versions of a key, and not the next. */
    private void missNext(int txn, int key, int place) {
        int next = orders.firstMissed(key, place);
        if (next == orders.chainLength(key)) {
            if (orders.endCount(key) > 0) {
                lateKeys.add(key);
                lateReaders.add(txn);
            }
            return;
        }
        int writer = versions.firstWriter(orders.chainVersion(key, next));
        if (writer != txn) {
            graph.add(txn, writer, DependencyGraph.RW);
        }
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

    // ---------------------------------------------------------------- readers of what has several next versions

    private void followLateReaders() {
        followGroups(lateKeys, lateReaders, log.keyCount, true);
        followGroups(partialVersions, partialReaders, versions.count(), false);
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
                    int next = graph.addHelper();
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
        for (int txn = 0; txn < log.txnCount; txn++) { // beginnings stand first, and so stay before equal ends
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
                    int next = graph.addHelper();
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
