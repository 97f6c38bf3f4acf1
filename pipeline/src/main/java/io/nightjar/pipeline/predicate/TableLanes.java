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

/** Questions that replays can answer lane by lane, and the merge of their answers. */
public final class TableLanes {

    /*
     * Algorithm. A replay compares the reads of a key with the versions of that key alone, so that each lane replays
     * its keys independently. Evidence that relates keys needs a check of the whole history: aggregates, the graph of
     * versions, and any undecided reason.
     */

    private TableLanes() {}

    /**
     * Returns whether lanes may answer at all. @param unknownCount transactions of unknown outcome, which reads of any
     * key explain
     */
    public static boolean fit(TableCheckRequest question, boolean areTimestampsComplete, long unknownCount) {
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
     * Returns the merged outcome of the levels that all lanes answer; null if a check of the whole history is required.
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

    /** Returns the request that remains for the whole history after the lanes answered; null if none. */
    public static @Nullable TableCheckRequest rest(TableCheckRequest question, TableOutcome lanes) {
        Set<IsolationLevel> levels = EnumSet.copyOf(question.levels());
        levels.removeAll(lanes.answers().keySet());
        return levels.isEmpty()
                ? null
                : new TableCheckRequest(
                        levels,
                        question.trustsTimestamps(),
                        question.trustsVersions(),
                        question.crossChecks(),
                        question.isOrderGiven(),
                        question.serialOrder());
    }

    /** Returns the answers of the lanes, followed by the answers of the whole history. */
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
