package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Sorting the start and commit timestamps of all transactions, which are in the order of the rows. */
public class RadixSortBenchmark extends KernelBenchmark {

    private long[] unsorted;
    private long[] ts;
    private int[] events;

    @Setup(Level.Trial)
    public void collect(GeneratedSlices history) {
        unsorted = new long[Math.toIntExact(2 * history.transactions)];
        int count = 0;
        for (HistorySlice slice : history.slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                unsorted[count++] = slice.startTs[txn];
                unsorted[count++] = slice.commitTs[txn];
            }
        }
        unsorted = Arrays.copyOf(unsorted, count);
        ts = new long[count];
        events = new int[count];
        history.slices = List.of(); // releases the slices, so that collections do not trace them
    }

    @Setup(Level.Invocation)
    public void unsort() {
        System.arraycopy(unsorted, 0, ts, 0, ts.length);
    }

    @Benchmark
    public long[] sortTimestamps() {
        RadixSort.sort(ts, events, ts.length);
        return ts;
    }

    @TearDown(Level.Iteration)
    public void verify() {
        for (int i = 1; i < ts.length; i++) {
            if (ts[i - 1] > ts[i]) {
                throw new IllegalStateException("not sorted: at=" + i);
            }
        }
    }
}
