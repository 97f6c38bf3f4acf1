package io.nightjar.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Kernels that promise to create no object per operation: they allocate only columns, or an amount that does not grow
 * with the history.
 */
class AllocationTest {

    private static final int FEW = 10_000;
    private static final int MANY = 20_000;
    private static final int OPERATIONS = 15;

    /** Number of rounds in which buffers reach their size and the JVM compiles; the minimum of the rest counts. */
    private static final int WARM = 5;

    private static final int COUNTED = 5;

    private final Blackhole hole = new Blackhole(
            "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

    /** A kernel that is ready to run on a history of a size. */
    private interface Prepared {
        Runnable on(GeneratedSlices history);
    }

    @Test
    void encodingLanesAllocatesNothing() {
        assertThat(bytesForAnOperation(history -> {
                    LaneCodecBenchmark lanes = new LaneCodecBenchmark();
                    lanes.scan(history);
                    return () -> lanes.encodeLanes(hole);
                }))
                .isLessThan(0.01);
    }

    @Test
    void groupingSessionsAllocatesNothing() {
        assertThat(bytesForAnOperation(history -> {
                    SessionForestBenchmark sessions = new SessionForestBenchmark();
                    return () -> hole.consume(sessions.groupSessions(history));
                }))
                .isLessThan(0.01);
    }

    /** Two columns of 64 bits for each transaction, and one of 32. */
    @Test
    void sortingTimestampsAllocatesColumns() {
        assertThat(bytesForAnOperation(history -> {
                    RadixSortBenchmark sort = new RadixSortBenchmark();
                    sort.collect(history);
                    return () -> {
                        sort.unsort();
                        hole.consume(sort.sortTimestamps());
                    };
                }))
                .isLessThan(2.0);
    }

    /** Events of transactions and state of keys: no object is as small as the bytes that remain per operation. */
    @Test
    void sweepingAllocatesColumns() {
        assertThat(bytesForAnOperation(history -> {
                    SweepBenchmark sweep = new SweepBenchmark();
                    sweep.fill(history);
                    return sweep::sweepSnapshots;
                }))
                .isLessThan(4.0);
    }

    private static double bytesForAnOperation(Prepared kernel) {
        return (double) (minBytes(kernel, MANY) - minBytes(kernel, FEW)) / ((MANY - FEW) * OPERATIONS);
    }

    private static long minBytes(Prepared kernel, int transactions) {
        GeneratedSlices history = new GeneratedSlices();
        history.workload = Workload.ZIPFIAN_1K;
        history.transactions = transactions;
        try {
            history.generate();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Runnable run = kernel.on(history);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long min = Long.MAX_VALUE;
        for (int round = 0; round < WARM + COUNTED; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run.run();
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            min = round < WARM ? min : Math.min(min, bytes);
        }
        return min;
    }
}
