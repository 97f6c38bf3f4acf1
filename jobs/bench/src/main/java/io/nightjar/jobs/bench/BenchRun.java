package io.nightjar.jobs.bench;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.bench.BenchPlan.Point;
import io.nightjar.jobs.bench.BenchResult.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures a plan: round after round, in every round each point by each checker, so that other load on the machine
 * affects all alike.
 *
 * <p>Round 0 warms the page cache and writes tables, which contain stages and latencies; it is not timed. A checker
 * that ran out of time or memory at a point, or was wrong there, is not called again at that point. Each run is a line
 * of results as soon as it ended, and a run that has its line is not repeated: so a plan that was stopped can be
 * resumed.
 */
public final class BenchRun {

    private static final int MAX_ERROR_CHARS = 300;

    private final BenchPlan plan;
    private final Path out;
    private final Path cache;
    private final Map<String, List<String>> builds;
    private final Map<String, CheckerAdapter> rivals;
    private final Map<String, String> environment;
    private final String commit;
    private final ResultsFile results;
    private final Consumer<String> log;

    /**
     * @param cache folder of generated histories
     * @param builds Nightjar's commands by name; the first one also generates the histories
     * @param rivals adapters by the name that series use
     */
    public BenchRun(
            BenchPlan plan,
            Path out,
            Path cache,
            Map<String, List<String>> builds,
            Map<String, CheckerAdapter> rivals,
            String commit,
            Consumer<String> log) {
        this(plan, out, cache, builds, rivals, System.getenv(), commit, log);
    }

    /** @param environment contains the locations of other checkers */
    BenchRun(
            BenchPlan plan,
            Path out,
            Path cache,
            Map<String, List<String>> builds,
            Map<String, CheckerAdapter> rivals,
            Map<String, String> environment,
            String commit,
            Consumer<String> log) {
        this.plan = plan;
        this.out = out;
        this.cache = cache;
        this.builds = builds;
        this.rivals = rivals;
        this.environment = environment;
        this.commit = commit;
        this.results = new ResultsFile(out);
        this.log = log;
    }

    /** Measures the runs without a line; returns the number of runs with a wrong verdict or none. */
    public int run(double scale, int rounds, @Nullable Path home) throws IOException, InterruptedException {
        List<Point> points = plan.points(scale);
        Set<String> done = new HashSet<>();
        Set<String> over = new HashSet<>();
        for (BenchResult result : results.runs()) {
            checkSame(result, points);
            done.add(key(
                    result.runKey().point(),
                    result.runKey().checker(),
                    result.runKey().round()));
            if (result.status() != Status.OK) {
                over.add(key(result.runKey().point(), result.runKey().checker(), 0));
            }
        }
        Map<String, String> commands = new LinkedHashMap<>();
        builds.forEach((name, command) -> commands.put(name, String.join(" ", command)));
        results.append(MachineFacts.describe(home, commands));
        int bad = 0;
        for (int round = 0; round <= rounds; round++) {
            for (Point point : points) {
                for (String checker : checkersOf(point)) {
                    if (!done.contains(key(point.id(), checker, round))
                            && !over.contains(key(point.id(), checker, 0))) {
                        BenchResult result = measure(point, checker, round);
                        results.append(result);
                        log.accept(summary(result, rounds));
                        if (result.status() != Status.OK) {
                            over.add(key(point.id(), checker, 0));
                            bad += result.status() == Status.WRONG || result.status() == Status.FAILED ? 1 : 0;
                        }
                    }
                }
            }
        }
        HistoryCache.remove(out.resolve("scratch"));
        return bad;
    }

    /** Complains of results that cannot be of the same medians: of another commit, or of other settings of a point. */
    private void checkSame(BenchResult result, List<Point> points) {
        if (!result.runKey().plan().equals(plan.heading().name())) {
            return;
        }
        for (Point point : points) {
            if (point.id().equals(result.runKey().point())
                    && !result.settings().isEmpty()
                    && !result.settings().equals(point.settings())) {
                throw new UsageException("results of other settings are there: folder=" + out + " point=" + point.id()
                        + " theirs=" + result.settings() + " ours=" + point.settings()
                        + "; give another --out, or the --scale that they were measured with");
            }
        }
        if (!result.commit().equals(commit)) {
            throw new UsageException("results of another commit are there: folder=" + out + " theirs=" + result.commit()
                    + " ours=" + commit + "; give another --out, and compare the two with bench compare");
        }
    }

    private List<String> checkersOf(Point point) {
        return point.series().isRival() ? List.of(point.series().rival()) : List.copyOf(builds.keySet());
    }

    private static String key(String point, String checker, int round) {
        return round + " " + checker + " " + point;
    }

    private BenchResult measure(Point point, String checker, int round) throws IOException, InterruptedException {
        return point.series().isRival() ? ofRival(point, checker, round) : ofNightjar(point, checker, round);
    }

    private BenchResult ofNightjar(Point point, String checker, int round) throws IOException, InterruptedException {
        Map<String, String> settings = point.settings();
        MeasuredCommand called = MeasuredCommand.of(settings);
        String format =
                settings.getOrDefault(PointSettings.FORMAT, called == MeasuredCommand.WATCH ? "jsonl" : "parquet");
        List<Path> histories = called.isOfHistories()
                ? new HistoryCache(cache, builds.values().iterator().next()).histories(settings, format)
                : List.of();
        Path scratch = Files.createDirectories(out.resolve("scratch"));
        Path lake = scratch.resolve("lake");
        HistoryCache.remove(lake);
        boolean isTimedWithTables = PointSettings.isSet(settings, PointSettings.TABLES);
        boolean hasTables = isTimedWithTables || round == 0 && !settings.containsKey(PointSettings.TABLES);
        double before = MachineFacts.load();
        ProcessMeter.Reading reading =
                run(settings, checker, called.line(settings, histories, hasTables ? lake : null, scratch));
        Map<String, Object> details = new LinkedHashMap<>();
        if (hasTables && reading.ending() == ProcessMeter.Ending.EXITED && Files.isDirectory(lake)) {
            details.putAll(RunDetails.of(lake));
        }
        String verdict = called.verdict(reading, histories.size());
        return result(
                point, checker, round, reading, before, verdict == null ? "none" : verdict, verdict != null, details);
    }

    private ProcessMeter.Reading run(Map<String, String> settings, String checker, List<String> line)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(builds.get(checker));
        command.addAll(line);
        return run(settings, command);
    }

    private ProcessMeter.Reading run(Map<String, String> settings, List<String> command)
            throws IOException, InterruptedException {
        List<String> pinned = new ArrayList<>(
                settings.containsKey(PointSettings.CORES)
                        ? MachineFacts.onCores(Integer.parseInt(settings.get(PointSettings.CORES)))
                        : List.of());
        pinned.addAll(command);
        return new ProcessMeter(
                        out.resolve("scratch"),
                        plan.limits().timeoutSeconds(),
                        plan.limits().memoryCap())
                .run(pinned);
    }

    private BenchResult ofRival(Point point, String checker, int round) throws IOException, InterruptedException {
        CheckerAdapter rival = requireNonNull(rivals.get(checker));
        String level = point.settings().getOrDefault("level", "si");
        String missing = rival.missing(environment);
        if (missing == null && !rival.levels().containsKey(level)) {
            missing = "level=" + level;
        }
        double before = MachineFacts.load();
        if (missing != null) {
            ProcessMeter.Reading none = new ProcessMeter.Reading(
                    ProcessMeter.Ending.EXITED, 0, Double.NaN, Double.NaN, 0, "", "not here: " + missing);
            return result(point, checker, round, none, before, "missing", false, Map.of());
        }
        List<Path> histories =
                new HistoryCache(cache, builds.values().iterator().next()).histories(point.settings(), rival.format());
        if (histories.size() != 1) {
            throw new UsageException("rivals check one history at a time: rival=" + checker + " point=" + point.id());
        }
        Path scratch = out.resolve("scratch").resolve("rival");
        HistoryCache.remove(scratch);
        Files.createDirectories(scratch);
        Path history = histories.get(0);
        if (!rival.file().isEmpty()) {
            history = Files.copy(history, scratch.resolve(rival.file()), StandardCopyOption.REPLACE_EXISTING);
        }
        ProcessMeter.Reading reading = run(
                point.settings(),
                rival.command(history.toAbsolutePath(), level, scratch.toAbsolutePath(), environment));
        String verdict = rival.verdict(reading.out() + "\n" + reading.err());
        return result(point, checker, round, reading, before, verdict, !verdict.equals("unclear"), Map.of());
    }

    private BenchResult result(
            Point point,
            String checker,
            int round,
            ProcessMeter.Reading reading,
            double loadBefore,
            String verdict,
            boolean isAnswered,
            Map<String, Object> details) {
        Status status =
                switch (reading.ending()) {
                    case OUT_OF_TIME -> Status.TIMEOUT;
                    case OUT_OF_MEMORY -> Status.MEMORY;
                    case EXITED ->
                        verdict.equals("missing")
                                ? Status.MISSING
                                : !isAnswered ? Status.FAILED : isExpected(point, verdict) ? Status.OK : Status.WRONG;
                };
        String output = status == Status.OK ? "" : lastOf(reading.err().isBlank() ? reading.out() : reading.err());
        return new BenchResult(
                new BenchResult.RunKey(
                        plan.heading().name(),
                        point.id(),
                        point.x(),
                        point.panel(),
                        point.series().name(),
                        checker,
                        round),
                status,
                verdict,
                new BenchResult.Cost(
                        reading.wallSeconds(),
                        reading.cpuSeconds(),
                        reading.peakBytes(),
                        reading.exitCode(),
                        loadBefore,
                        MachineFacts.load()),
                commit,
                output,
                point.settings(),
                details);
    }

    private static boolean isExpected(Point point, String verdict) {
        boolean isOfHistories = MeasuredCommand.of(point.settings()).isOfHistories();
        String expected = point.settings().getOrDefault(PointSettings.EXPECT, isOfHistories ? "holds" : "any");
        return switch (expected) {
            case "any" -> true;
            case "decided" ->
                !verdict.contains("undecided") && !verdict.contains("rejected") && !verdict.contains("failed");
            default -> verdict.equals(expected);
        };
    }

    private static String lastOf(String text) {
        String line = text.strip();
        return line.substring(Math.max(0, line.length() - MAX_ERROR_CHARS));
    }

    private static String summary(BenchResult result, int rounds) {
        String what = result.runKey().point()
                + (result.runKey().checker().equals("nightjar")
                        ? ""
                        : " by " + result.runKey().checker());
        String when = result.runKey().round() == 0
                ? "warm-up"
                : "round " + result.runKey().round() + " of " + rounds;
        if (result.status() == Status.OK) {
            return String.format(
                    Locale.ROOT,
                    "%s: %s: %s, wall %.2f s, CPU %.2f s, peak %d MB",
                    when,
                    what,
                    result.verdict(),
                    result.cost().wallSeconds(),
                    result.cost().cpuSeconds(),
                    result.cost().peakBytes() / 1_000_000);
        }
        return when + ": " + what + ": " + result.status().word()
                + (result.status() == Status.WRONG ? ": verdict=" + result.verdict() : "")
                + (result.message().isEmpty() ? "" : ": " + result.message().replaceAll("\\s+", " "));
    }
}
