package io.nightjar.jobs.flink;

import io.nightjar.formats.history.Column;
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

/** All that the tasks of one job know beforehand; it travels with the job. */
final class JobSpec implements Serializable {

    private static final long serialVersionUID = 1;

    private static final int SESSION_CLASSES_PER_TASK = 16;

    final String path;
    final String uri;
    final @Nullable String from;
    final String checkerVersion;

    /** By which a run knows its input again; null if no tables are written. */
    final @Nullable String fingerprint;

    /** The kinds of faults after which keys or values are held as JSON text. */
    final ArrayList<String> mixedTypes;

    /** What is kept of a history that came through a pipe. */
    final long pipeBytes;

    final @Nullable String runId;
    final int parallelism;
    final int splitCount;

    // as JobPlan says
    final boolean triesTimestamps;
    final boolean fillsLanes;
    final boolean joinsSessions;
    final boolean mayNeedValues;
    final long largeGroup;
    final long keptBytes;

    /** A power of two. */
    final int laneCount;

    final int validationParts;

    final @Nullable String initialValue;
    final long memoryBytes;

    /** What one task may hold, as known beforehand: what must not differ from one attempt to the next goes by it. */
    final long taskHeapBytes;

    final long startMillis;

    private final Column[] columns;
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
        this.largeGroup = plan.largeGroup();
        this.keptBytes = plan.memory().keptBytes();
        this.laneCount = plan.laneCount();
        this.validationParts = plan.validationParts();
        this.initialValue = options.initialValue();
        this.memoryBytes = plan.memory().processBytes();
        this.taskHeapBytes = plan.memory().taskHeapBytes();
        this.startMillis = System.currentTimeMillis();
        this.columns = new EvidenceChoice(options).columnsOfFirstPass().toArray(Column[]::new);
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
        this.versionOrders = options.versionOrders().toArray(VersionSource[]::new);
        this.artifacts = text(options.artifacts());
        this.witness = text(options.witness());
        this.batchId = options.batchId();
        this.order = options.order();
    }

    /**
     * What is to be read.
     *
     * @param path where every task finds the history, not only a task in this directory
     * @param uri its address as the user gave it
     * @param from the name of its format; null to recognise it
     * @param fingerprint null if no tables are written
     * @param pipeBytes what is kept of it in a scratch folder
     * @param mixedTypes the kinds of faults after which keys or values are held as JSON text
     */
    record JobInput(
            String path,
            String uri,
            @Nullable String from,
            @Nullable String fingerprint,
            long pipeBytes,
            List<String> mixedTypes) {}

    /**
     * What is known before the job begins.
     *
     * @param validationParts into how many parts ids and sessions are dealt to be validated
     * @param largeGroup how many operations make a group of sessions worth sharing among tasks
     */
    record JobPlan(
            int splitCount, int laneCount, int validationParts, FirstReading first, long largeGroup, Memory memory) {}

    /**
     * The purposes of the first reading.
     *
     * @param triesTimestamps whether timestamps may be evidence as far as the first rows tell
     * @param fillsLanes whether it fills lanes, to be checked or for their keys to be counted
     * @param joinsSessions whether it tells which sessions hang together
     * @param mayNeedValues whether there is a level that values decide, if only where timestamps are missing
     */
    record FirstReading(boolean triesTimestamps, boolean fillsLanes, boolean joinsSessions, boolean mayNeedValues) {}

    /**
     * How much memory tasks may use.
     *
     * @param keptBytes what the first reading may keep in memory where a second is certain to come
     * @param processBytes what tasks of one process may use of its heap, beside the bounds that it has itself
     * @param taskHeapBytes what one task may hold of it
     */
    record Memory(long keptBytes, long processBytes, long taskHeapBytes) {}

    /** The options as the user gave them, for one task on one machine. */
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
                .search(new CheckOptions.Search(budgetNanos, componentBudgetNanos, crossChecks))
                .versionOrders(orders)
                .artifacts(path(artifacts))
                .witness(path(witness))
                .threadCount(1)
                .memoryBytes(memoryForTask)
                .batchId(batchId)
                .order(order)
                .build();
    }

    /** Returns what the first reading reads. */
    Set<Column> columns() {
        return EnumSet.copyOf(List.of(columns));
    }

    /** Whether a serial order may have to be found that is not that of commits. */
    boolean provesSerializable() {
        return triesTimestamps && List.of(levels).contains(IsolationLevel.SERIALIZABLE);
    }

    /** Whether several tasks may have a part in one group of sessions. */
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

    /** Returns what is left for searches now. */
    Budget budget() {
        return Budget.ofNanos(Math.max(1, (deadlineMillis - System.currentTimeMillis()) * 1_000_000));
    }

    /** Into how many parts the check of session order is cut where rows do not come in it. */
    int sessionClasses() {
        return SESSION_CLASSES_PER_TASK * parallelism;
    }

    long maxDeadLetters() {
        return maxDeadLetters;
    }

    /** How many findings a task keeps; counts go on. */
    int keptFindings() {
        return keptFindings;
    }

    private static @Nullable String text(@Nullable Path path) {
        return path == null ? null : path.toAbsolutePath().toString();
    }

    private static @Nullable Path path(@Nullable String text) {
        return text == null ? null : Path.of(text);
    }
}
