package io.nightjar.jobs.flink;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.RecordCodec;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Parameters of a job, serialized with it to all tasks. */
final class JobSpec implements Serializable {

    private static final long serialVersionUID = 1;

    private static final int SESSION_CLASSES_PER_TASK = 16;

    /** The options hold paths, which are not serializable. */
    private static final RecordCodec OPTIONS = new RecordCodec()
            .with(
                    Path.class,
                    Address.class,
                    path -> new Address(path.toAbsolutePath().toString()),
                    address -> Addresses.path(address.text()));

    private record Address(String text) {}

    final JobInput input;
    final JobPlan plan;
    final String checkerVersion;
    final int parallelism;
    final long startMillis = System.currentTimeMillis();
    private final byte[] options;
    private final long deadlineMillis;

    JobSpec(CheckOptions options, JobInput input, String checkerVersion, int parallelism, JobPlan plan) {
        this.input = input;
        this.plan = plan;
        this.checkerVersion = checkerVersion;
        this.parallelism = parallelism;
        ByteWriter bytes = new ByteWriter(1 << 8);
        OPTIONS.encode(options, bytes);
        this.options = Arrays.copyOf(bytes.bytes(), bytes.size());
        this.deadlineMillis = startMillis + options.search().budgetNanos() / 1_000_000;
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
            List<String> mixedTypes)
            implements Serializable {

        JobInput {
            mixedTypes = List.copyOf(mixedTypes);
        }
    }

    /**
     * Plan made before the job starts.
     *
     * @param validationPartitions number of partitions in which ids and sessions are validated
     * @param findsSegments whether the history is large, so that segments of it are decided
     * @param largeGroup minimum number of operations for a group of sessions to be shared among tasks
     */
    record JobPlan(
            int splitCount,
            int laneCount,
            int validationPartitions,
            FirstReading first,
            boolean findsSegments,
            long largeGroup,
            Memory memory)
            implements Serializable {}

    /**
     * The purposes of the first reading.
     *
     * @param triesTimestamps whether timestamps may be evidence, according to the first rows
     * @param fillsLanes whether it fills lanes, to be checked or for their keys to be counted
     * @param joinsSessions whether it determines the connected sessions
     * @param mayNeedValues whether values decide a level, if only where timestamps are missing
     */
    record FirstReading(boolean triesTimestamps, boolean fillsLanes, boolean joinsSessions, boolean mayNeedValues)
            implements Serializable {}

    /**
     * Memory limits of tasks.
     *
     * @param keptBytes limit of slices that the first reading caches where a second is certain
     * @param processBytes heap limit of all tasks of a process, in addition to that of the JVM
     * @param taskHeapBytes heap limit of one task
     */
    record Memory(long keptBytes, long processBytes, long taskHeapBytes) implements Serializable {}

    /** Returns the options as the user gave them, for one task on one machine. */
    CheckOptions options(long memoryForTask) {
        CheckOptions given = options();
        return given.but()
                .threadCount(1)
                .memoryBytes(memoryForTask)
                .spillParent(CheckOptions.of(given.levels()).build().spillParent())
                .build();
    }

    private CheckOptions options() {
        return OPTIONS.decode(CheckOptions.class, new ByteReader(options, 0, options.length));
    }

    @Nullable
    String runId() {
        return options().runId();
    }

    @Nullable
    String initialValue() {
        return options().initialValue();
    }

    boolean conflictsBySet() {
        return options().search().conflictsBySet();
    }

    /** Returns the columns of the first reading. */
    Set<ColumnGroup> columns() {
        return new EvidenceChoice(options()).columnsOfFirstPass();
    }

    /** Returns whether a serial order may have to be found that is not that of commits. */
    boolean provesSerializable() {
        return plan.first().triesTimestamps() && options().levels().contains(IsolationLevel.SERIALIZABLE);
    }

    /** Returns whether several tasks may belong to one group of sessions. */
    boolean sharesGroups() {
        return plan.largeGroup() < Long.MAX_VALUE;
    }

    String jobName() {
        StringJoiner names = new StringJoiner(",");
        for (IsolationLevel level : options().levels()) {
            names.add(level.shortName());
        }
        return "nightjar " + names + " " + input.uri() + (runId() == null ? "" : " " + runId());
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
        return options().maxDeadLetters();
    }

    /** Returns the maximum number of findings that a task retains; counts are not limited. */
    int keptFindings() {
        return options().withMemoryBytes(plan.memory().taskHeapBytes()).findingLimit();
    }
}
