package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.HistoryAddressConverter;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.OptionsJson;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.options.CheckSummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.InputFingerprint;
import io.nightjar.jobs.shrink.HistoryShrinker;
import io.nightjar.jobs.shrink.HistoryShrinker.Shrunk;
import io.nightjar.jobs.shrink.ShrinkTarget;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The smallest history that still shows an anomaly. */
@Command(
        name = "shrink",
        description = {
            "Write the smallest history that still shows an anomaly: its transactions and their explanation, without"
                    + " unnecessary transactions, operations and list elements. Each step is checked again.",
            "The history is read from where it was checked."
        },
        footer = {
            "  nightjar shrink a1b2c3 -o small.jsonl",
            "  nightjar shrink a1b2c3 -o small.txt",
            "  nightjar shrink /data/lake a1b2c3 -o small.edn --history /archive/history.parquet"
        })
final class ShrinkCommand implements Callable<Integer> {

    private static final int LISTED = 1_000;
    private static final long CHECK_SECONDS = 10;

    /** Maximum number of lines of the explanation. */
    private static final int MAX_LINES = 20;

    @Parameters(
            converter = StoreAddressConverter.class,
            index = "0",
            arity = "0..1",
            paramLabel = "[LAKE]",
            hideParamSyntax = true,
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private @Nullable Path lakeOrAnomaly;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ANOMALY",
            hideParamSyntax = true,
            description = "The anomaly's id, or enough of its first characters. A single argument is the id.")
    private @Nullable String anomaly;

    private Path lake = SqlCommand.DEFAULT_LAKE;

    @Option(
            converter = StoreAddressConverter.class,
            names = {"-o", "--out"},
            required = true,
            paramLabel = "OUT",
            description = "A file, or - for standard output; its extension selects the format.")
    private Path out;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = "Format of OUT; by its extension if not given, jsonl for standard output.")
    private @Nullable String to;

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description = "Search this run only. Default: all runs, latest first.")
    private @Nullable String runId;

    @Option(
            converter = HistoryAddressConverter.class,
            names = "--history",
            paramLabel = "HISTORY",
            description = "Where the history lies now, if it was moved.")
    private @Nullable Path moved;

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = "The history's format; otherwise it is recognised.")
    private @Nullable String from;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "60s",
            description = "Time limit of shrinking. Default: ${DEFAULT-VALUE}.")
    private Duration budget;

    @Option(names = "--json", description = "Print a summary of the output as a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        long startNs = System.nanoTime();
        if (lakeOrAnomaly == null) {
            throw new UsageException("no anomaly given; name one, " + CommandHint.of("explain", SqlCommand.DEFAULT_LAKE)
                    + " lists them");
        }
        if (anomaly == null) {
            anomaly = lakeOrAnomaly.toString();
        } else {
            lake = lakeOrAnomaly;
        }
        if (!AtomicFile.isStream(out)) {
            OutputPaths.checkFile(out);
        }
        Lake opened = Lake.openExisting(lake);
        StoredAnomaly found = find(opened);
        StoredRun run = opened.completedRun(found.runId()).orElseThrow();
        Path path = moved != null ? moved : pathOf(run);
        Outputs.checkApart(out, path);
        ShrinkTarget target = target(found, typesOfSameFault(opened, found));
        try (HistoryArgument given = Inputs.find(path);
                HistorySource source = open(given)) {
            return source.read(() -> shrink(source, path, found, options(run, target, source), target, startNs));
        }
    }

    /** Shrinks with each of the options in turn, until one of them shows the anomaly in a part of the history. */
    private int shrink(
            HistorySource source,
            Path path,
            StoredAnomaly found,
            List<CheckOptions> attempts,
            ShrinkTarget target,
            long startNs)
            throws IOException {
        for (CheckOptions options : attempts) {
            try (ValidatingScanner rows = new ValidatingScanner(
                            source, options.threadCount(), options.memoryBytes(), options.spillParent());
                    Progress progress = Progress.start("shrinking", "transactions", -1)) {
                progress.advance(0);
                HistoryShrinker shrinking = new HistoryShrinker(rows, target, options, budget.toNanos());
                Shrunk small = shrinking.shrink();
                source.checkUnchanged();
                if (small != null) {
                    write(small, shrinking);
                    report(small, found, options, (System.nanoTime() - startNs) / 1e9);
                    return ExitCode.HOLDS;
                }
            }
        }
        throw new UsageException("no part of the history shows the anomaly in checks of " + CHECK_SECONDS
                + " s: history=" + path + " anomaly=" + found.id() + "; is it the history that was checked?");
    }

    private StoredAnomaly find(Lake opened) {
        if (runId != null && opened.completedRun(runId).isEmpty()) {
            throw new UsageException("no such run: run-id=" + runId + " lake=" + lake);
        }
        try (SqlSession session = SqlSession.open(opened)) {
            if (runId != null) {
                session.restrictTo(runId);
            }
            AnomalyLookup lookup = new AnomalyLookup(session);
            return lookup.read(NamedAnomaly.resolve(lookup, requireNonNull(anomaly), lake));
        }
    }

    /** Fails if the history at this location is not the checked one. */
    private Path pathOf(StoredRun run) throws IOException {
        String uri = run.facts().historyUri();
        if (uri.equals(HistoryArgument.STANDARD_INPUT)) {
            throw new UsageException(
                    "the history came through a pipe: run=" + run.runId() + "; name it with --history");
        }
        Path path = Addresses.path(uri);
        if (!InputFingerprint.isOf(path, run.facts().inputFingerprint()) && Files.exists(path)) {
            throw new UsageException("the history is another one than was checked: history=" + uri + " run="
                    + run.runId() + "; check it again, or name the old file with --history");
        }
        return path;
    }

    private HistorySource open(HistoryArgument given) throws IOException {
        try {
            return given.open(from);
        } catch (IllegalArgumentException noSuchFormat) {
            throw new UsageException(noSuchFormat.getMessage(), noSuchFormat);
        }
    }

    private static Set<String> typesOfSameFault(Lake opened, StoredAnomaly found) {
        try (SqlSession session = SqlSession.open(opened)) {
            session.restrictTo(found.runId());
            return new AnomalyLookup(session).typesAmong(txnIds(found));
        }
    }

    private static Set<Long> txnIds(StoredAnomaly found) {
        Set<Long> txnIds = new HashSet<>();
        found.txns().forEach(txn -> txnIds.add(txn.txnId()));
        return txnIds;
    }

    private static ShrinkTarget target(StoredAnomaly found, Set<String> typesOfSameFault) {
        String level = found.row().levelViolated();
        return new ShrinkTarget(
                found.row().anomalyType(),
                level == null ? null : IsolationLevel.byName(level),
                found.row().pattern(),
                txnIds(found),
                typesOfSameFault,
                new HashSet<>(found.keys()),
                found.row().read().expectedValue() != null
                        || found.row().read().observedValue() != null
                        || found.edges().isEmpty() && !found.row().anomalyType().startsWith("no-"));
    }

    /**
     * Returns options that check the level of the anomaly alone, the likeliest first: by the evidence that decided it,
     * then by the requested evidence, since a level decided by values may use an order of versions that timestamps or
     * numbers gave.
     */
    private static List<CheckOptions> options(StoredRun run, ShrinkTarget target, HistorySource source) {
        Map<String, String> stored = OptionsJson.read(run.facts().optionsJson());
        LevelResult answer =
                target.level() == null ? null : run.result().levels().get(target.level());
        List<IsolationLevel> levels =
                target.level() == null ? new ArrayList<>(run.result().levels().keySet()) : List.of(target.level());
        String asked = stored.getOrDefault("evidence", "auto");
        List<CheckOptions> options = new ArrayList<>();
        for (String evidence : new LinkedHashSet<>(List.of(answer == null ? asked : answer.evidence(), asked))) {
            options.add(options(levels, evidence, stored, source));
        }
        return options;
    }

    private static CheckOptions options(
            List<IsolationLevel> levels, String evidence, Map<String, String> stored, HistorySource source) {
        String versionOrder = stored.getOrDefault("version_order", "");
        String initialValue = stored.get("initial_value");
        long heap = Runtime.getRuntime().maxMemory();
        long nanos = Duration.ofSeconds(CHECK_SECONDS).toNanos();
        return CheckOptions.of(levels)
                .evidence(CheckCommand.parseEvidence(evidence))
                .initialValue(source.initialValue(initialValue))
                .maxDeadLetters(Long.MAX_VALUE)
                .maxAnomalies(LISTED)
                .search(new CheckOptions.Search(nanos, nanos, false))
                .versionOrders(CheckCommand.parseVersionOrders(versionOrder.isEmpty() ? null : versionOrder))
                .memoryBytes(heap)
                .build();
    }

    /**
     * Writes the history, first as a trial: if the format cannot represent it, the anomaly may be lost, and then
     * nothing is written.
     */
    private void write(Shrunk small, HistoryShrinker shrinking) throws IOException {
        if (!AtomicFile.isStream(out)) {
            try (ScratchFolder scratch =
                    ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-shrink-")) {
                Path trial = scratch.path().resolve(out.getFileName().toString());
                writeTo(trial, small);
                try (HistorySource written = Histories.open(trial, to)) {
                    if (!written.read(() -> shrinking.shows(written))) {
                        throw new UsageException(
                                "the format loses the anomaly: out=" + out + "; choose another, such as jsonl");
                    }
                }
            }
        }
        writeTo(out, small);
    }

    private void writeTo(Path file, Shrunk small) throws IOException {
        try (HistoryWriter writer = Outputs.create(file, to)) {
            writer.write(small.history());
            writer.finish();
        }
    }

    // ---------------------------------------------------------------- messages

    private void report(Shrunk small, StoredAnomaly found, CheckOptions options, double seconds) throws IOException {
        if (AtomicFile.isStream(out)) {
            return;
        }
        if (json) {
            System.out.println(json(small, found, options, seconds));
            return;
        }
        System.out.println("%s: %,d transactions, %,d operations of %,d and %,d, %s still there  (%,d checks, %.1f s)%s"
                .formatted(
                        out,
                        small.history().txnCount,
                        small.history().opCount,
                        small.fromTxns(),
                        small.fromOps(),
                        small.anomaly().type(),
                        small.checks(),
                        seconds,
                        small.isMinimal() ? "" : "; the time is over, --budget gives more"));
        StringJoiner lines = new StringJoiner(System.lineSeparator());
        CheckSummary.addExplanation(lines, small.anomaly().explanation(), MAX_LINES);
        System.out.println(lines);
        System.out.println(
                "  check it: " + CommandHint.of(checkArguments(options).toArray()));
    }

    private List<Object> checkArguments(CheckOptions options) {
        List<String> levels =
                options.levels().stream().map(IsolationLevel::shortName).toList();
        List<Object> arguments = new ArrayList<>(List.of("check", out, "--level", String.join(",", levels)));
        if (options.evidence() != CheckOptions.Evidence.AUTO) {
            arguments.addAll(List.of("--evidence", options.evidence().word()));
        }
        if (!options.versionOrders().isEmpty()) {
            String names = options.versionOrders().stream()
                    .map(VersionSource::spelling)
                    .sorted()
                    .collect(Collectors.joining(","));
            arguments.addAll(List.of("--version-order", names));
        }
        if (options.initialValue() != null) {
            arguments.addAll(List.of("--initial-value", options.initialValue()));
        }
        return arguments;
    }

    private String json(Shrunk small, StoredAnomaly found, CheckOptions options, double seconds) throws IOException {
        return JsonObjectText.of(object -> {
            object.writeNumberField("schema", 1);
            object.writeStringField("out", out.toString());
            object.writeStringField("anomaly_id", found.id());
            object.writeStringField("type", small.anomaly().type());
            object.writeStringField(
                    "level",
                    options.levels().size() == 1 ? options.levels().get(0).longName() : null);
            object.writeStringField("evidence", options.evidence().word());
            object.writeNumberField("transactions", small.history().txnCount);
            object.writeNumberField("operations", small.history().opCount);
            JsonNumbers.write(object, "from_transactions", small.fromTxns());
            JsonNumbers.write(object, "from_operations", small.fromOps());
            object.writeBooleanField("minimal", small.isMinimal());
            object.writeNumberField("checks", small.checks());
            JsonNumbers.writeSeconds(object, "seconds", seconds);
        });
    }
}
