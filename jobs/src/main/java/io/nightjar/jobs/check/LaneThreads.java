package io.nightjar.jobs.check;

import io.nightjar.jobs.read.SliceLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Runs work for each lane on a few threads; the first failure stops the rest and is thrown. */
final class LaneThreads {

    private LaneThreads() {}

    static void run(int threadCount, int laneCount, TimestampRun.LaneWork work) throws IOException {
        AtomicInteger nextLane = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable loop = () -> {
            int lane = nextLane.getAndIncrement();
            while (lane < laneCount && failure.get() == null) {
                try {
                    work.run(lane);
                } catch (Throwable thrown) {
                    failure.compareAndSet(null, thrown);
                }
                lane = nextLane.getAndIncrement();
            }
        };
        List<Thread> helpers = new ArrayList<>();
        for (int i = 1; i < threadCount; i++) {
            Thread helper = new Thread(loop, "check-" + i);
            helper.setDaemon(true);
            helper.start();
            helpers.add(helper);
        }
        loop.run();
        try {
            for (Thread helper : helpers) {
                helper.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while checking", interrupted);
        }
        SliceLoop.rethrow(failure.get());
    }
}
