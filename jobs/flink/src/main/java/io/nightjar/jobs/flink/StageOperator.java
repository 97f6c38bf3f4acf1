package io.nightjar.jobs.flink;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.Traffic;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.read.ItemSource;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.jobs.spill.SpillFile;
import java.io.File;
import java.io.IOException;
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
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Base class of pipeline stages as Flink operators. */
abstract class StageOperator extends AbstractStreamOperator<Chunk> {

    private static final long serialVersionUID = 1;

    /** Chunks of lanes. */
    static final OutputTag<Chunk> LANES = new OutputTag<>("lanes", ChunkType.INSTANCE);

    /** Facts about a history of tables, for the task that checks it as a whole. */
    static final OutputTag<Chunk> TABLES = new OutputTag<>("tables", ChunkType.INSTANCE);

    /** Facts of the first reading, for the single task that merges them. */
    static final OutputTag<Chunk> FACTS = new OutputTag<>("facts", ChunkType.INSTANCE);

    /** Results of tasks, for the last stage. */
    static final OutputTag<Chunk> OUTCOMES = new OutputTag<>("outcomes", ChunkType.INSTANCE);

    /** Whole transactions on their way to the task that checks their sessions' values. */
    static final OutputTag<Chunk> BINS = new OutputTag<>("bins", ChunkType.INSTANCE);

    /** Components of large groups on their way to the searching tasks. */
    static final OutputTag<Chunk> COMPONENTS = new OutputTag<>("components", ChunkType.INSTANCE);

    /** Large groups on their way to where their components' answers go as well. */
    static final OutputTag<Chunk> ANSWERS = new OutputTag<>("answers", ChunkType.INSTANCE);

    /** Transactions without operations on their way to the task that checks the order in their sessions. */
    static final OutputTag<Chunk> SESSIONS = new OutputTag<>("sessions", ChunkType.INSTANCE);

    /** Positions and segments on their way to the task that proves serializability. */
    static final OutputTag<Chunk> SEGMENTS = new OutputTag<>("segments", ChunkType.INSTANCE);

    /** Requests for rows of participants of findings. */
    static final OutputTag<Chunk> PARTICIPANTS = new OutputTag<>("participants", ChunkType.INSTANCE);

    /** Requests for rows of a replay that depend on rows of participants. */
    static final OutputTag<Chunk> OPEN_PLAN = new OutputTag<>("open-plan", ChunkType.INSTANCE);

    /** The order of a slice is the ordinal of its split, and below this many bits its own in the split. */
    static final int SLICE_BITS = 32;

    /** The order of the chunk that precedes all others of its key. */
    static final long FIRST = -1;

    /** The order of the chunk that follows all others of its key. */
    static final long LAST = Long.MAX_VALUE - 1;

    private static final String METRIC_GROUP = "nightjar";
    private static final String SPILLED_BYTES = "spilled_bytes";
    private static final double SHARE_OF_SORTER = 0.8;
    private static final int BYTES_AROUND_CHUNK = 34; // kind, key, length, order, and the sorter's overhead

    final JobSpec spec;
    private final String word;
    private transient @Nullable HistorySource source;
    private transient long startNs;
    private transient Map<String, Counter> counters;
    private transient LongCounter done;
    private transient Map<String, LongCounter> totals;
    private transient long bytesArrived;
    private transient long sorterBytes;

    /** @param word the stage's word in the table of stages */
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

    /** Returns the history, opened once for each task. */
    HistorySource source() throws IOException {
        if (source == null) {
            source = ItemSource.of(openHistory(), spec.conflictsBySet());
            spec.input.mixedTypes().forEach(source::holdAsJson);
        }
        return source;
    }

    private HistorySource openHistory() throws IOException {
        try {
            return Histories.open(Addresses.path(spec.input.path()), spec.input.from(), spec.input.uri());
        } catch (AddressException wrong) { // this process has no credentials, or not the module
            throw new SuppressRestartsException(wrong);
        }
    }

    @Nullable
    String initialValue() throws IOException {
        return source().initialValue(spec.initialValue());
    }

    /** Returns a metric whose final value appears in the table of stages. */
    Counter counter(String name) {
        return counters.computeIfAbsent(
                name, any -> getMetricGroup().addGroup(METRIC_GROUP).counter(name));
    }

    /** Adds finished units to the progress of the job. */
    void advance(long amount) {
        done.add(amount);
    }

    /** Adds assigned units of this stage to the progress of the job. */
    void expect(long amount) {
        expect(getOperatorConfig().getOperatorName(), amount);
    }

    /** Adds assigned units of a stage to the progress of the job. */
    void expect(String stage, long amount) {
        totals.computeIfAbsent(stage, this::newTotal).add(amount);
    }

    private LongCounter newTotal(String stage) {
        LongCounter total = new LongCounter();
        getRuntimeContext().addAccumulator(JobProgress.total(stage), total);
        return total;
    }

    /** Returns the heap available to a task: its slot's share of the heap of the process. */
    long heapBytes() {
        return TaskHeap.bytes(
                Math.min(Runtime.getRuntime().maxMemory(), spec.plan.memory().processBytes()), slots());
    }

    /** Returns how many tasks of a kind the process runs at once. */
    int slots() {
        Configuration config =
                getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration();
        return config.get(TaskManagerOptions.NUM_TASK_SLOTS);
    }

    /** Returns the cache of slices of the first reading. */
    SliceCache keptSlices() throws Exception {
        return SliceCache.of(
                getContainingTask().getEnvironment(), spec.plan.memory().keptBytes());
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

    /** Returns the directory to which Flink lets tasks spill. */
    SpillFile.Folders spillFolders() {
        File[] directories = getContainingTask().getEnvironment().getIOManager().getSpillingDirectories();
        return new SpillFile.Folders(
                Arrays.stream(directories).map(File::toPath).toList(),
                "free disk space, or set io.tmp.dirs (TMPDIR without --cluster) to a larger disk");
    }

    /**
     * Counts a chunk that arrived sorted from an exchange. Flink does not report the bytes that its sorters spill, but
     * they spill everything once it exceeds their memory.
     */
    void recordArrived(Chunk chunk) {
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

    /** Reports the metrics of this task for the table of stages. */
    void reportStage(long recordsIn, long recordsOut, long bytesRead) {
        report((System.nanoTime() - startNs) / 1e9, recordsIn, recordsOut, bytesRead);
    }

    /** Reports the counters only, where local code reports the other metrics. */
    void reportCounters() {
        report(0, 0, 0, 0);
    }

    private void report(double seconds, long recordsIn, long recordsOut, long bytesRead) {
        Map<String, Long> values = new TreeMap<>();
        counters.forEach((name, counter) -> values.put(name, counter.getCount()));
        Long spilled = values.remove(SPILLED_BYTES); // has a column that is older
        Traffic traffic = source == null ? null : source.traffic();
        if (traffic != null) {
            values.put(StageMetrics.REQUESTS, traffic.requests());
        }
        long bytes = traffic == null ? bytesRead : traffic.bytes();
        report(new StageMessage(word, seconds, recordsIn, recordsOut, bytes, spilled == null ? 0 : spilled, values));
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
