package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineListener;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;

/**
 * The work of a watch on transactions that arrive nearly in the order of commits: checked, sealed after a window,
 * spilled.
 */
public class OnlineBenchmark extends KernelBenchmark {

    private static final List<IsolationLevel> SNAPSHOTS = List.of(IsolationLevel.SNAPSHOT_ISOLATION);
    private static final int WINDOW_TXNS = 20_000;

    private long[] lastCommits; // greatest commit of each slice and all before it

    @Setup(Level.Trial)
    public void findCommits(GeneratedSlices history) {
        lastCommits = new long[history.slices.size()];
        long last = Long.MIN_VALUE;
        for (int i = 0; i < lastCommits.length; i++) {
            HistorySlice slice = history.slices.get(i);
            for (int txn = 0; txn < slice.txnCount; txn++) {
                last = Math.max(last, slice.commitTsOf(txn));
            }
            lastCommits[i] = last;
        }
    }

    @Benchmark
    public OnlineCheck checkOnline(GeneratedSlices history) {
        OnlineCheck check = new OnlineCheck(SNAPSHOTS, null, OnlineListener.NONE);
        int nextToSeal = 0; // the next slice to be sealed
        int inWindow = 0;
        for (HistorySlice slice : history.slices) {
            check.add(slice, 0);
            inWindow += slice.txnCount;
            while (inWindow > WINDOW_TXNS && history.slices.get(nextToSeal) != slice) {
                inWindow -= history.slices.get(nextToSeal).txnCount;
                check.seal(lastCommits[nextToSeal++]);
            }
        }
        check.sealAll();
        if (check.provisional() > 0 || check.leftToSegments() > 0) {
            throw new IllegalStateException("not clean");
        }
        return check;
    }
}
