package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.bench.BenchResult.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchRunTest {

    @TempDir
    Path folder;

    private StubChecker stub;
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void makeStub() throws Exception {
        stub = StubChecker.in(folder);
    }

    @Test
    void everyRunIsALine() throws Exception {
        int bad = measure(plan("{name: a, settings: {level: si}}"), 2, "c1");

        assertThat(bad).isZero();
        assertThat(results()).hasSize(6).allMatch(result -> result.status() == Status.OK);
        assertThat(results()).extracting(result -> result.runKey().point()).contains("10/a", "20/a");
        assertThat(results().get(5).cost().wallSeconds()).isPositive();
        assertThat(stub.generated()).as("a history is made once").isEqualTo(2);
    }

    @Test
    void aPlanThatWasStoppedGoesOn() throws Exception {
        BenchPlan plan = plan("{name: a, settings: {level: si}}");
        measure(plan, 1, "c1");
        assertThat(stub.checks()).isEqualTo(4);

        measure(plan, 2, "c1");

        assertThat(stub.checks()).as("only the second round is new").isEqualTo(6);
        assertThat(results()).hasSize(6);
    }

    @Test
    void aTornLineIsMeasuredAgain() throws Exception {
        BenchPlan plan = plan("{name: a, settings: {level: si}}");
        measure(plan, 1, "c1");
        Path file = folder.resolve("out/results.jsonl");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 40));

        measure(plan, 1, "c1");

        assertThat(results()).hasSize(4);
        assertThat(stub.checks()).isEqualTo(5);
    }

    @Test
    void aWrongVerdictIsNoTime() throws Exception {
        int bad = measure(plan("{name: a, settings: {level: ser}}"), 3, "c1");

        assertThat(bad).isEqualTo(2);
        assertThat(results()).hasSize(2).allMatch(result -> result.status() == Status.WRONG && !result.counts());
        assertThat(lines.get(0)).contains("wrong: verdict=violated");
    }

    @Test
    void aVerdictThatIsExpectedIsRight() throws Exception {
        assertThat(measure(plan("{name: a, settings: {level: ser, expect: violated}}"), 1, "c1"))
                .isZero();
    }

    @Test
    void checkerOutOfTimeIsNotMeasuredAgain() throws Exception {
        int bad = measure(plan("{name: a, settings: {level: cc}}"), 3, "c1");

        assertThat(bad).as("no fault of the checker's verdicts").isZero();
        assertThat(results()).hasSize(2).allMatch(result -> result.status() == Status.TIMEOUT);
        assertThat(results().get(0).cost().wallSeconds()).isLessThan(25);
    }

    @Test
    void processBeyondItsMemoryIsEnded() throws Exception {
        measure(plan("{name: a, settings: {level: pc}}", "60s"), 1, "c1");

        assertThat(results()).isNotEmpty().allMatch(result -> result.status() == Status.MEMORY);
    }

    @Test
    void deadProcessFailsAndItsLastOutputIsKept() throws Exception {
        int bad = measure(plan("{name: a, settings: {level: rc}}"), 1, "c1");

        assertThat(bad).isEqualTo(2);
        assertThat(results().get(0).status()).isEqualTo(Status.FAILED);
        assertThat(results().get(0).message()).contains("died of old age");
        assertThat(results().get(0).cost().exitCode()).isEqualTo(70);
    }

    @Test
    void aRivalThatIsNotHereIsMissing() throws Exception {
        measure(plan("{name: theirs, rival: rival, settings: {level: si}}"), 1, "c1");

        assertThat(results()).hasSize(2).allMatch(result -> result.status() == Status.MISSING);
        assertThat(results().get(0).message()).contains("NO_SUCH_VARIABLE_HERE");
    }

    @Test
    void resultsOfAnotherCommitAreNotMixedIn() throws Exception {
        BenchPlan plan = plan("{name: a, settings: {level: si}}");
        measure(plan, 1, "c1");

        assertThatThrownBy(() -> measure(plan, 2, "c2"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("theirs=c1 ours=c2");
    }

    @Test
    void resultsOfOtherSizesAreNotMixedIn() throws Exception {
        BenchPlan plan = plan("{name: a, settings: {level: si, sessions: 5}}");
        measure(plan, 1, "c1");

        assertThat(results().get(0).settings())
                .containsEntry("transactions", "10")
                .containsEntry("sessions", "5");
        assertThatThrownBy(() -> measure(plan("{name: a, settings: {level: si, sessions: 6}}"), 2, "c1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("results of other settings", "point=10/a", "--scale");
    }

    @Test
    void processIsPinnedToItsCores() throws Exception {
        measure(plan("{name: a, settings: {level: ra, cores: 1}}"), 1, "c1");

        assertThat(results()).hasSize(4).extracting(BenchResult::verdict).containsOnly("holds");
        assertThat(stub.output()).as("cores of each process").hasSize(4).containsOnly("cores=1");
    }

    @Test
    void tablesCanBeLeftOutOfTheWarmUpToo() throws Exception {
        measure(plan("{name: a, settings: {level: si, tables: false}}"), 1, "c1");

        assertThat(stub.checksWith("--lake none")).isEqualTo(4);
    }

    @Test
    void rowsOutOfOrderComeInAnyFormat() throws Exception {
        measure(plan("{name: a, settings: {level: si, disorder: 5, format: parquet}}"), 1, "c1");

        assertThat(results()).hasSize(4).allMatch(result -> result.status() == Status.OK);
        assertThat(stub.converted("parquet"))
                .as("lines that were put into another order")
                .isEqualTo(2);
    }

    @Test
    void pageComparesGoalsAndStatesLimits() throws Exception {
        BenchPlan plan = table(
                "{name: a, goal: {rss: 1000000}, settings: {level: si}}",
                "{name: b, goal: {wall: 1000, to: a}, settings: {level: si}}",
                "{name: c, goal: {wall: 0, to: a}, limit: it is a shell, settings: {level: si}}",
                "{name: d, goal: {cpu: 1, to: a}, settings: {level: si}}");
        measure(plan, 1, "c1");
        List<BenchResult> without = results().stream()
                .filter(result -> !result.runKey().series().equals("d"))
                .toList();

        String page = new BenchPage(plan, without, Map.of()).markdown("pictures");

        assertThat(page)
                .contains("| a | 1,000,000 MB: reached |", "| b | 1000.00 times the time of \"a\": reached |")
                .containsPattern("Missed, c: [0-9.]+ times the time instead of 0.00 times the time\\. it is a shell")
                .contains("Not measured yet: d, goal 1.00 times the CPU of \"a\".");
    }

    @Test
    void pageShowsRunsWithoutTime() throws Exception {
        BenchPlan plan = plan("{name: a, settings: {level: si}}", "{name: b, settings: {level: ser}}");
        measure(plan, 3, "c1");
        BenchPage page = new BenchPage(plan, results(), Map.of("cpu", "<script>alert(1)</script>"));

        assertThat(page.html())
                .contains("<svg", "wrong verdict", "wrong: violated")
                .doesNotContain("<script>");
        assertThat(page.markdown("pictures"))
                .contains("![A plan](pictures/plan.svg)", "| 10 | a |")
                .contains("| 10 | b | – | – | – | 0 | wrong: violated |");
        assertThat(page.charts()).containsOnlyKeys("plan.svg");
    }

    private int measure(BenchPlan plan, int rounds, String commit) throws Exception {
        Path adapter = folder.resolve("rival.yaml");
        Files.writeString(
                adapter,
                "{name: rival, format: jsonl, command: [\"false\"], needs: [NO_SUCH_VARIABLE_HERE], levels: {si: SI},"
                        + " holds: a, violated: b}",
                StandardOpenOption.CREATE);
        return new BenchRun(
                        plan,
                        folder.resolve("out"),
                        folder.resolve("cache"),
                        Map.of("nightjar", stub.command()),
                        Map.of("rival", CheckerAdapter.parse(adapter)),
                        commit,
                        lines::add)
                .run(1, rounds, null);
    }

    private List<BenchResult> results() throws Exception {
        return new ResultsFile(folder.resolve("out")).runs();
    }

    private BenchPlan table(String... series) throws Exception {
        Path file = folder.resolve("plan.yaml");
        Files.writeString(
                file,
                "title: A plan\nsettings: {transactions: 10}\nseries:\n  - " + String.join("\n  - ", series) + "\n");
        return new PlanReader(folder).plan(file.toString());
    }

    private BenchPlan plan(String series, String... more) throws Exception {
        String timeout = more.length == 1 && more[0].endsWith("s") ? more[0] : "1s";
        StringBuilder text = new StringBuilder("title: A plan\nruns: 2\nmemory-cap: 100m\ntimeout: ")
                .append(timeout)
                .append("\nx: {vary: transactions, values: [10, 20]}\nseries:\n  - ")
                .append(series)
                .append('\n');
        for (String one : more) {
            if (one.startsWith("{")) {
                text.append("  - ").append(one).append('\n');
            }
        }
        Path file = folder.resolve("plan.yaml");
        Files.writeString(file, text);
        return new PlanReader(folder).plan(file.toString());
    }
}
