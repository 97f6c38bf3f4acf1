package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SideBySide;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.ComponentRow;
import io.nightjar.pipeline.decide.GroupDecision;
import io.nightjar.pipeline.decide.PendingComponents;
import io.nightjar.pipeline.decide.StageListener;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.SessionGroups;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A level holds for groups of sessions that share no key if and only if it holds for the whole history. */
class GroupsTest {

    private static final int HISTORIES = 400;
    private static final int MANY = 1_000_000;

    private static final List<List<IsolationLevel>> ASKED = List.of(
            IsolationLevel.all(),
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE),
            List.of(IsolationLevel.SERIALIZABLE, IsolationLevel.PL_3),
            List.of(IsolationLevel.PL_2, IsolationLevel.PL_3));

    @TempDir
    private Path folder;

    @Tag(Seeds.TAG)
    @Test
    void aHistoryHasTheFindingsOfItsGroups() throws IOException {
        for (long seed : Seeds.upTo(HISTORIES)) {
            SideBySide histories = histories(seed);
            CheckOptions options = options(seed);
            ValueOutcome whole = check(log(histories.whole()), options, MANY);
            Set<String> ids = new TreeSet<>();
            Map<String, Long> counts = new TreeMap<>();
            LongSet promoted = new LongOpenHashSet();
            long total = 0;
            long keys = 0;
            for (SmallHistory part : histories.parts()) {
                ValueOutcome outcome = alone(log(part), options);
                outcome.findings().inTime().forEach(finding -> ids.add(identity(finding)));
                counts(outcome.findings()).forEach((what, count) -> counts.merge(what, count, Long::sum));
                promoted.addAll(outcome.basis().promoted());
                total += outcome.findings().total();
                keys += outcome.keyCount();
            }

            String what = "seed=%d%n%s".formatted(seed, histories.whole());
            Set<String> found = new TreeSet<>();
            whole.findings().inTime().forEach(finding -> found.add(identity(finding)));
            assertThat(found).as(what).isEqualTo(ids);
            assertThat(counts(whole.findings())).as(what).isEqualTo(counts);
            assertThat(whole.findings().total()).as(what).isEqualTo(total);
            assertThat(whole.basis().promoted()).as(what).isEqualTo(promoted);
            assertThat(whole.keyCount()).as(what).isEqualTo(keys);
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void levelHoldsIfItHoldsForEachGroup() throws IOException {
        Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
        for (long seed : Seeds.upTo(HISTORIES)) {
            SideBySide histories = histories(seed);
            CheckOptions options = options(seed);
            Map<IsolationLevel, Verdict> worst = new EnumMap<>(IsolationLevel.class);
            for (SmallHistory part : histories.parts()) {
                verdicts(alone(log(part), options), options)
                        .forEach((level, verdict) -> worst.merge(level, verdict, Verdict::worse));
            }
            String what = "seed=%d%n%s".formatted(seed, histories.whole());

            assertThat(verdicts(check(log(histories.whole()), options, MANY), options))
                    .as(what)
                    .isEqualTo(worst);
            SliceSource source = new SliceSource(histories.whole().slices(4), 2, 0);
            RunResult result = new LocalEngine(
                            TestHistories.withInitialValue(
                                    options, histories.whole().initialValue()),
                            "test",
                            ProgressListener.NONE)
                    .check(source, Path.of("slices"));
            if (histories.whole().txns().stream().anyMatch(txn -> txn.status() == TxnStatus.COMMITTED)) {
                result.levels().forEach((level, of) -> assertThat(of.verdict())
                        .as("%s %s", level, what)
                        .isEqualTo(worst.get(level)));
            }
            seen.addAll(worst.values());
        }
        if (Seeds.areAll()) {
            assertThat(seen).containsExactlyInAnyOrder(Verdict.values());
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void theOrderInWhichGroupsComeChangesNothing() throws IOException {
        for (long seed : Seeds.upTo(HISTORIES / 2)) {
            CheckOptions options = options(seed);
            OperationLog log = log(histories(seed).whole());
            int limit = seed % 2 == 0 ? MANY : 2;
            SessionGroups groups = SessionGroups.of(log);
            List<ValueOutcome> parts = new ArrayList<>();
            for (int group = 0; group < groups.count(); group++) {
                parts.add(group(groups.log(group), options, limit));
            }
            String expected = merged(parts, limit);
            Random random = new Random(seed);
            for (int again = 0; again < 4; again++) {
                Collections.shuffle(parts, random);
                assertThat(merged(parts, limit)).as("seed=%d", seed).isEqualTo(expected);
                int cut = random.nextInt(parts.size() + 1);
                List<ValueOutcome> bins = new ArrayList<>();
                for (List<ValueOutcome> bin : List.of(parts.subList(0, cut), parts.subList(cut, parts.size()))) {
                    ValueMerger merger = new ValueMerger(limit);
                    bin.forEach(merger::add);
                    bins.add(merger.merged());
                }
                assertThat(merged(bins, limit)).as("in two bins, seed=%d", seed).isEqualTo(expected);
            }
            assertThat(text(check(log, options, limit), false))
                    .as("threads, seed=%d", seed)
                    .isEqualTo(text(merge(parts, limit), false));
        }
    }

    @Test
    void realTimeRelatesAllGroups() throws IOException {
        Set<IsolationLevel> strict = EnumSet.of(IsolationLevel.STRICT_SERIALIZABLE);
        CheckOptions plain = new TestOptions().build();
        CheckOptions timed = new TestOptions()
                .versionOrders(EnumSet.of(VersionSource.REALTIME))
                .build();

        assertThat(plain.questionOf(strict, 0).relatesAllSessions()).isTrue();
        assertThat(timed.questionOf(EnumSet.of(IsolationLevel.SERIALIZABLE), 0).relatesAllSessions())
                .isTrue();
        assertThat(plain.questionOf(EnumSet.copyOf(IsolationLevel.all()), 0).relatesAllSessions())
                .isFalse();
        OperationLog log = log(SmallHistory.parse("s1 T1: w(x,1)\ns2 T2: w(y,1)\n"));
        assertThat(check(log, plain, MANY).groupCount()).isEqualTo(2);
        assertThat(check(log, timed, MANY).groupCount()).isEqualTo(1);
    }

    @Test
    void aGroupThatIsUndecidedSaysHowManyAre() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.txt"),
                """
                s1 T1: add(a,1) w(a,2)
                s2 T2: r(b,_) w(b,1)
                s3 T3: add(c,1) w(c,2)
                """);
        RunResult result = new TestOptions().levels(IsolationLevel.SERIALIZABLE).check(history);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).reason())
                .isEqualTo("values cannot decide large sets, counters without numbers and keys used in two ways:"
                        + " 1 key; 2 of 3 groups are undecided");
    }

    @Test
    void groupsOfDifferentStrengthShareTheWeakerWitness() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.txt"),
                """
                s5 T7: w(a,1)
                s1 T1: r(x,_) w(y,1)
                s6 T8: r(a,1) w(a,2)
                s2 T2: r(y,_) w(x,1)
                """);
        Path file = folder.resolve("witness.jsonl");
        RunResult result = new TestOptions()
                .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)
                .witness(file)
                .check(history);

        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).verdict())
                .isEqualTo(Verdict.HOLDS);
        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).verdict()).isEqualTo(Verdict.VIOLATED);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0)).isEqualTo("{\"witness\":\"snapshot-isolation\",\"transactions\":4}");
        assertThat(lines).hasSize(5);
        assertThat(lines.subList(1, 3)).allMatch(line -> line.matches("\\{\"txn\":[12],.*"));
        assertThat(lines.get(3)).startsWith("{\"txn\":7,");
        assertThat(lines.get(4)).startsWith("{\"txn\":8,");
    }

    /**
     * PL-3 holds in the first group as nothing there forbids it, in the second because an order proves a stronger
     * level.
     */
    @Test
    void orderOfGroupIsReplayedDespiteFaultsInOtherGroups() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.txt"),
                """
                s1 T1: r(x,1)
                s1 T2: w(x,1) r(x,1)
                s3 T3: w(a,1) w(b,1)
                s4 T4: w(a,2) w(b,2)
                s5 T5: r(a,2) r(b,2)
                """);
        RunResult result = new TestOptions()
                .levels(IsolationLevel.SERIALIZABLE, IsolationLevel.PL_3)
                .check(history);

        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.levels().get(IsolationLevel.PL_3).reason()).isNull();
        assertThat(result.levels().get(IsolationLevel.PL_3).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void faultsOfGroupDoNotInvalidateOrderOfAnother() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.txt"),
                """
                s1 T1: w(x,1) r(x,7)
                s2 T2?: w(x,2)
                s1 T6: r(x,2) r(y,9)
                s3 T3: w(a,1) w(b,1)
                s4 T4: r(a,1) w(b,2)
                """);
        RunResult result = new TestOptions()
                .levels(IsolationLevel.SERIALIZABLE, IsolationLevel.PL_3)
                .check(history);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.anomalies()).extracting(anomaly -> anomaly.type()).contains("internal", "garbage-read");
    }

    // ---------------------------------------------------------------- helpers

    private static SideBySide histories(long seed) {
        List<SmallHistory> histories = new ArrayList<>();
        for (long part = 0; part < 1 + seed % 5; part++) {
            long ofPart = 31 * seed + part;
            histories.add(seed % 3 == 0 ? RandomHistory.of(ofPart) : RandomReads.of(ofPart));
        }
        return SideBySide.of(histories, seed);
    }

    private static CheckOptions options(long seed) {
        return new TestOptions()
                .levels(ASKED.get((int) (seed % ASKED.size())).toArray(IsolationLevel[]::new))
                .threads(1 + (int) (seed % 3))
                .crossChecks(seed % 7 == 0)
                .build();
    }

    private static OperationLog log(SmallHistory history) {
        OperationLogBuilder builder = new OperationLogBuilder(history.initialValue());
        history.slices(3).forEach(builder::add);
        return builder.build();
    }

    private static ValueOutcome check(OperationLog log, CheckOptions options, int limit) throws IOException {
        return new ValueCheck(
                        options.questionOf(EnumSet.copyOf(options.levels()), limit),
                        options.memoryBytes(),
                        options.threadCount(),
                        Budget.unlimited(),
                        StageMetrics.untold())
                .check(log);
    }

    /** Checks a log that was not cut into groups: only its connected components are checked separately. */
    private static ValueOutcome alone(OperationLog log, CheckOptions options) throws IOException {
        return SessionGroups.of(log).count() == 1 ? group(log, options, MANY) : check(log, options, MANY);
    }

    private static ValueOutcome group(OperationLog log, CheckOptions options, int limit) {
        GroupDecision decision = new GroupDecision(
                log,
                options.questionOf(EnumSet.copyOf(options.levels()), limit),
                Budget.unlimited(),
                StageListener.NONE);
        ValueOutcome outcome = outcome(decision);
        Iterator<GroupDecision> supposing = decision.supposing();
        while (!outcome.doubts().isEmpty() && supposing.hasNext()) {
            outcome = outcome.orHeldIn(outcome(supposing.next()));
        }
        return outcome;
    }

    private static ValueOutcome outcome(GroupDecision decision) {
        for (PendingComponents open = decision.next(); open != null; open = decision.next()) {
            List<ComponentAnswer> answers = new ArrayList<>();
            for (Component component : open.components()) {
                answers.add(open.how().decide(answers.size(), component, Budget.unlimited()));
            }
            decision.accept(answers);
        }
        return decision.outcome();
    }

    private static String identity(Finding finding) {
        return finding.anomalyId() + " " + finding;
    }

    private static Map<String, Long> counts(Findings findings) {
        Map<String, Long> counts = new TreeMap<>();
        for (IsolationLevel level : findings.countedLevels()) {
            for (Map.Entry<Anomaly, Long> of : findings.counts(level).entrySet()) {
                counts.put(level.longName() + " " + of.getKey(), of.getValue());
            }
        }
        return counts;
    }

    private static Map<IsolationLevel, Verdict> verdicts(ValueOutcome outcome, CheckOptions options) {
        Map<IsolationLevel, Verdict> verdicts = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            boolean isRuledOut = !outcome.findings().counts(level).isEmpty();
            verdicts.put(
                    level,
                    isRuledOut ? Verdict.VIOLATED : outcome.doubt(level) == null ? Verdict.HOLDS : Verdict.UNDECIDED);
        }
        return verdicts;
    }

    private static ValueOutcome merge(List<ValueOutcome> parts, int limit) {
        ValueMerger merger = new ValueMerger(limit);
        parts.forEach(merger::add);
        return merger.merged();
    }

    private static String merged(List<ValueOutcome> parts, int limit) {
        return text(merge(parts, limit), true);
    }

    /** @param withSeconds whether to include the durations of components, which differ from run to run */
    private static String text(ValueOutcome outcome, boolean withSeconds) {
        StringBuilder text = new StringBuilder();
        text.append(outcome.groupCount()).append(' ').append(outcome.keyCount()).append(' ');
        text.append(outcome.basis().trustsVersions())
                .append(' ')
                .append(outcome.orders().areChecked());
        text.append('\n').append(outcome.findings().total()).append(counts(outcome.findings()));
        outcome.findings().inTime().forEach(finding -> text.append('\n').append(identity(finding)));
        text.append('\n')
                .append(new TreeSet<>(outcome.basis().promoted()))
                .append(outcome.refuted().cycles());
        text.append(outcome.refuted().levels())
                .append(outcome.refuted().readFaults())
                .append(outcome.ruledOut());
        outcome.doubts().keySet().forEach(level -> text.append('\n').append(outcome.doubt(level)));
        for (ComponentRow row : outcome.componentsInOrder()) {
            text.append('\n').append(row.smallestTxnId()).append(' ').append(row.txnCount());
            text.append(' ').append(row.verdict()).append(' ').append(row.searchStates());
            text.append(' ').append(withSeconds ? row.seconds() : 0);
        }
        for (IsolationLevel level : IsolationLevel.all()) {
            outcome.toReplay(EnumSet.of(level, IsolationLevel.PL_3))
                    .forEach(of -> text.append(of.isWhole()).append(witness(of.witness())));
        }
        return text.append(outcome.witness() == null ? "\nno witness" : witness(outcome.witness()))
                .toString();
    }

    private static String witness(Witness witness) {
        return "\n" + witness.level() + " " + witness.smallestTxnId() + " "
                + Arrays.toString(witness.txnIds()) + Arrays.toString(witness.snapshotOf())
                + Arrays.toString(witness.commitOf());
    }
}
