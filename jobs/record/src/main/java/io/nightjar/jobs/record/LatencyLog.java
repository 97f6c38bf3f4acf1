package io.nightjar.jobs.record;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Log of transaction latencies next to the archive, with one histogram per second. */
final class LatencyLog implements AutoCloseable {

    private static final long MAX_NS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    private final Recorder recorder = new Recorder(MAX_NS, DIGITS);
    private final Histogram all = new Histogram(MAX_NS, DIGITS);
    private final PrintStream file;
    private final HistogramLogWriter log;
    private @Nullable Histogram second;
    private volatile String latest = "";

    /** @param path the log file; null to write no log */
    LatencyLog(@Nullable Path path) throws IOException {
        OutputStream out =
                path == null ? OutputStream.nullOutputStream() : new BufferedOutputStream(Files.newOutputStream(path));
        this.file = new PrintStream(out, false, StandardCharsets.UTF_8);
        this.log = new HistogramLogWriter(file);
        log.outputComment("[nanoseconds from when a transaction was to begin to when it had ended]");
        log.outputStartTime(System.currentTimeMillis());
        log.outputLegend();
    }

    /**
     * @param expectedNs interval after which the next transaction would have begun without this delay; 0 for scheduled
     *     transactions
     */
    void add(long tookNs, long expectedNs) {
        long bounded = Math.min(Math.max(1, tookNs), MAX_NS);
        if (expectedNs > 0) {
            recorder.recordValueWithExpectedInterval(bounded, expectedNs);
        } else {
            recorder.recordValue(bounded);
        }
    }

    /** Writes the latencies added since the last call. */
    synchronized void writeInterval() {
        Histogram next = recorder.getIntervalHistogram(second);
        second = next;
        if (next.getTotalCount() > 0) {
            log.outputIntervalHistogram(next);
            all.add(next);
            latest = String.format(
                    Locale.ROOT,
                    "p50 %.1f p99 %.1f max %.0f ms",
                    next.getValueAtPercentile(50) / 1e6,
                    next.getValueAtPercentile(99) / 1e6,
                    next.getMaxValue() / 1e6);
        }
    }

    /** Returns the percentiles of the last interval in which a transaction ended. */
    String latest() {
        return latest;
    }

    @Override
    public synchronized void close() {
        writeInterval();
        file.close();
    }
}
