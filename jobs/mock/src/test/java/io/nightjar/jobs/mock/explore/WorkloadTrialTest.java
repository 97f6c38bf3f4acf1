package io.nightjar.jobs.mock.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.workload.Workloads;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the levels at which bundled applications break, and that exploration covers each history. */
@Tag(Seeds.TAG)
class WorkloadTrialTest {

    private static final List<Workloads> APPLICATIONS = List.of(
            Workloads.STACK,
            Workloads.COURSEWARE,
            Workloads.SHOPPING_CART,
            Workloads.TWITTER,
            Workloads.SMALLBANK,
            Workloads.VOTER,
            Workloads.WIKIPEDIA,
            Workloads.EPINIONS,
            Workloads.TPCC);

    private static MockOptions options(IsolationLevel level, boolean isAsInThePaper) {
        return new MockOptions(
                level,
                1,
                new MockOptions.Reads(ChoiceMode.UNIFORM, !isAsInThePaper, !isAsInThePaper, Integer.MAX_VALUE),
                new MockOptions.Schedule(true, 1_000),
                MockFaults.NONE);
    }

    private static WorkloadTrial trial(
            Workloads workload, MockOptions options, int keys, double reads, int sessions, int transactions) {
        return new WorkloadTrial(
                () -> workload.of(new Workloads.Scale(keys, 2, reads, random -> random.below(keys))),
                options,
                sessions,
                transactions);
    }

    private static WorkloadTrial small(Workloads workload, MockOptions options) {
        return trial(workload, options, 1, 0, 3, 3);
    }

    private static WorkloadTrial large(Workloads workload, MockOptions options) {
        return trial(workload, options, workload == Workloads.TPCC ? 100 : 8, 0.3, 3, 30);
    }

    private static Map<String, Integer> broken(WorkloadTrial trial, int runs) throws IOException {
        for (long seed : Seeds.upTo(runs)) {
            trial.run(AnswerPolicy.drawn(ChoiceMode.UNIFORM, seed));
        }
        return trial.brokenBy();
    }

    @Test
    void atSerializableAllAssertionsHold() throws IOException {
        for (Workloads workload : APPLICATIONS) {
            for (boolean isAsInThePaper : new boolean[] {true, false}) {
                MockOptions options = options(IsolationLevel.SERIALIZABLE, isAsInThePaper);
                assertThat(broken(small(workload, options), 200))
                        .as("%s", workload)
                        .isEmpty();
                assertThat(broken(large(workload, options), 20))
                        .as("%s", workload)
                        .isEmpty();
            }
        }
    }

    @Tag("slow")
    @Test
    void asInThePaperAllSeventeenAssertionsBreakAtReadCommitted() throws IOException {
        int assertions = 0;
        for (Workloads workload : List.of(Workloads.TPCC, Workloads.SMALLBANK, Workloads.VOTER, Workloads.WIKIPEDIA)) {
            Map<String, Integer> broken = broken(large(workload, options(IsolationLevel.READ_COMMITTED, true)), 60);
            assertThat(broken.keySet())
                    .as("%s %s", workload, broken)
                    .containsExactlyInAnyOrderElementsOf(
                            workload.of(new Workloads.Scale(1, 1, 0, random -> 0)).assertions().stream()
                                    .map(assertion -> assertion.name())
                                    .toList());
            assertions += broken.size();
            print(workload + " as in the paper at rc: broken " + broken);
        }
        assertThat(assertions).isEqualTo(17);
    }

    @Tag("slow")
    @Test
    void theTotalOfSmallBankBreaksAsInThePaperAndNeverWhereUpdatesReadTheNewest() throws IOException {
        MockOptions paper = options(IsolationLevel.READ_COMMITTED, true);
        assertThat(broken(large(Workloads.SMALLBANK, paper), 100).get("A13")).isGreaterThanOrEqualTo(95);
        for (IsolationLevel level : IsolationLevel.all()) {
            assertThat(broken(large(Workloads.SMALLBANK, options(level, false)), 30))
                    .as("%s", level)
                    .isEmpty();
        }
        for (IsolationLevel level : List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)) {
            assertThat(broken(large(Workloads.SMALLBANK, options(level, true)), 30))
                    .as("%s", level)
                    .isEmpty();
        }
    }

    /** Compares the histories with the histories of uncut runs over all orders of transactions. */
    @Test
    void eachHistoryIsTriedWhereOrdersThatMakeTheSameAreCut() throws IOException, InterruptedException {
        long cut = 0;
        for (long seed : Seeds.upTo(12)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                for (boolean isAsInThePaper : new boolean[] {true, false}) {
                    MockOptions options = options(level, isAsInThePaper);
                    WorkloadTrial trial = seed % 2 == 0
                            ? trial(Workloads.REGISTER, options, 2, 0.5, 2, 2)
                            : trial(Workloads.SMALLBANK, options, 2, 0.5, 3, 1);
                    Exploration.Found once = new Exploration(passing(trial, true), () -> false).all(seed);
                    Exploration.Found all = new Exploration(passing(trial, false), () -> false).all(seed);

                    assertThat(once.verdict()).isEqualTo(Exploration.Verdict.CANNOT);
                    assertThat(once.histories())
                            .as("nightjar.seed=%d %s paper=%s", seed, level, isAsInThePaper)
                            .isEqualTo(all.histories());
                    cut += all.runs() - once.runs();
                }
            }
        }
        if (Seeds.areAll()) {
            assertThat(cut).isPositive();
        }
    }

    /** Continuations are predicted from earlier runs, so few runs repeat a history. */
    @Test
    void nineTransactionsOnOneKeyTakeFewRunsForEachHistory() throws IOException, InterruptedException {
        long runs = 0;
        long histories = 0;
        for (long seed : Seeds.upTo(8)) {
            Workloads.Scale oneKeyAndOperation = new Workloads.Scale(1, 1, 0.5, random -> 0);
            WorkloadTrial trial = new WorkloadTrial(
                    () -> Workloads.REGISTER.of(oneKeyAndOperation), options(IsolationLevel.CAUSAL, true), 3, 3);
            Exploration.Found foretold = new Exploration(trial, () -> false).all(seed);
            Exploration.Found plain = new Exploration(
                            answers -> trial.run(new AnswerPolicy(
                                    answers.first(), answers.mode(), answers.seed(), answers.cuts(), null)),
                            () -> false)
                    .all(seed);

            assertThat(foretold.histories()).as("nightjar.seed=%d", seed).isEqualTo(plain.histories());
            assertThat(foretold.runs())
                    .as("nightjar.seed=%d histories=%d without=%d", seed, foretold.histories(), plain.runs())
                    .isLessThan(plain.runs() * 2 / 3);
            runs += foretold.runs();
            histories += foretold.histories();
            print("nine transactions, seed %d: %d histories in %d runs"
                    .formatted(seed, foretold.histories(), foretold.runs()));
        }
        assertThat(300 * runs / histories).as("runs for 300 histories").isLessThan(1_100);
    }

    /** Returns the same trial in which nothing breaks, so that all choices are explored. */
    private static Trial passing(WorkloadTrial trial, boolean cuts) {
        return answers -> {
            Trial.Result result = trial.run(new AnswerPolicy(
                    answers.first(), answers.mode(), answers.seed(), answers.cuts() && cuts, answers.known()));
            return new Trial.Result(
                    false,
                    0,
                    result.choices(),
                    result.divergedAt(),
                    result.isCut(),
                    result.history(),
                    result.steps(),
                    "");
        };
    }

    @Test
    void failureIsReportedWithFewStaleReadsAndReproduces() throws IOException, InterruptedException {
        for (Workloads workload :
                List.of(Workloads.STACK, Workloads.COURSEWARE, Workloads.SHOPPING_CART, Workloads.TWITTER)) {
            int stale = 0;
            int found = 0;
            long runs = 0;
            long searchNs = 0;
            for (long seed : Seeds.upTo(20)) {
                WorkloadTrial trial = small(workload, options(IsolationLevel.CAUSAL, false));
                long beginNs = System.nanoTime();
                runs += new Exploration(unshrunk(trial), () -> false)
                        .random(1_000, ChoiceMode.UNIFORM, seed)
                        .runs();
                searchNs += System.nanoTime() - beginNs;
                stale += staleReadsLeft(trial, seed);
                found++;
            }
            assertThat((double) stale / found).as("%s", workload).isLessThanOrEqualTo(3);
            print("%s at cc breaks in run %.1f, after %.2f ms; stale reads left %.2f"
                    .formatted(workload, (double) runs / found, searchNs / 1e6 / found, (double) stale / found));
        }
    }

    /** Remaining stale reads keep their location, although removing others changes the run. */
    @Test
    void failureAmongManyTransactionsIsReportedWithFewStaleReads() throws IOException, InterruptedException {
        for (Workloads workload :
                List.of(Workloads.STACK, Workloads.COURSEWARE, Workloads.SHOPPING_CART, Workloads.TWITTER)) {
            int stale = 0;
            int found = 0;
            for (long seed : Seeds.upTo(3)) {
                WorkloadTrial trial = new WorkloadTrial(
                        () -> workload.of(new Workloads.Scale(3, 1, 0, random -> random.below(3))),
                        options(IsolationLevel.CAUSAL, false),
                        3,
                        60);
                stale += staleReadsLeft(trial, seed);
                found++;
            }
            assertThat((double) stale / found).as("%s", workload).isLessThanOrEqualTo(3);
            print("%s with 180 transactions: stale reads left %.2f".formatted(workload, (double) stale / found));
        }
    }

    /** Breaks the trial, and returns the number of stale reads after their removal. */
    private static int staleReadsLeft(WorkloadTrial trial, long seed) throws IOException, InterruptedException {
        Exploration.Found broken = new Exploration(trial, () -> false).random(1_000, ChoiceMode.UNIFORM, seed);

        assertThat(broken.verdict()).isEqualTo(Exploration.Verdict.BROKEN);
        assertThat(broken.repeats()).as("nightjar.seed=%d", seed).isTrue();
        assertThat(trial.run(broken.last()).isBroken()).isTrue();
        return broken.broken().choices().staleCount();
    }

    /** Returns a trial that breaks only once, so that its run is not reduced. */
    private static Trial unshrunk(WorkloadTrial trial) {
        boolean[] hasBroken = {false};
        return answers -> {
            boolean isOver = hasBroken[0];
            Trial.Result result = (isOver ? passing(trial, false) : trial).run(answers);
            hasBroken[0] |= result.isBroken();
            return result;
        };
    }

    /** Prints measurements for the page about mocks, which covers many seeds. */
    private static void print(String what) {
        if (Seeds.areOfCampaign()) {
            System.out.println(what);
        }
    }

    @Test
    void aTestThatIsNotTheSameWithTheSameAnswersIsNoticed() throws IOException, InterruptedException {
        WorkloadTrial one = trial(Workloads.REGISTER, options(IsolationLevel.CAUSAL, true), 1, 0.5, 3, 2);
        int[] runs = {0};
        Exploration.Found found = new Exploration(
                        answers -> one.run(new AnswerPolicy(
                                answers.first(),
                                answers.mode(),
                                answers.seed() + ++runs[0] / 5,
                                answers.cuts(),
                                answers.known())),
                        () -> false)
                .all(1);

        assertThat(found.verdict()).isEqualTo(Exploration.Verdict.UNDECIDED);
        assertThat(found.end()).isEqualTo(Exploration.End.DIVERGED);
        assertThat(IntStream.of(runs).sum()).isLessThan(20);
    }
}
