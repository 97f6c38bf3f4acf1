package io.nightjar.jobs.bench.command;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.bench.BenchComparison;
import io.nightjar.jobs.bench.BenchPage;
import io.nightjar.jobs.bench.BenchPlan;
import io.nightjar.jobs.bench.BenchResult;
import io.nightjar.jobs.bench.BenchRun;
import io.nightjar.jobs.bench.BenchTable;
import io.nightjar.jobs.bench.CheckerAdapter;
import io.nightjar.jobs.bench.MachineFacts;
import io.nightjar.jobs.bench.PerformancePage;
import io.nightjar.jobs.bench.PlanReader;
import io.nightjar.jobs.bench.ResultsFile;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nightjar bench}: runs a plan, draws its charts, compares two sets of results. */
@Command(
        name = "bench",
        description =
                "Measure how checkers scale: every point of a plan as a separate process, interleaved, with charts.",
        footer = {
            "  nightjar bench                                       lists the plans",
            "  nightjar bench smoke --out results                   a minute, to see how it works",
            "  nightjar bench ours-timestamps --runs 5 --scale 0.1  a plan with histories of a tenth of the size",
            "  nightjar bench ours-timestamps --with old=../old/nightjar",
            "  nightjar bench compare results-a results-b           faster, slower or same, point by point",
            "  nightjar bench page results                          the results as Markdown, with new charts",
            "  nightjar bench page bench/results > bench/results/README.md",
            "  nightjar bench csv bench/results > runs.csv          every run as a row"
        })
final class BenchCommand implements Callable<Integer> {

    /** System property with the folder of the launcher. */
    private static final String HOME = "nightjar.home";

    @Parameters(
            paramLabel = "PLAN",
            arity = "0..*",
            description =
                    "A plan's name or file. Or: compare A B, two folders of results (or FOLDER@BUILD, one build of"
                            + " several). Or: page FOLDER, or csv FOLDER, of one result or of many.")
    private List<String> words = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Directory for results, charts and the page (default: nightjar-bench/PLAN). Existing results"
                    + " are not measured again.")
    private @Nullable Path out;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description = "Where generated histories are kept (default: nightjar-bench/histories).")
    private Path cache = Path.of("nightjar-bench", "histories");

    @Option(names = "--runs", paramLabel = "N", description = "Number of timed rounds. Default: the plan's.")
    private @Nullable Integer runs;

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description = "Transactions of every history, times this (default: ${DEFAULT-VALUE}).")
    private double scale;

    @Option(
            names = "--with",
            paramLabel = "NAME=COMMAND",
            description = "Another build of nightjar, measured in the same rounds. May be given again.")
    private Map<String, String> others = new LinkedHashMap<>();

    @Option(
            names = "--quantity",
            paramLabel = "NAME",
            defaultValue = "cpu",
            description = "Quantity that compare compares: cpu, wall or rss (default: ${DEFAULT-VALUE}).")
    private String quantity;

    @Option(names = "--json", description = "Print a JSON object at the end.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (words.isEmpty()) {
            return list();
        }
        return switch (words.get(0)) {
            case "compare" -> compare();
            case "page" -> page();
            case "csv" -> csv();
            default -> {
                if (words.size() > 1) {
                    throw new UsageException(
                            "one plan at a time: also=" + String.join(" ", words.subList(1, words.size())));
                }
                yield measure(words.get(0));
            }
        };
    }

    private static @Nullable Path home() {
        String home = System.getProperty(HOME);
        return home == null ? null : Path.of(home);
    }

    private static PlanReader plans() {
        Path home = home();
        return new PlanReader((home == null ? Path.of("") : home).resolve("bench"));
    }

    private int list() throws IOException {
        PlanReader reader = plans();
        for (String name : reader.names()) {
            BenchPlan plan = reader.plan(name);
            System.out.println(
                    String.format(Locale.ROOT, "%-24s %s", name, plan.heading().title()));
        }
        Terminal.printNote("measure one: " + CommandHint.of("bench", "PLAN"));
        return ExitCode.HOLDS;
    }

    private int measure(String name) throws IOException, InterruptedException {
        if (!(scale > 0) || scale > 1000 || runs != null && runs < 1) {
            throw new UsageException("out of range: scale=" + scale + " runs=" + runs);
        }
        PlanReader reader = plans();
        BenchPlan plan = reader.plan(name);
        Map<String, CheckerAdapter> rivals = new LinkedHashMap<>();
        for (BenchPlan.Series series : plan.series()) {
            String rival = series.rival();
            if (rival != null) {
                rivals.put(rival, reader.rival(rival));
            }
        }
        Path folder =
                out != null ? out : Path.of("nightjar-bench", plan.heading().name());
        ResultsFile results = new ResultsFile(folder);
        int rounds = runs != null ? runs : plan.limits().runs();
        int bad = new BenchRun(
                        plan,
                        folder.toAbsolutePath(),
                        cache.toAbsolutePath(),
                        builds(),
                        rivals,
                        MachineFacts.commit(home()),
                        Terminal::printNote)
                .run(scale, rounds, home());
        publish(BenchPage.of(plan, results), plan, folder);
        List<BenchResult> all = results.runs();
        AtomicFile.write(folder.resolve("results.csv"), BenchTable.csv(all).getBytes(StandardCharsets.UTF_8));
        if (json) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("schema", 1);
            summary.put("plan", plan.heading().name());
            summary.put("out", folder.toString());
            for (BenchResult.Status status : BenchResult.Status.values()) {
                summary.put(
                        status.name().toLowerCase(Locale.ROOT),
                        all.stream().filter(run -> run.status() == status).count());
            }
            System.out.println(ResultsFile.json(summary));
        } else {
            System.out.println(folder.resolve(plan.heading().name() + ".html"));
        }
        return bad == 0 ? ExitCode.HOLDS : ExitCode.VIOLATED;
    }

    /** Charts and the page are made anew of all that is there. */
    private static void publish(BenchPage page, BenchPlan plan, Path folder) throws IOException {
        publishCharts(page, folder);
        AtomicFile.write(
                folder.resolve(plan.heading().name() + ".html"), page.html().getBytes(StandardCharsets.UTF_8));
    }

    private static void publishCharts(BenchPage page, Path folder) throws IOException {
        for (Map.Entry<String, String> chart : page.charts().entrySet()) {
            AtomicFile.write(folder.resolve(chart.getKey()), chart.getValue().getBytes(StandardCharsets.UTF_8));
        }
    }

    private Map<String, List<String>> builds() {
        Map<String, List<String>> builds = new LinkedHashMap<>();
        Path home = home();
        if (home != null) {
            builds.put("nightjar", List.of(home.resolve("nightjar").toString()));
        }
        others.forEach((name, command) -> builds.put(name, List.of(command.split(" +"))));
        if (builds.isEmpty()) {
            throw new UsageException("no command to measure; name one: --with nightjar=./nightjar");
        }
        return builds;
    }

    private int page() throws IOException {
        if (words.size() != 2) {
            throw new UsageException("one folder is wanted: bench page FOLDER");
        }
        Path folder = Path.of(words.get(1));
        List<Path> folders = ResultsFile.foldersIn(folder);
        PlanReader reader = plans();
        for (Path each : foldersOf(folder)) {
            ResultsFile results = ResultsFile.existing(each);
            for (String name : results.plans()) {
                BenchPage page = BenchPage.of(reader.plan(name), results);
                publishCharts(page, each);
                if (folders.isEmpty()) {
                    System.out.println(page.markdown(folder.toString()));
                }
            }
        }
        if (!folders.isEmpty()) {
            System.out.print(PerformancePage.of(folder, ".", reader));
        }
        return ExitCode.HOLDS;
    }

    private int csv() throws IOException {
        if (words.size() != 2) {
            throw new UsageException("one folder is wanted: bench csv FOLDER");
        }
        List<BenchResult> all = new ArrayList<>();
        for (Path each : foldersOf(Path.of(words.get(1)))) {
            all.addAll(ResultsFile.existing(each).runs());
        }
        System.out.print(BenchTable.csv(all));
        return ExitCode.HOLDS;
    }

    /** Returns the folders with results in a folder, or the folder itself. */
    private static List<Path> foldersOf(Path folder) throws IOException {
        List<Path> folders = ResultsFile.foldersIn(folder);
        return folders.isEmpty() ? List.of(folder) : folders;
    }

    private int compare() throws IOException {
        if (words.size() != 3) {
            throw new UsageException("two folders of results are wanted: bench compare A B");
        }
        if (!List.of("cpu", "wall", "rss").contains(quantity)) {
            throw new UsageException("unknown quantity: quantity=" + quantity + " known=cpu,wall,rss");
        }
        String first = words.get(1);
        String second = words.get(2);
        boolean inTurn = first.contains("@") && folderOf(first).equals(folderOf(second));
        List<BenchComparison.Row> rows = BenchComparison.compare(side(first), side(second), quantity, inTurn);
        int slower = 0;
        int unknown = 0;
        for (BenchComparison.Row row : rows) {
            unknown += row.answer() == BenchComparison.Answer.UNKNOWN ? 1 : 0;
            slower += row.answer() == BenchComparison.Answer.SLOWER ? 1 : 0;
            System.out.println(json ? json(row) : text(row));
        }
        if (unknown > 0) {
            Terminal.printNote("too few runs for a comparison: points=" + unknown + " of=" + rows.size()
                    + "; measure both with --runs " + BenchComparison.MIN_RUNS
                    + " or more, best in the same rounds (--with)");
        }
        return slower == 0 ? ExitCode.HOLDS : ExitCode.VIOLATED;
    }

    private static String folderOf(String named) {
        int at = named.lastIndexOf('@');
        return at < 0 || Files.exists(Path.of(named)) ? named : named.substring(0, at);
    }

    /** Results of a folder, or of one of the builds in it. */
    private static List<BenchResult> side(String named) throws IOException {
        String folder = folderOf(named);
        List<BenchResult> all = ResultsFile.existing(Path.of(folder)).runs();
        if (folder.equals(named)) {
            return all;
        }
        String build = named.substring(folder.length() + 1);
        List<BenchResult> runs =
                all.stream().filter(run -> run.runKey().checker().equals(build)).toList();
        if (runs.isEmpty()) {
            throw new UsageException("nothing of that build there: build=" + build + " folder=" + folder);
        }
        return runs;
    }

    private String text(BenchComparison.Row row) {
        if (row.answer() == BenchComparison.Answer.UNKNOWN) {
            return String.format(
                    Locale.ROOT,
                    "%-7s %.3f (%s)  %s  %s: %.3f then %.3f",
                    "unknown",
                    row.ratio(),
                    row.minRuns() == 1 ? "one run" : row.minRuns() + " runs",
                    row.point(),
                    quantity,
                    row.first(),
                    row.second());
        }
        return String.format(
                Locale.ROOT,
                "%-7s %.3f (%.3f to %.3f)  %s  %s: %.3f then %.3f",
                row.answer().name().toLowerCase(Locale.ROOT),
                row.ratio(),
                row.min(),
                row.max(),
                row.point(),
                quantity,
                row.first(),
                row.second());
    }

    private String json(BenchComparison.Row row) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("schema", 1);
        members.put("point", row.point());
        members.put("quantity", quantity);
        members.put("first", row.first());
        members.put("second", row.second());
        members.put("ratio", row.ratio());
        members.put("least", row.min());
        members.put("most", row.max());
        members.put("runs", row.minRuns());
        members.put("answer", row.answer().name().toLowerCase(Locale.ROOT));
        return ResultsFile.json(members);
    }
}
