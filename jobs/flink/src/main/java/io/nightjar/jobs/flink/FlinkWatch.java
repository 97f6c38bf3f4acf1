package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.InitialHistory;
import io.nightjar.jobs.watch.RemoteWatchJob;
import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.jobs.watch.WatchFeeds;
import io.nightjar.jobs.watch.WatchOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** A watch as a streaming job of Flink: in this process, or on a cluster that is there already. */
public final class FlinkWatch implements RemoteWatchJob {

    /*
     * Layout.
     *   state/JOB/chk-N/    checkpoints, of which Flink leaves the last one
     *   state/savepoint-    of a watch that was asked to end
     *   job                 id of the last job
     *   initial             initial values of keys, if they were given
     */

    private static final String STATE = "state";
    private static final String LOG = "log";
    private static final String JOB = "job";
    private static final String INITIAL = "initial";
    private static final String METADATA = "_metadata";
    private static final String CHECKPOINT = "chk-";
    private static final long MIN_INTERVAL_MILLIS = 10;
    private static final long SCRATCH_INTERVAL_MILLIS = 1_000;
    private static final long WATERMARKS_MILLIS = 50;

    private final WatchOptions options;
    private final FlinkOptions flink;
    private final JobRunner runner;
    private final Configuration settings;
    private Path folder;
    private @Nullable JobClient client;
    private @Nullable CompletableFuture<JobExecutionResult> result;

    public FlinkWatch(WatchOptions options, FlinkOptions flink, InputStream stdin, ProgressListener watcher) {
        this(options, flink, stdin, watcher, FlinkEngine.runner(options.check(), flink), new Configuration());
    }

    /** @param settings of the job, in addition to its defaults */
    FlinkWatch(
            WatchOptions options,
            FlinkOptions flink,
            InputStream stdin,
            ProgressListener watcher,
            JobRunner runner,
            Configuration settings) {
        this.options = options;
        this.flink = flink;
        this.runner = runner;
        this.settings = settings;
        EmbeddedInput.set(stdin, watcher);
        for (String source : options.arrivals().sources()) {
            if (!runner.isHere() && !WatchFeeds.isReadAnywhere(source)) {
                throw new UsageException("tasks of a cluster cannot read this: source=" + source
                        + "; omit --cluster, or name a file, a directory or a topic");
            }
        }
    }

    @Override
    public String engine() {
        return WriteOperator.ENGINE;
    }

    @Override
    @SetsFields
    public void begin(Path in, Path rows, boolean wantsProvisional) throws IOException {
        folder = in.toAbsolutePath();
        giveUpTheLast();
        StreamExecutionEnvironment env = runner.newEnvironment();
        env.configure(configuration());
        WatchOptions.Arrivals arrivals = options.arrivals();
        WatchSpec spec = new WatchSpec(
                new WatchSpec.Arrivals(
                        sources(),
                        arrivals.lateness().unit(),
                        arrivals.lateness().amount(),
                        arrivals.idleMicros(),
                        arrivals.untilEnd(),
                        arrivals.sources().size() == 1 && options.keeping().checkpoint() == null,
                        arrivals.allowedHosts()),
                options.check().timedLevels().toArray(IsolationLevel[]::new),
                new WatchSpec.Initial(
                        options.check().initialValue(), options.initial().isLearned(), initialFile()),
                new WatchSpec.Folders(
                        folder.resolve(LOG).toString(), rows.toAbsolutePath().toString(), areScratch()),
                wantsProvisional,
                flink.parallelism(),
                System.nanoTime());
        int[] shares = options.arrivals().sources().stream()
                .mapToInt(source -> WatchFeeds.canBeShared(source) ? flink.parallelism() : 1)
                .toArray();
        WatchJob.build(env, spec, shares);
        try {
            client = runner.begin(
                    env, "nightjar watch " + String.join(",", options.arrivals().sources()));
        } catch (Exception failed) {
            throw FlinkEngine.thrown(failed);
        }
        Files.writeString(folder.resolve(JOB), client.getJobID().toString());
        result = client.getJobExecutionResult();
    }

    /** Returns whether no other process reads the rows, and no task resumes from a checkpoint. */
    private boolean areScratch() {
        return runner.isHere()
                && options.keeping().checkpoint() == null
                && options.keeping().archive() == null
                && settings.get(RestartStrategyOptions.RESTART_STRATEGY) == null;
    }

    /**
     * Writes the initial values that a history leaves, by lane, for all tasks to read; returns null without such a
     * history.
     */
    private @Nullable String initialFile() throws IOException {
        if (options.initial().history() == null) {
            return null;
        }
        Path file = folder.resolve(INITIAL);
        if (!Files.exists(file)) {
            InitialHistory.writeLanes(
                    options.initial().history(), options.check().timedLevels().get(0), WatchSpec.LANES, file);
        }
        return file.toString();
    }

    /** Returns the sources as tasks find them, whose working directory may be another one. */
    private List<String> sources() {
        return options.arrivals().sources().stream()
                .map(source -> runner.isHere() || Addresses.isStore(source) || !WatchFeeds.isFile(source)
                        ? source
                        : Path.of(source).toAbsolutePath().toString())
                .toList();
    }

    private Configuration configuration() throws IOException {
        Configuration config = new Configuration();
        long millis = options.keeping().checkpoint() == null
                ? SCRATCH_INTERVAL_MILLIS
                : options.keeping().checkpointMicros() / 1_000;
        config.set(
                CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(Math.max(MIN_INTERVAL_MILLIS, millis)));
        config.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        config.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        config.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve(STATE).toUri().toString());
        config.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(WATERMARKS_MILLIS));
        if (runner.isHere()) {
            config.set(RestartStrategyOptions.RESTART_STRATEGY, "disable"); // a failure here would recur
        }
        config.addAll(settings);
        Optional<Path> last = lastState();
        if (last.isPresent()) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, last.get().toUri().toString());
        } else if (TaskLog.last(folder.resolve(LOG)) >= 0) {
            throw new UsageException("the checkpoint is not complete: folder=" + folder.resolve(STATE)
                    + "; begin a new watch with another --checkpoint");
        }
        return config;
    }

    /**
     * Returns the state to resume from: the last checkpoint, or the savepoint of a watch that was asked to end, which
     * includes more log entries than any checkpoint.
     */
    private Optional<Path> lastState() throws IOException {
        Path state = folder.resolve(STATE);
        if (!Files.exists(state)) {
            return Optional.empty();
        }
        List<Path> all = new ArrayList<>();
        for (Path entry : entries(state)) {
            all.addAll(isComplete(entry) ? List.of(entry) : entries(entry));
        }
        all.removeIf(each -> !isComplete(each));
        Optional<Path> checkpoint =
                all.stream().filter(FlinkWatch::isCheckpoint).max(Comparator.comparingLong(FlinkWatch::number));
        long reached = checkpoint.map(FlinkWatch::number).orElse(-1L);
        return TaskLog.last(folder.resolve(LOG)) <= reached
                ? checkpoint
                : all.stream().filter(other -> !isCheckpoint(other)).max(Comparator.comparing(other -> other.toFile()
                        .lastModified()));
    }

    /** Lists a folder from which Flink may remove old entries at the same time. */
    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (NoSuchFileException | NotDirectoryException gone) {
            return List.of();
        }
    }

    private static boolean isComplete(Path state) {
        return Files.exists(state.resolve(METADATA));
    }

    private static boolean isCheckpoint(Path state) {
        return state.getFileName().toString().startsWith(CHECKPOINT);
    }

    private static long number(Path checkpoint) {
        return Long.parseLong(checkpoint.getFileName().toString().substring(CHECKPOINT.length()));
    }

    private void giveUpTheLast() throws IOException {
        Path job = folder.resolve(JOB);
        if (Files.exists(job)) {
            try {
                runner.cancelJob(Files.readString(job));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---------------------------------------------------------------- under way

    @Override
    public boolean hasEnded() throws IOException {
        if (!requireNonNull(result).isDone()) {
            return false;
        }
        try {
            requireNonNull(result).get();
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException failed) {
            throw FlinkEngine.thrown(failed);
        }
    }

    @Override
    public void stop() throws IOException {
        try {
            requireNonNull(client)
                    .stopWithSavepoint(false, folder.resolve(STATE).toUri().toString(), SavepointFormatType.NATIVE)
                    .get();
            requireNonNull(result).get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            if (!hasEnded()) { // it may have ended before
                throw FlinkEngine.thrown(failed);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (result != null && !result.isDone()) {
                requireNonNull(client).cancel().get();
            }
            runner.end();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            throw new IOException("the cluster did not end as it should: " + failed.getMessage(), failed);
        }
    }
}
