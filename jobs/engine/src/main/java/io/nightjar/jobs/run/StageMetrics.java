package io.nightjar.jobs.run;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.history.Traffic;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.pipeline.decide.StageListener;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of each stage for the table {@code stages}, also sent to the progress listener while stages run. */
public final class StageMetrics implements StageListener {

    /** Column with the number of requests to a store. */
    public static final String REQUESTS = "requests";

    private static final long NOT_MEASURED = -1;

    private final ProgressListener watcher;
    private final boolean keepsRows;
    private final List<StageRow> rows = new ArrayList<>();
    private @Nullable HistorySource source;
    private Traffic counted = Traffic.NONE; // the part of the traffic that is in a row

    public StageMetrics(ProgressListener watcher) {
        this(watcher, true);
    }

    private StageMetrics(ProgressListener watcher, boolean keepsRows) {
        this.watcher = watcher;
        this.keepsRows = keepsRows;
    }

    /** Returns stages that are not reported, for work that is part of another stage. */
    public static StageMetrics untold() {
        return new StageMetrics(ProgressListener.NONE, false);
    }

    /**
     * A row of the table; -1 for values that were not measured.
     *
     * @param counters further numbers, by the names of their columns
     */
    public record StageRow(
            String stage,
            double seconds,
            long recordsIn,
            long recordsOut,
            long bytesRead,
            long bytesSpilled,
            long peakMemoryBytes,
            Map<String, Long> counters) {

        LakeRow.Stage in(LakeRow.Ids run) {
            return new LakeRow.Stage(
                    run,
                    stage,
                    seconds,
                    measured(recordsIn),
                    measured(recordsOut),
                    measured(bytesRead),
                    measured(bytesSpilled),
                    measured(peakMemoryBytes),
                    new LakeRow.Stage.Counters(
                            counters.get("txns_read"),
                            counters.get("ops_read"),
                            counters.get("dead_letters"),
                            counters.get("components_done"),
                            counters.get("components_total"),
                            counters.get("anomalies"),
                            counters.get(REQUESTS)));
        }

        private static @Nullable Long measured(long number) {
            return number == NOT_MEASURED ? null : number;
        }
    }

    /** Returns the row of a history that was copied from a pipe before it was read. */
    public static StageRow ofPipe(long keptBytes) {
        return new StageRow("read", 0, 0, 0, keptBytes, keptBytes, peakHeapBytes(), Map.of());
    }

    public synchronized List<StageRow> rows() {
        return List.copyOf(rows);
    }

    /** Adds a row that another process measured. */
    public synchronized void add(StageRow row) {
        rows.add(row);
    }

    /** Returns the seconds since a stage of this name began its last run; 0 if none began. */
    public synchronized double seconds(String stage) {
        double seconds = 0;
        for (StageRow row : rows) {
            seconds = row.stage().equals(stage) ? row.seconds() : seconds;
        }
        return seconds;
    }

    /** Begins a stage that reads a source. */
    public Stage begin(String name, HistorySource source) {
        reads(source);
        long bytes = 0;
        for (Split split : source.splits()) {
            bytes += split.byteCount();
        }
        return new Stage(name, watcher.begin(name, "transactions", txnCount(source)), NOT_MEASURED, bytes);
    }

    /** Counts the requests for a source in the stages that end from now on. */
    public synchronized void reads(HistorySource source) {
        this.source = source;
    }

    /** Returns the requests since the last call; null if files are read. */
    private synchronized @Nullable Traffic takeTraffic() {
        Traffic traffic = source == null ? null : source.traffic();
        if (traffic == null) {
            return null;
        }
        Traffic since = traffic.since(counted);
        counted = traffic;
        return since;
    }

    /** Returns the number of transactions that a source states, -1 if it states none. */
    public static long txnCount(HistorySource source) {
        long txns = 0;
        for (Split split : source.splits()) {
            if (split.txnCount() < 0) {
                return -1;
            }
            txns += split.txnCount();
        }
        return txns;
    }

    /** Begins work on the given number of units. */
    @Override
    public Stage begin(String name, long units, long recordsIn) {
        return begin(name, "parts", units, recordsIn);
    }

    /** Begins work on the given number of objects, -1 if unknown. */
    public Stage begin(String name, String unit, long total, long recordsIn) {
        return new Stage(name, watcher.begin(name, unit, total), recordsIn, 0);
    }

    /** A running stage. */
    public final class Stage implements StageListener.Work {

        private final String name;
        private final ProgressListener.Task task;
        private final long startNs = System.nanoTime();
        private final long recordsIn;
        private final long bytesRead;
        private long advanced;
        private long recordsOut = NOT_MEASURED;
        private long bytesSpilled;

        private Stage(String name, ProgressListener.Task task, long recordsIn, long bytesRead) {
            this.name = name;
            this.task = task;
            this.recordsIn = recordsIn;
            this.bytesRead = bytesRead;
        }

        @Override
        public synchronized void advance(long amount) {
            advanced += amount;
            task.advance(amount);
        }

        @Override
        public void found(long count) {
            recordsOut = count;
        }

        @Override
        public void spilled(long bytes) {
            bytesSpilled = bytes;
        }

        @Override
        public void close() {
            task.close();
            if (!keepsRows) {
                return;
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            long in = recordsIn == NOT_MEASURED ? advanced : recordsIn;
            long out = recordsOut == NOT_MEASURED ? in : recordsOut;
            Traffic traffic = takeTraffic();
            long bytes = traffic == null ? bytesRead : traffic.bytes();
            Map<String, Long> counters = traffic == null ? Map.of() : Map.of(REQUESTS, traffic.requests());
            add(new StageRow(name, seconds, in, out, bytes, bytesSpilled, peakHeapBytes(), counters));
        }
    }

    private static long peakHeapBytes() {
        long peak = 0;
        for (MemoryPoolMXBean pool : HeapPools.ALL) {
            peak += pool.getPeakUsage().getUsed();
        }
        return peak;
    }

    /** The pools of the heap, cached, as a run may have thousands of short stages. */
    private static final class HeapPools {

        static final List<MemoryPoolMXBean> ALL = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }
}
