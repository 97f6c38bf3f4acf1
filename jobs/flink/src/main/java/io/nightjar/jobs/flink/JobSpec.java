package io.nightjar.jobs.flink;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.SerialOrder;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Parameters of a job, serialized with it to all tasks. */
final class JobSpec implements Serializable {

    private static final long serialVersionUID = 1;

    private static final int SESSION_CLASSES_PER_TASK = 16;

    final String path;
    final String uri;
    final @Nullable String from;
    final String checkerVersion;

    /** Identifies the input in a run; null if no tables are written. */
    final @Nullable String fingerprint;

    /** The kinds of faults after which keys or values are held as JSON text. */
    final ArrayList<String> mixedTypes;

    /** Maximum bytes retained of a history that is read from a pipe. */
    final long pipeBytes;

    final @Nullable String runId;
    final int parallelism;
    final int splitCount;

    // see JobPlan
    final boolean triesTimestamps;
    final boolean fillsLanes;
    final boolean joinsSessions;
    final boolean mayNeedValues;
    final boolean findsSegments;
    final long largeGroup;
    final long keptBytes;

    /** A power of two. */
    final int laneCount;

    final int validationPartitions;

    final @Nullable String initialValue;
    final long memoryBytes;

    /** Heap of one task as configured; decisions that must be equal in all attempts depend on it. */
    final long taskHeapBytes;

    final long startMillis;

    private final ColumnGroup[] columns;
    private final long deadlineMillis;
    private final IsolationLevel[] levels;
    private final CheckOptions.Evidence evidence;
    private final long maxDeadLetters;
    private final int maxAnomalies;
    private final int keptFindings;
    private final @Nullable String lake;
    private final long budgetNanos;
    private final long componentBudgetNanos;
    private final boolean crossChecks;
    final boolean conflictsBySet;
    private final VersionSource[] versionOrders;
    private final @Nullable String artifacts;
    private final @Nullable String witness;
    private final @Nullable String batchId;
    private final @Nullable SerialOrder order;

    JobSpec(CheckOptions options, JobInput input, String checkerVersion, int parallelism, JobPlan plan) {
        this.path = input.path();
        this.uri = input.uri();
        this.from = input.from();
        this.fingerprint = input.fingerprint();
        this.mixedTypes = new ArrayList<>(input.mixedTypes());
        this.pipeBytes = input.pipeBytes();
        this.runId = options.runId();
        this.checkerVersion = checkerVersion;
        this.parallelism = parallelism;
        this.splitCount = plan.splitCount();
        this.triesTimestamps = plan.first().triesTimestamps();
        this.fillsLanes = plan.first().fillsLanes();
        this.joinsSessions = plan.first().joinsSessions();
        this.mayNeedValues = plan.first().mayNeedValues();
        this.findsSegments = plan.findsSegments();
        this.largeGroup = plan.largeGroup();
        this.keptBytes = plan.memory().keptBytes();
        this.laneCount = plan.laneCount();
        this.validationPartitions = plan.validationPartitions();
        this.initialValue = options.initialValue();
        this.memoryBytes = plan.memory().processBytes();
        this.taskHeapBytes = plan.memory().taskHeapBytes();
        this.startMillis = System.currentTimeMillis();
        this.columns = new EvidenceChoice(options).columnsOfFirstPass().toArray(ColumnGroup[]::new);
        this.deadlineMillis = startMillis + options.search().budgetNanos() / 1_000_000;
        this.levels = options.levels().toArray(IsolationLevel[]::new);
        this.evidence = options.evidence();
        this.maxDeadLetters = options.maxDeadLetters();
        this.maxAnomalies = options.maxAnomalies();
        this.keptFindings =
                options.withMemoryBytes(plan.memory().taskHeapBytes()).findingLimit();
        this.lake = text(options.lake());
        this.budgetNanos = options.search().budgetNanos();
        this.componentBudgetNanos = options.search().componentBudgetNanos();
        this.crossChecks = options.search().crossChecks();
        this.conflictsBySet = options.search().conflictsBySet();
        this.versionOrders = options.versionOrders().toArray(VersionSource[]::new);
        this.artifacts = text(options.artifacts());
        this.witness = text(options.witness());
        this.batchId = options.batchId();
        this.order = options.order();
    }

    /**
     * Input of a job.
     *
     * @param path location at which every task finds the history, independent of the working directory
     * @param uri its address as the user gave it
     * @param from the name of its format; null to detect it
     * @param fingerprint null if no tables are written
     * @param pipeBytes maximum bytes of it to retain in a scratch folder
     * @param mixedTypes kinds of errors after which keys or values are stored as JSON text
     */
    record JobInput(
            String path,
            String uri,
            @Nullable String from,
            @Nullable String fingerprint,
            long pipeBytes,
            List<String> mixedTypes) {}

    /**
     * Plan made before the job starts.
     *
     * @param validationPartitions number of partitions in which ids and sessions are validated
     * @param findsSegments whether the history is large and may be in commit order, so that segments of it are decided
     * @param largeGroup minimum number of operations for a group of sessions to be shared among tasks
     */
    record JobPlan(
            int splitCount,
            int laneCount,
            int validationPartitions,
            FirstReading first,
            boolean findsSegments,
            long largeGroup,
            Memory memory) {}

    /**
     * The purposes of the first reading.
     *
     * @param triesTimestamps whether timestamps may be evidence, according to the first rows
     * @param fillsLanes whether it fills lanes, to be checked or for their keys to be counted
     * @param joinsSessions whether it determines the connected sessions
     * @param mayNeedValues whether values decide a level, if only where timestamps are missing
     */
    record FirstReading(boolean triesTimestamps, boolean fillsLanes, boolean joinsSessions, boolean mayNeedValues) {}

    /**
     * Memory limits of tasks.
     *
     * @param keptBytes limit of slices that the first reading caches where a second is certain
     * @param processBytes heap limit of all tasks of a process, in addition to that of the JVM
     * @param taskHeapBytes heap limit of one task
     */
    record Memory(long keptBytes, long processBytes, long taskHeapBytes) {}

    /** Returns the options as the user gave them, for one task on one machine. */
    CheckOptions options(long memoryForTask) {
        EnumSet<VersionSource> orders = EnumSet.noneOf(VersionSource.class);
        orders.addAll(List.of(versionOrders));
        return CheckOptions.of(List.of(levels))
                .evidence(evidence)
                .initialValue(initialValue)
                .maxDeadLetters(maxDeadLetters)
                .maxAnomalies(maxAnomalies)
                .lake(path(lake))
                .runId(runId)
                .search(new CheckOptions.Search(budgetNanos, componentBudgetNanos, crossChecks, conflictsBySet))
                .versionOrders(orders)
                .artifacts(path(artifacts))
                .witness(path(witness))
                .threadCount(1)
                .memoryBytes(memoryForTask)
                .batchId(batchId)
                .order(order)
                .build();
    }

    /** Returns the columns of the first reading. */
    Set<ColumnGroup> columns() {
        return EnumSet.copyOf(List.of(columns));
    }

    /** Returns whether a serial order may have to be found that is not that of commits. */
    boolean provesSerializable() {
        return triesTimestamps && List.of(levels).contains(IsolationLevel.SERIALIZABLE);
    }

    /** Returns whether several tasks may belong to one group of sessions. */
    boolean sharesGroups() {
        return largeGroup < Long.MAX_VALUE;
    }

    String jobName() {
        StringJoiner names = new StringJoiner(",");
        for (IsolationLevel level : levels) {
            names.add(level.shortName());
        }
        return "nightjar " + names + " " + uri + (runId == null ? "" : " " + runId);
    }

    /** Returns the remaining budget for searches. */
    Budget budget() {
        return Budget.ofNanos(Math.max(1, (deadlineMillis - System.currentTimeMillis()) * 1_000_000));
    }

    /** Returns the number of partitions in which session order is checked if rows are not in it. */
    int sessionClasses() {
        return SESSION_CLASSES_PER_TASK * parallelism;
    }

    long maxDeadLetters() {
        return maxDeadLetters;
    }

    /** Returns the maximum number of findings that a task retains; counts are not limited. */
    int keptFindings() {
        return keptFindings;
    }

    private static @Nullable String text(@Nullable Path path) {
        return path == null ? null : path.toAbsolutePath().toString();
    }

    private static @Nullable Path path(@Nullable String text) {
        return text == null ? null : Addresses.path(text);
    }
}
