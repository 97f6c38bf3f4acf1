package io.nightjar.jobs.report;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shape of a history: kinds of operations, sessions, hot keys, and rates over time. */
final class HistoryShape {

    /*
     * Threads compute a shape per slice, and the shapes are added in row order. Database times are preferred; client
     * times are used where a history has none.
     */

    /** Number of latency buckets per power of two. */
    static final int STEPS = 4;

    private static final int LATENCY_BUCKETS = 64 * STEPS;

    private final long[] txnsByStatus = new long[TxnStatus.UNKNOWN + 1];
    private final long[] opsByKind = new long[OpKind.COUNT];
    private final Map<Long, long[]> txnsOfSession = new HashMap<>();
    private final HeavyKeys keys = new HeavyKeys();

    /** Start and end times by the database's clock, then by the clients'. */
    private final TimeHistogram[] begins = {new TimeHistogram(), new TimeHistogram()};

    private final TimeHistogram[] ends = {new TimeHistogram(), new TimeHistogram()};

    /** Logarithmic counts of durations, by the same two clocks. */
    private final long[][] durations = new long[2][LATENCY_BUCKETS];

    private final double[] sumOfDurations = new double[2];

    /** Returns the shape of one slice. */
    static HistoryShape of(HistorySlice slice) {
        HistoryShape shape = new HistoryShape();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            shape.txnsByStatus[slice.status[txn]]++;
            shape.txnsOfSession.computeIfAbsent(slice.sessionId[txn], absent -> new long[1])[0]++;
            shape.addSpan(0, slice.startTs, slice.commitTs, txn);
            shape.addSpan(1, slice.invokeNs, slice.completeNs, txn);
        }
        shape.addOps(slice);
        return shape;
    }

    private void addSpan(int clock, long @Nullable [] from, long @Nullable [] to, int txn) {
        if (from == null || from[txn] == HistorySlice.NONE) {
            return;
        }
        long end = to == null || to[txn] == HistorySlice.NONE || to[txn] < from[txn] ? from[txn] : to[txn];
        begins[clock].add(from[txn], 1);
        ends[clock].add(end, 1);
        if (end != from[txn]) {
            long duration = Math.max(0, end - from[txn]);
            durations[clock][bucketOf(duration)]++;
            sumOfDurations[clock] += duration;
        }
    }

    private static int bucketOf(long duration) {
        return (int) Math.min(LATENCY_BUCKETS - 1, Math.floor(STEPS * Math.log(Math.max(1, duration)) / Math.log(2)));
    }

    /** Returns the minimum duration of a latency bucket. */
    static double minOf(int bucket) {
        return Math.pow(2, (double) bucket / STEPS);
    }

    private void addOps(HistorySlice slice) {
        boolean isNamed = slice.keyType == ValueType.STRING;
        int names = isNamed && slice.keyNames != null ? slice.keyNames.size() : 0;
        long[] countOfName = new long[names];
        for (int op = 0; op < slice.opCount; op++) {
            opsByKind[slice.kind[op]]++;
            if (isNamed) {
                countOfName[(int) slice.key[op]]++;
            } else {
                keys.add(slice.key[op]);
            }
        }
        for (int name = 0; name < names; name++) {
            if (countOfName[name] > 0) {
                keys.add(slice.keyNames.get(name), countOfName[name]);
            }
        }
    }

    void add(HistoryShape other) {
        for (int i = 0; i < txnsByStatus.length; i++) {
            txnsByStatus[i] += other.txnsByStatus[i];
        }
        for (int i = 0; i < opsByKind.length; i++) {
            opsByKind[i] += other.opsByKind[i];
        }
        other.txnsOfSession.forEach(
                (session, count) -> txnsOfSession.computeIfAbsent(session, absent -> new long[1])[0] += count[0]);
        keys.addAll(other.keys);
        for (int clock = 0; clock < 2; clock++) {
            begins[clock].addAll(other.begins[clock]);
            ends[clock].addAll(other.ends[clock]);
            sumOfDurations[clock] += other.sumOfDurations[clock];
            for (int i = 0; i < LATENCY_BUCKETS; i++) {
                durations[clock][i] += other.durations[clock][i];
            }
        }
    }

    long txns() {
        return Arrays.stream(txnsByStatus).sum();
    }

    long ops() {
        return Arrays.stream(opsByKind).sum();
    }

    /** Returns the number of transactions by name of the status, including zeros. */
    Map<String, Long> byStatus() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (byte status = 0; status < txnsByStatus.length; status++) {
            counts.put(TxnStatus.name(status), txnsByStatus[status]);
        }
        return counts;
    }

    /** Returns the number of operations by name of the kind, without zeros. */
    Map<String, Long> byKind() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            if (opsByKind[kind] > 0) {
                counts.merge(OpKind.name(kind), opsByKind[kind], Long::sum);
            }
        }
        return counts;
    }

    /** Returns the number of transactions of each session, in descending order. */
    long[] bySession() {
        long[] counts = txnsOfSession.values().stream()
                .mapToLong(count -> -count[0])
                .sorted()
                .toArray();
        return Arrays.stream(counts).map(count -> -count).toArray();
    }

    HeavyKeys keys() {
        return keys;
    }

    boolean hasTimes() {
        return !begins[clock()].isEmpty();
    }

    boolean areTimesOfClients() {
        return clock() == 1;
    }

    private int clock() {
        return begins[0].isEmpty() ? 1 : 0;
    }

    /** Returns the histogram of transaction ends. */
    TimeHistogram rate() {
        return ends[clock()];
    }

    /** Returns the number of open transactions at evenly spaced times of the history. */
    long[] concurrency() {
        TimeHistogram all = new TimeHistogram();
        all.addAll(ends[clock()]);
        all.addAll(begins[clock()]);
        long[] begun = begins[clock()].countsLike(all);
        long[] ended = ends[clock()].countsLike(all);
        long[] open = new long[begun.length];
        long now = 0;
        for (int i = 0; i < open.length; i++) {
            now += begun[i] - ended[i];
            open[i] = now;
        }
        return open;
    }

    boolean areLatenciesOfClients() {
        return Arrays.stream(durations[1]).anyMatch(count -> count > 0);
    }

    /**
     * Returns the number of transactions by latency bucket (see {@link #minOf}), in clients' nanoseconds where
     * available.
     */
    long[] latencies() {
        return durations[areLatenciesOfClients() ? 1 : 0];
    }

    double meanLatency() {
        int clock = areLatenciesOfClients() ? 1 : 0;
        long count = Arrays.stream(durations[clock]).sum();
        return count == 0 ? 0 : sumOfDurations[clock] / count;
    }
}
