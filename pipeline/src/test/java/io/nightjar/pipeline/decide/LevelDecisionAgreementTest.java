package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.Witnesses;
import io.nightjar.pipeline.decide.ValueVerdicts.Refutation;
import io.nightjar.pipeline.explain.ContradictionFindings;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import io.nightjar.pipeline.verify.SievedReplay;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From slices to verdicts and findings, as the engine does it, against the definitions of the six levels. */
@Tag(Seeds.TAG)
class LevelDecisionAgreementTest {

    private static final int HISTORIES = 24_000;
    private static final List<IsolationLevel> SIX = IsolationLevel.all();
    private static final long COMPONENT_NANOS = 10_000_000_000L;

    @Test
    void everyLevelIsDecidedAsDefinedAndProved() {
        Map<String, Integer> separated = new TreeMap<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallHistory history = RandomReads.of(seed);
            boolean crossChecks = seed % 4 == 0;
            String difference = difference(history, crossChecks);
            if (difference != null) {
                SmallHistory smaller = Shrinker.shrink(history, small -> difference(small, crossChecks) != null);
                assertThat(difference(smaller, crossChecks))
                        .as("seed=%d shrunk to%n%s", seed, smaller)
                        .isNull();
            }
            separated.merge(ReferenceLevels.of(history).holding().size() + " levels hold", 1, Integer::sum);
        }

        for (int holding = 0; holding <= SIX.size() && separated.size() > 1; holding++) {
            assertThat(separated.getOrDefault(holding + " levels hold", 0))
                    .as("%s", separated)
                    .isGreaterThan(Seeds.rounds(HISTORIES) / 200);
        }
    }

    @Test
    void levelAskedAloneIsDecidedAsAmongAll() {
        for (long seed : Seeds.upTo(4_000)) {
            SmallHistory history = RandomReads.of(seed);
            ReferenceLevels reference = ReferenceLevels.of(history);
            IsolationLevel level = SIX.get((int) (seed % SIX.size()));

            String difference = difference(history, EnumSet.of(level), reference, false);

            assertThat(difference).as("seed=%d%n%s", seed, history).isNull();
        }
    }

    /** Null if everything is as it should be. */
    private static String difference(SmallHistory history, boolean crossChecks) {
        return difference(history, EnumSet.copyOf(SIX), ReferenceLevels.of(history), crossChecks);
    }

    private static String difference(
            SmallHistory history, Set<IsolationLevel> wanted, ReferenceLevels reference, boolean crossChecks) {
        OperationLogBuilder builder = new OperationLogBuilder(history.initialValue());
        List<HistorySlice> slices = history.slices(3);
        slices.forEach(builder::add);
        OperationLog log = builder.build();
        ReadInference inference = new ReadInference(ReadResolution.of(log), true, false).run();
        boolean hasFaults = inference.faultyReads() > 0;
        ValueVerdicts decided = decide(inference, wanted, hasFaults, crossChecks);
        for (IsolationLevel level : wanted) {
            Verdict expected = reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED;
            Verdict verdict =
                    hasFaults ? Verdict.VIOLATED : decided.answers().get(level).verdict();
            if (verdict != expected) {
                return level.longName() + ": expected=" + expected + " decided=" + verdict;
            }
        }
        if (decided.witness() != null) {
            String complaint = Witnesses.complaint(inference.history(), decided.witnessLevel(), decided.witness());
            if (complaint != null && isOnePointAtWeakerLevel(decided, complaint)) {
                return "witness of " + decided.witnessLevel() + ": " + complaint;
            }
        }
        return refuted(history, slices, log, inference, decided);
    }

    /** A serial order proves weaker levels too, although its snapshots and commits coincide. */
    private static boolean isOnePointAtWeakerLevel(ValueVerdicts decided, String complaint) {
        return !(complaint.startsWith("snapshot against commit")
                && decided.witnessLevel() != IsolationLevel.SERIALIZABLE);
    }

    private static ValueVerdicts decide(
            ReadInference inference, Set<IsolationLevel> wanted, boolean hasFaults, boolean crossChecks) {
        LevelDecision decision =
                new LevelDecision(inference.history(), wanted, hasFaults, COMPONENT_NANOS, crossChecks);
        Budget budget = Budget.unlimited();
        List<Component> components = decision.begin(budget);
        List<ComponentAnswer> answers = new ArrayList<>();
        for (int number = 0; number < components.size(); number++) {
            answers.add(decision.decide(number, budget));
        }
        return decision.finish(answers);
    }

    /** The first finding that the raw history does not bear out; null if there is none. */
    private static String refuted(
            SmallHistory history,
            List<HistorySlice> slices,
            OperationLog log,
            ReadInference inference,
            ValueVerdicts decided) {
        List<Finding> findings = new ArrayList<>();
        List<Ruling> rulings = new ArrayList<>();
        for (Refutation refutation : decided.refutations()) {
            rulings.add(new Ruling(
                    refutation.contradiction(),
                    refutation.history(),
                    refutation.contradiction().level()));
        }
        findings.addAll(ContradictionFindings.of(rulings, log));
        LongSet promoted = new LongOpenHashSet();
        for (int row = 0; row < log.txnCount; row++) {
            if (inference.isPromoted(row)) {
                promoted.add(log.txnId[row]);
            }
        }
        List<RefutedFinding> refuted = SievedReplay.refuted(
                findings,
                history.initialValue(),
                slices,
                () -> new FindingReplay(
                        findings,
                        history.initialValue(),
                        level -> promoted,
                        level -> LongSets.EMPTY_SET,
                        promoted,
                        null));
        return refuted.isEmpty() ? null : refuted.get(0).toString();
    }
}
