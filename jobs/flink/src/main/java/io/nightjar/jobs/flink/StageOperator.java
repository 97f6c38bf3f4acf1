package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.read.ItemSource;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.jobs.spill.SpillFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** A station of the pipeline as a Flink operator: what all of them share. */
abstract class StageOperator extends AbstractStreamOperator<Chunk> {

    private static final long serialVersionUID = 1;

    /** Chunks of lanes. */
    static final OutputTag<Chunk> LANES = new OutputTag<>("lanes", ChunkType.INSTANCE);

    /** What is to be known of a history of tables, on its way to the task that checks it as a whole. */
    static final OutputTag<Chunk> TABLES = new OutputTag<>("tables", ChunkType.INSTANCE);

    /** What the first reading has to say to the one task that knows of all of it. */
    static final OutputTag<Chunk> FACTS = new OutputTag<>("facts", ChunkType.INSTANCE);

    /** What tasks have to say to the last station. */
    static final OutputTag<Chunk> OUTCOMES = new OutputTag<>("outcomes", ChunkType.INSTANCE);

    /** Whole transactions on their way to the task that checks their sessions' values. */
    static final OutputTag<Chunk> BINS = new OutputTag<>("bins", ChunkType.INSTANCE);

    /** Components of large groups on their way to the searching tasks. */
    static final OutputTag<Chunk> COMPONENTS = new OutputTag<>("components", ChunkType.INSTANCE);

    /** Large groups on their way to where their components' answers go as well. */
    static final OutputTag<Chunk> ANSWERS = new OutputTag<>("answers", ChunkType.INSTANCE);

    /** Transactions without operations on their way to the task that checks the order in their sessions. */
    static final OutputTag<Chunk> SESSIONS = new OutputTag<>("sessions", ChunkType.INSTANCE);

    /** What is to be fetched of the participants of findings. */
    static final OutputTag<Chunk> PARTICIPANTS = new OutputTag<>("participants", ChunkType.INSTANCE);

    /** What is to be fetched for a replay, on its way to where rows of participants are known. */
    static final OutputTag<Chunk> OPEN_PLAN = new OutputTag<>("open-plan", ChunkType.INSTANCE);

    /** The order of a slice is the ordinal of its split, and below this many bits its own in the split. */
    static final int SLICE_BITS = 32;

    /** The order of what comes before everything else of its key. */
    static final long FIRST = -1;

    /** The order of what comes behind everything else of its key. */
    static final long LAST = Long.MAX_VALUE - 1;

    private static final String METRIC_GROUP = "nightjar";
    private static final String SPILLED_BYTES = "spilled_bytes";
    private static final double SHARE_OF_SORTER = 0.8;
    private static final int BYTES_AROUND_CHUNK = 34; // kind, key, length, order, and what the sorter adds

    final JobSpec spec;
    private final String word;
    private transient @Nullable HistorySource source;
    private transient long startNs;
    private transient Map<String, Counter> counters;
    private transient LongCounter done;
    private transient Map<String, LongCounter> totals;
    private transient long bytesArrived;
    private transient long sorterBytes;

    /** @param word the station's word, by which the table of stages calls it */
    StageOperator(JobSpec spec, String word) {
        this.spec = spec;
        this.word = word;
    }

    @Override
    public void open() throws Exception {
        super.open();
        startNs = System.nanoTime();
        counters = new TreeMap<>();
        done = new LongCounter();
        getRuntimeContext().addAccumulator(JobProgress.done(getOperatorConfig().getOperatorName()), done);
        totals = new TreeMap<>();
        ExchangeWatchdog.watch(getContainingTask().getEnvironment(), getProcessingTimeService());
    }

    private long sorterBytes() {
        Environment environment = getContainingTask().getEnvironment();
        double share = getOperatorConfig()
                .getManagedMemoryFractionOperatorUseCaseOfSlot(
                        ManagedMemoryUseCase.OPERATOR,
                        environment.getJobConfiguration(),
                        environment.getTaskManagerInfo().getConfiguration(),
                        getUserCodeClassloader());
        return (long) (environment.getMemoryManager().computeMemorySize(share) * SHARE_OF_SORTER);
    }

    /** The history, opened once for each task. */
    HistorySource source() throws IOException {
        if (source == null) {
            source = ItemSource.of(Histories.open(Path.of(spec.path), spec.from, spec.uri));
            spec.mixedTypes.forEach(source::holdAsJson);
        }
        return source;
    }

    @Nullable
    String initialValue() throws IOException {
        return source().initialValue(spec.initialValue);
    }

    /** A metric, whose final value the table of stages tells. */
    Counter counter(String name) {
        return counters.computeIfAbsent(
                name, any -> getMetricGroup().addGroup(METRIC_GROUP).counter(name));
    }

    /** Tells who watches the job that so much more is done. */
    void advance(long amount) {
        done.add(amount);
    }

    /** Tells who watches the job that so much more is to be done here. */
    void expect(long amount) {
        expect(getOperatorConfig().getOperatorName(), amount);
    }

    /** Tells who watches the job that so much more is to be done by a station. */
    void expect(String stage, long amount) {
        totals.computeIfAbsent(stage, this::newTotal).add(amount);
    }

    private LongCounter newTotal(String stage) {
        LongCounter total = new LongCounter();
        getRuntimeContext().addAccumulator(JobProgress.total(stage), total);
        return total;
    }

    /** Returns what one task may hold on the heap: its slot's share of what the process has. */
    long heapBytes() {
        return TaskHeap.bytes(Math.min(Runtime.getRuntime().maxMemory(), spec.memoryBytes), slots());
    }

    /** How many tasks of a kind the process runs at once. */
    int slots() {
        Configuration config =
                getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration();
        return config.get(TaskManagerOptions.NUM_TASK_SLOTS);
    }

    /** Returns what the first reading keeps for the second. */
    SliceCache keptSlices() throws Exception {
        return SliceCache.of(getContainingTask().getEnvironment(), spec.keptBytes);
    }

    void emit(Chunk chunk) {
        output.collect(new StreamRecord<>(chunk));
    }

    /** @param order by it chunks of one key are sorted where they arrive */
    void emit(Chunk chunk, long order) {
        output.collect(new StreamRecord<>(chunk, order));
    }

    void emit(OutputTag<Chunk> to, Chunk chunk, long order) {
        output.collect(to, new StreamRecord<>(chunk, order));
    }

    /** Returns where Flink lets tasks put aside what does not fit into memory. */
    SpillFile.Place spillPlace() {
        File[] directories = getContainingTask().getEnvironment().getIOManager().getSpillingDirectories();
        return new SpillFile.Place(
                Arrays.stream(directories).map(File::toPath).toList(),
                "free some room, or set io.tmp.dirs (TMPDIR where there is no --cluster) to a larger disk");
    }

    /**
     * Notes what came sorted from an exchange. Flink does not tell what its sorters write to disk, but they keep nothing in
     * memory once there is more than fits.
     */
    void noteArrived(Chunk chunk) {
        if (bytesArrived == 0) {
            sorterBytes = sorterBytes();
        }
        long before = bytesArrived;
        bytesArrived += BYTES_AROUND_CHUNK + chunk.length;
        if (bytesArrived > sorterBytes) {
            spilled(before > sorterBytes ? bytesArrived - before : bytesArrived);
        }
    }

    /** Notes bytes that went to disk. */
    void spilled(long bytes) {
        counter(SPILLED_BYTES).inc(bytes);
    }

    /** Tells the table of stages what this task did. */
    void reportStage(long recordsIn, long recordsOut, long bytesRead) {
        report((System.nanoTime() - startNs) / 1e9, recordsIn, recordsOut, bytesRead);
    }

    /** Tells the metrics alone, where local code tells the rest. */
    void reportCounters() {
        report(0, 0, 0, 0);
    }

    private void report(double seconds, long recordsIn, long recordsOut, long bytesRead) {
        Map<String, Long> values = new TreeMap<>();
        counters.forEach((name, counter) -> values.put(name, counter.getCount()));
        Long spilled = values.remove(SPILLED_BYTES); // has a column that is older
        report(new StageMessage(
                word, seconds, recordsIn, recordsOut, bytesRead, spilled == null ? 0 : spilled, values));
    }

    /** Reports the stages that local code measured, one piece of work after another. */
    void reportStages(List<StageMetrics.StageRow> rows) {
        Map<String, StageMessage> byStage = new TreeMap<>();
        for (StageMetrics.StageRow row : rows) {
            byStage.merge(row.stage(), StageMessage.of(row), StageMessage::then);
        }
        byStage.values().forEach(this::report);
    }

    private void report(StageMessage row) {
        emit(OUTCOMES, Chunk.of(0, row), 0);
    }

    @Override
    public void close() throws Exception {
        if (source != null) {
            source.close();
            source = null;
        }
        super.close();
    }
}
