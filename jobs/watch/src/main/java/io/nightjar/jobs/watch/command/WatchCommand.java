package io.nightjar.jobs.watch.command;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.AllowedHosts;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.command.ProgressBoard;
import io.nightjar.jobs.command.SizeConverter;
import io.nightjar.jobs.command.StopSignals;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.TextWrap;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.options.CheckSummary;
import io.nightjar.jobs.options.EngineOptions;
import io.nightjar.jobs.options.LevelNames;
import io.nightjar.jobs.options.RunOptions;
import io.nightjar.jobs.options.TerminalWatcher;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.watch.InitialChoice;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.jobs.watch.RemoteWatchJob;
import io.nightjar.jobs.watch.VerdictChange;
import io.nightjar.jobs.watch.WatchJobProvider;
import io.nightjar.jobs.watch.WatchListener;
import io.nightjar.jobs.watch.WatchOptions;
import io.nightjar.jobs.watch.WatchRun;
import io.nightjar.jobs.watch.WatchStatus;
import io.nightjar.jobs.watch.Watermark;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nightjar watch}: checks transactions as they arrive. */
@Command(
        name = "watch",
        description = "Check transactions by their timestamps as they arrive.",
        footer = {
            "  my-client | nightjar watch - --json",
            "  nightjar watch history.jsonl --level si --lateness 2s",
            "  nightjar watch parts/ --until-end --archive kept --lake /data/lake"
        })
public final class WatchCommand implements Callable<Integer> {

    private static final int DEFAULT_LISTED = 100;

    @Parameters(
            arity = "1..*",
            paramLabel = "SOURCE",
            description = "- for standard input, a JSON Lines file that grows, a directory whose files appear and grow,"
                    + " s3://BUCKET/FOLDER where objects appear,"
                    + " tcp://HOST:PORT or http://HOST:PORT to listen on, or kafka://HOST:PORT/TOPIC."
                    + " Several are one history.")
    private List<String> sources;

    @Option(
            names = "--level",
            paramLabel = "LEVELS",
            defaultValue = "si,ser",
            description = "si, ser, or both. Default: ${DEFAULT-VALUE}.")
    private String levels;

    @Option(
            names = "--lateness",
            paramLabel = "HOW",
            defaultValue = "5s",
            description = {
                "Maximum delay of transactions, after which verdicts are final: 5s, 5000txns, 5000ts (units of the commit"
                        + " timestamps), or sessions (each delivers in order). Default: ${DEFAULT-VALUE}."
            })
    private String lateness;

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description =
                    "A session that is silent for this time does not hold verdicts back. Default: ${DEFAULT-VALUE}.")
    private Duration idle;

    @Option(
            names = "--settle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10ms",
            description = "Time for which arrivals gather, to be checked in the order of their commits."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration settle;

    @Option(
            names = "--retain",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "4g",
            description =
                    "Maximum size of sealed rows that late transactions are checked against; a later transaction is a"
                            + " dead letter, and no level holds. Default: ${DEFAULT-VALUE}.")
    private Long retain;

    @Option(
            names = "--initial",
            paramLabel = "HOW",
            completionCandidates = InitialNames.class,
            description = "Values before the first write: learn (from the first sealed read of each key), empty, or a"
                    + " history's file. Default: empty for -, files and directories, else learn.")
    private @Nullable String initial;

    @Option(
            names = "--archive",
            paramLabel = "DIR",
            converter = StoreAddressConverter.class,
            description =
                    "Keep all rows there as Parquet: a history like any other. Default: delete them once checked.")
    private @Nullable Path archive;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description = "Directory for checkpoints: after a kill, the same call resumes from the last one.")
    private @Nullable Path checkpoint;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Time between checkpoints. Default: ${DEFAULT-VALUE}.")
    private Duration checkpointEvery;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Show the watch on a page, with /state.json, /metrics and /healthz.")
    private @Nullable String http;

    @Mixin
    private AllowedHosts allowed;

    @Option(
            names = "--changes",
            paramLabel = "WHICH",
            defaultValue = "final",
            completionCandidates = ChangeNames.class,
            description = "Changes to report: final, or all, including provisional ones. Default: ${DEFAULT-VALUE}.")
    private String changes;

    @Option(names = "--fail-fast", description = "End with the first final finding.")
    private boolean failFast;

    @Option(names = "--until-end", description = "Files end where they end now, instead of being followed.")
    private boolean untilEnd;

    @Mixin
    private RunOptions runOptions;

    @Option(
            names = "--json",
            description = "Print each change as a JSON object on a line, and the verdict as the last line.")
    private boolean json;

    @Mixin
    private EngineOptions engine;

    @Option(
            names = "--max-anomalies",
            paramLabel = "N",
            description = "Number of anomalies that the verdict lists; counts include all. Default: 100.")
    private @Nullable Integer maxAnomalies;

    @Option(
            names = "--max-dead-letters",
            paramLabel = "N",
            description =
                    "Maximum number of malformed rows to skip. If any is skipped, no level holds. Default: any number.")
    private @Nullable Long maxDeadLetters;

    /** Completed by the request to end, which may precede the start, with whether Ctrl-C made it. */
    private final CompletableFuture<Boolean> stop = new CompletableFuture<>();

    @Override
    public Integer call() throws IOException {
        CheckOptions check = checkOptions();
        WatchOptions options = new WatchOptions(
                new WatchOptions.Arrivals(
                        sources,
                        Lateness.parse(lateness, DurationConverter::parse),
                        idle.toNanos() / 1_000,
                        settle.toNanos() / 1_000,
                        untilEnd,
                        allowed.names()),
                check,
                InitialChoice.of(initial, sources),
                new WatchOptions.Keeping(retain, archive, checkpoint, checkpointEvery.toNanos() / 1_000),
                new WatchOptions.Telling(http == null ? null : WatchRun.address(http), parseChanges(), failFast));
        StopSignals.onFirst(stop::complete); // before a reader of the output can see that the watch has started
        RunResult result;
        try {
            result = engine.isFlink() ? watchOnFlink(options) : watchHere(options);
        } catch (IOException | RuntimeException | Error failed) {
            if (json && Failures.codeOf(failed) != ExitCode.USAGE) {
                print(Failures.json(String.join(",", sources), failed));
            }
            return Failures.report(failed);
        }
        print(json ? RunResultJson.write(result) : CheckSummary.of(result, check, maxAnomalies));
        return stop.getNow(false) ? StopSignals.INTERRUPTED : ExitCode.of(result.verdict());
    }

    private RunResult watchHere(WatchOptions options) throws IOException {
        WatchRun run = WatchRun.of(options, Version.number(), System.in, new Screen(), new TerminalWatcher());
        stop.thenRun(run::stop);
        return run.run();
    }

    private RunResult watchOnFlink(WatchOptions options) throws IOException {
        TerminalWatcher watcher = new TerminalWatcher();
        try (RemoteWatchJob job = WatchJobProvider.named(engine.name())
                .create(options, engine.parallelism(), engine.cluster(), System.in, watcher)) {
            WatchRun run = WatchRun.of(options, job, Version.number(), new Screen(), watcher);
            stop.thenRun(run::stop);
            return run.run();
        }
    }

    private void print(String text) {
        Terminal.beginResult();
        System.out.println(json ? text : TextWrap.fit(text, Terminal.resultWidth()));
    }

    private CheckOptions checkOptions() {
        checkWords();
        return CheckOptions.of(parseLevels())
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .initialValue(runOptions.initialValue())
                .maxDeadLetters(maxDeadLetters == null ? Long.MAX_VALUE : maxDeadLetters)
                .maxAnomalies(maxAnomalies == null ? DEFAULT_LISTED : maxAnomalies)
                .lake(runOptions.lake())
                .runId(runOptions.runId())
                .threadCount(engine.threadCount(runOptions.memoryBytes()))
                .memoryBytes(runOptions.memoryBytes())
                .batchId(LakeNames.newBatchId())
                .build();
    }

    private void checkWords() {
        if (new HashSet<>(sources).size() < sources.size()) {
            throw new UsageException("a source is named twice: sources=" + String.join(",", sources));
        }
        engine.check();
        if (maxAnomalies != null && maxAnomalies < 0) {
            throw new UsageException("negative number: --max-anomalies=" + maxAnomalies);
        }
        if (maxDeadLetters != null && maxDeadLetters < 0) {
            throw new UsageException("negative number: --max-dead-letters=" + maxDeadLetters);
        }
    }

    private List<IsolationLevel> parseLevels() {
        List<IsolationLevel> parsed = LevelNames.parse(levels);
        for (IsolationLevel level : parsed) {
            if (CheckOptions.timedLevel(level) == null) {
                throw new UsageException("watch decides si, ser and cser, by timestamps: level=" + level.longName()
                        + "; check decides the others afterwards, from the rows in --archive");
            }
        }
        return parsed;
    }

    private boolean parseChanges() {
        return switch (changes.strip().toLowerCase(Locale.ROOT)) {
            case "final" -> false;
            case "all" -> true;
            default -> throw new UsageException("unknown changes: changes=" + changes + " expected=final|all");
        };
    }

    /**
     * Prints changes to stdout, and the status line to stderr: rewritten on a terminal, otherwise at regular times.
     */
    private final class Screen implements WatchListener {

        private static final long EVERY_MILLIS = 30_000;

        private long lastStatus = System.nanoTime();

        @Override
        public void changed(VerdictChange change) {
            print(json ? change.json() : text(change));
        }

        @Override
        public void flush() {
            System.out.flush();
        }

        @Override
        public void status(WatchStatus status) {
            String line = line(status);
            System.out.flush(); // before the status line below
            if (ProgressBoard.ofProcess().show(line)) {
                return;
            }
            long now = System.nanoTime();
            if ((now - lastStatus) / 1_000_000 >= EVERY_MILLIS) {
                lastStatus = now;
                Terminal.printNote(line);
            }
        }
    }

    private static String text(VerdictChange change) {
        StringBuilder text = new StringBuilder();
        boolean isGone = change.change() == Change.CORRECTED && !change.isWrong();
        text.append(isGone ? "corrected (not an anomaly)" : change.change().word());
        text.append(' ').append(change.title());
        OnlineFinding finding = change.finding();
        text.append(" level=").append(finding.level().longName());
        text.append(" txn=").append(finding.subject().txnId());
        if (finding.key() != null) {
            text.append(" key=").append(finding.key());
        }
        if (!finding.reading().equals(OnlineFinding.Reading.NONE)) {
            text.append(" expected=").append(finding.reading().expected());
            text.append(" observed=").append(finding.reading().observed());
        }
        return SanitizedText.flat(text.toString());
    }

    private static String line(WatchStatus status) {
        StringJoiner line = new StringJoiner(" ");
        line.add("watching: transactions=" + status.get(Count.TRANSACTIONS));
        if (status.get(Count.TRANSACTIONS) == 0) {
            line.add("(" + WatchStatus.NOTHING_YET + ")");
        }
        line.add(String.format(Locale.ROOT, "perSecond=%.0f", status.txnsPerSecond()));
        line.add("sealedUpTo=" + WatchStatus.time(status.watermark()));
        line.add("lagMs=" + status.get(Count.LAG_MS));
        line.add("open=" + status.get(Count.OPEN));
        for (IsolationLevel level : status.findings().keySet()) {
            line.add(level.shortName() + "=" + status.count(level));
        }
        line.add("provisional=" + status.get(Count.PROVISIONAL));
        line.add("flips=" + status.get(Count.FLIPS));
        line.add("late=" + status.get(Count.LATE));
        line.add("memoryMiB=" + (status.heapBytes() >> 20));
        if (status.get(Count.DEAD_LETTERS) > 0) {
            line.add("deadLetters=" + status.get(Count.DEAD_LETTERS));
        }
        if (status.get(Count.AHEAD_TS) != Watermark.NOTHING) {
            line.add("(commit " + status.get(Count.AHEAD_TS) + " is far ahead and waits for another to confirm it)");
        }
        return line.toString();
    }

    /** Values of the option, for completion by shells. */
    private static final class ChangeNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("final", "all").iterator();
        }
    }

    private static final class InitialNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("learn", "empty").iterator();
        }
    }
}
