package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import io.nightjar.pipeline.verify.SievedReplay;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What values say of a small history: verdicts, reasons of undecided ones, counts of findings, and what the verifier refutes.
 *
 * @param refuted the first finding that the rows do not confirm; null if there is none
 */
record SmallDecision(
        Map<IsolationLevel, Verdict> verdicts,
        Map<IsolationLevel, String> reasons,
        Map<IsolationLevel, Map<Anomaly, Long>> counts,
        @Nullable RefutedFinding refuted) {

    static SmallDecision of(List<HistorySlice> slices, @Nullable String initialValue, Set<IsolationLevel> levels) {
        return of(slices, new OperationLogBuilder(initialValue), initialValue, levels);
    }

    static SmallDecision of(
            List<HistorySlice> slices,
            OperationLogBuilder builder,
            @Nullable String initialValue,
            Set<IsolationLevel> levels) {
        return of(slices, builder, initialValue, levels, false);
    }

    /** @param mayUseTimestamps whether commit timestamps may order versions */
    static SmallDecision of(
            List<HistorySlice> slices,
            OperationLogBuilder builder,
            @Nullable String initialValue,
            Set<IsolationLevel> levels,
            boolean mayUseTimestamps) {
        slices.forEach(builder::add);
        OperationLog log = builder.build();
        Budget budget = Budget.unlimited();
        ValueCheckRequest question = new ValueCheckRequest(levels, true, mayUseTimestamps, Set.of(), 0, false, 100);
        GroupDecision decision = new GroupDecision(log, question, budget, StageListener.NONE);
        for (PendingComponents open = decision.next(); open != null; open = decision.next()) {
            List<ComponentAnswer> answers = new ArrayList<>();
            for (Component component : open.components()) {
                answers.add(open.how().decide(answers.size(), component, budget));
            }
            decision.accept(answers);
        }
        ValueOutcome outcome = decision.outcome();
        Map<IsolationLevel, Verdict> verdicts = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, String> reasons = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, Map<Anomaly, Long>> counts = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : levels) {
            Map<Anomaly, Long> found = outcome.findings().counts(level);
            String doubt = outcome.doubt(level);
            verdicts.put(
                    level, !found.isEmpty() ? Verdict.VIOLATED : doubt == null ? Verdict.HOLDS : Verdict.UNDECIDED);
            counts.put(level, found);
            if (doubt != null) {
                reasons.put(level, doubt);
            }
        }
        List<Finding> findings = outcome.findings().inTime();
        List<RefutedFinding> refuted = SievedReplay.refuted(
                findings,
                initialValue,
                slices,
                () -> new FindingReplay(
                        findings,
                        initialValue,
                        level -> outcome.basis().promoted(),
                        level -> LongSets.EMPTY_SET,
                        outcome.basis().promoted(),
                        null));
        return new SmallDecision(verdicts, reasons, counts, refuted.isEmpty() ? null : refuted.get(0));
    }

    Verdict verdict(IsolationLevel level) {
        return requireNonNull(verdicts.get(level));
    }
}
