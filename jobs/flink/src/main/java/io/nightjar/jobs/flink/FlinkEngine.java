package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.check.MemoryPlan;
import io.nightjar.jobs.check.TimestampCheck;
import io.nightjar.jobs.cluster.EnclosingCluster;
import io.nightjar.jobs.cluster.JobFailures;
import io.nightjar.jobs.flink.JobSpec.JobInput;
import io.nightjar.jobs.flink.JobSpec.JobPlan;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.InputFingerprint;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** Checks histories as Flink jobs: in this process, or on a cluster. */
public final class FlinkEngine implements CheckEngine {

    private static final long LARGE_GROUP = 1 << 18;

    /** A task that partitions rows has a buffer per lane; a lane that is still too large is checked in key ranges. */
    private static final int MAX_LANES = 1 << 10;

    /** With more, a partition has too few rows of a slice for them to be packed well. */
    private static final int MAX_VALIDATION_PARTITIONS = 1 << 8;

    private final CheckOptions options;
    private final int parallelism;
    private final String checkerVersion;
    private final ProgressListener watcher;
    private final JobRunner runner;
    private final long largeGroup;

    /** @param largeGroup how many operations make a group of sessions worth sharing among tasks */
    FlinkEngine(
            CheckOptions options,
            int parallelism,
            String checkerVersion,
            ProgressListener watcher,
            JobRunner runner,
            long largeGroup) {
        this.options = options;
        this.parallelism = parallelism;
        this.checkerVersion = checkerVersion;
        this.watcher = watcher;
        this.runner = runner;
        this.largeGroup = largeGroup;
    }

    /**
     * Creates an engine on the named cluster; without a name, on the cluster that started this program, or else on an
     * embedded one.
     */
    public FlinkEngine(CheckOptions options, FlinkOptions flink, String checkerVersion, ProgressListener watcher) {
        this(options, flink.parallelism(), checkerVersion, watcher, runner(options, flink), LARGE_GROUP);
    }

    static JobRunner runner(CheckOptions options, FlinkOptions flink) {
        if (flink.cluster() != null) {
            return new RemoteJobs(flink.cluster());
        }
        return EnclosingCluster.isThere()
                ? new EnclosingJobs()
                : new EmbeddedCluster(flink.parallelism(), options.spillParent());
    }

    /**
     * Decides every level asked for and writes the tables.
     *
     * @param history where it lies, for this process and for every task
     * @param from the name of its format; null to recognise it
     * @throws MalformedHistoryException if it is not a history; nothing is written then
     */
    public RunResult check(Path history, @Nullable String from) throws IOException {
        try (HistoryArgument given = HistoryArgument.find(history, bytes -> {})) {
            return check(given, from);
        }
    }

    /** Checks a history that was found already. */
    public RunResult check(HistoryArgument history, @Nullable String from) throws IOException {
        try (HistorySource source = history.open(from)) {
            try {
                MixedTypes mixed = new MixedTypes(source);
                RunResult result = mixed.read(() -> check(mixed, history, from));
                source.checkUnchanged();
                return result;
            } catch (IOException | RuntimeException | Error failed) {
                source.checkUnchanged(); // a changed input explains any failure
                throw failed;
            }
        }
    }

    /** A source that lists the columns to be stored as JSON text, for the sources of the tasks. */
    private static final class MixedTypes extends ForwardingSource {

        private final List<String> faultKinds = new ArrayList<>();

        MixedTypes(HistorySource source) {
            super(source);
        }

        @Override
        public boolean holdAsJson(String faultKind) {
            boolean isNew = super.holdAsJson(faultKind);
            if (isNew) {
                faultKinds.add(faultKind);
            }
            return isNew;
        }

        @Override
        public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
            return source.open(split, wanted, badRows);
        }
    }

    private RunResult check(MixedTypes source, HistoryArgument history, @Nullable String from) throws IOException {
        String fingerprint = null;
        if (options.lake() != null) {
            fingerprint = InputFingerprint.of(history.path());
            Optional<RunResult> stored = LakeRun.stored(options, checkerVersion, fingerprint);
            if (stored.isPresent()) {
                return stored.get();
            }
        }
        JobSpec spec = spec(source, history, from, fingerprint);
        long txnCount = StageMetrics.txnCount(source);
        StreamExecutionEnvironment env = runner.newEnvironment();
        CheckJob.build(env, spec);
        try (JobProgress progress = new JobProgress(spec.plan.laneCount(), spec.sessionClasses(), txnCount, watcher)) {
            return result(runner.run(env, spec.jobName(), progress));
        } catch (MalformedHistoryException | UsageException answer) {
            throw answer;
        } catch (Exception failed) {
            throw thrown(failed);
        }
    }

    /** Returns the exception of a task, without Flink's wrappers. */
    static IOException thrown(Exception failed) {
        Throwable reason = JobFailures.reasonOf(failed);
        if (reason instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (reason instanceof Error error) {
            throw error;
        }
        if (reason instanceof IOException io) {
            return io;
        }
        throw new IllegalStateException("the job failed: " + JobFailures.shortReason(failed), failed);
    }

    private JobSpec spec(
            MixedTypes source, HistoryArgument history, @Nullable String from, @Nullable String fingerprint)
            throws IOException {
        CheckOptions named = options.lake() == null || options.runId() != null
                ? options
                : options.withRunId(LakeNames.newRunId(Instant.now()));
        Path path = runner.isHere() ? history.path() : history.path().toAbsolutePath();
        JobInput input =
                new JobInput(path.toString(), source.uri(), from, fingerprint, history.keptBytes(), source.faultKinds);
        return new JobSpec(named, input, checkerVersion, parallelism, plan(source));
    }

    private JobPlan plan(HistorySource source) throws IOException {
        EvidenceChoice choice = new EvidenceChoice(options);
        ValidatingScanner rows = new ValidatingScanner(source, 1, options.memoryBytes(), options.spillParent());
        boolean triesTimestamps = choice.mayUseTimestamps() && rows.mayHaveTimestamps();
        Set<IsolationLevel> byValues = choice.byValues(triesTimestamps, false);
        boolean fillsLanes = triesTimestamps || byValues.isEmpty();
        long taskHeap = runner.taskHeapBytes(options.memoryBytes());
        int lanes = Math.min(MAX_LANES, MemoryPlan.lanesThatFit(source, taskHeap));
        int forTasks = Integer.highestOneBit(Math.max(1, 2 * parallelism - 1));
        return new JobPlan(
                source.splits().size(),
                Math.max(lanes, forTasks),
                validationPartitions(source, lanes, taskHeap),
                new JobSpec.FirstReading(triesTimestamps, fillsLanes, !byValues.isEmpty(), choice.mayNeedValues()),
                choice.mayUsePositions() && TimestampCheck.mayBeInOrder(rows, options),
                parallelism > 1 ? largeGroup : Long.MAX_VALUE,
                new JobSpec.Memory(
                        fillsLanes ? 0 : runner.keptBytes(options.memoryBytes()),
                        runner.isHere() ? options.memoryBytes() : Long.MAX_VALUE,
                        taskHeap));
    }

    /** Returns the number of partitions: as many for each task, so that each fits into its memory, but not too many. */
    private int validationPartitions(HistorySource source, int lanes, long taskHeap) {
        long txns = StageMetrics.txnCount(source);
        long partitions = txns < 0 ? lanes : txns / ValidatePartitionsOperator.rowsThatFit(taskHeap) + 1;
        long ofTask = (Math.min(partitions, MAX_VALIDATION_PARTITIONS) + parallelism - 1) / parallelism;
        return (int) Math.max(1, ofTask) * parallelism;
    }

    private static RunResult result(JobReply answer) {
        return switch (answer.kind()) {
            case RESULT -> RunResultJson.read(answer.text());
            case REJECTED -> throw Rejection.decode(answer.text()).exception();
            case MISUSE -> throw new UsageException(answer.text());
        };
    }

    @Override
    public void close() throws IOException {
        try {
            runner.end();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            throw new IOException("the cluster did not end as it should: " + failed.getMessage(), failed);
        }
    }
}
