package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What replays may be asked of each lane by itself, and how their answers become one. */
public final class TableLanes {

    /*
     * A replay compares what was read of a key with the versions of that key alone, so that each lane replays its own keys. What
     * relates keys is left to a check of the whole: answers that were computed, the graph of versions, and any doubt.
     */

    private TableLanes() {}

    /** Whether lanes may answer at all. @param unknownCount transactions of unknown outcome, which reads of any key explain */
    public static boolean fit(TableQuestion question, boolean areTimestampsComplete, long unknownCount) {
        boolean isByTime = question.trustsTimestamps() && areTimestampsComplete && !question.crossChecks();
        Set<IsolationLevel> others = EnumSet.noneOf(IsolationLevel.class);
        others.addAll(question.levels());
        if (question.isOrderGiven()) {
            others.remove(IsolationLevel.SERIALIZABLE);
        }
        Set<IsolationLevel> replayed = EnumSet.of(
                IsolationLevel.SNAPSHOT_ISOLATION,
                IsolationLevel.SERIALIZABLE,
                IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        return unknownCount == 0 && (isByTime ? replayed.containsAll(others) : others.isEmpty());
    }

    /**
     * Returns what lanes say together of the levels that all of them answer; null if a check of the whole has to say
     * everything.
     */
    public static @Nullable TableOutcome merged(List<TableOutcome> lanes) {
        Findings findings = new Findings(lanes.get(0).findings().limit());
        Map<IsolationLevel, TableOutcome.Answer> answers =
                new EnumMap<>(lanes.get(0).answers());
        int keyCount = 0;
        for (TableOutcome lane : lanes) {
            boolean isDoubtful = lane.answers().values().stream().anyMatch(answer -> answer.doubt() != null);
            if (lane.malformed() != null || isDoubtful) {
                return null;
            }
            findings.merge(lane.findings());
            answers.keySet().retainAll(lane.answers().keySet());
            keyCount += lane.keyCount();
        }
        boolean isSerial = answers.keySet().stream()
                .anyMatch(level -> LevelLattice.implies(level, IsolationLevel.SERIALIZABLE)
                        && findings.counts(level).isEmpty());
        long[] order = isSerial ? lanes.get(0).serialOrder() : null;
        return answers.isEmpty()
                ? null
                : new TableOutcome(
                        findings,
                        answers,
                        EnumSet.noneOf(io.nightjar.formats.level.Anomaly.class),
                        keyCount,
                        order,
                        null,
                        null,
                        null);
    }

    /** Returns what is left to ask of the whole once lanes have answered; null if nothing is. */
    public static @Nullable TableQuestion rest(TableQuestion question, TableOutcome lanes) {
        Set<IsolationLevel> levels = EnumSet.copyOf(question.levels());
        levels.removeAll(lanes.answers().keySet());
        return levels.isEmpty()
                ? null
                : new TableQuestion(
                        levels,
                        question.trustsTimestamps(),
                        question.trustsVersions(),
                        question.crossChecks(),
                        question.isOrderGiven(),
                        question.serialOrder());
    }

    /** The answers of lanes with those of the whole behind them. */
    public static TableOutcome joined(TableOutcome lanes, TableOutcome whole) {
        List<TableOutcome> both = new ArrayList<>(List.of(lanes, whole));
        Findings findings = new Findings(lanes.findings().limit());
        Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
        for (TableOutcome outcome : both) {
            findings.merge(outcome.findings());
            answers.putAll(outcome.answers());
        }
        return new TableOutcome(
                findings,
                answers,
                whole.anomalies(),
                whole.keyCount(),
                whole.serialOrder(),
                whole.malformed(),
                whole.contradicted(),
                whole.shared());
    }
}
