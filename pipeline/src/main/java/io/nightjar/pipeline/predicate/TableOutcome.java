package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.infer.SharedVersion;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Result of a check of a history of tables.
 *
 * @param findings for the levels answered
 * @param answers for each answered level its evidence, and the undecided reason if any
 * @param anomalies the types found in the graph of versions
 * @param keyCount rows that the history has
 * @param serialOrder ids of the transactions in an order that explains all reads; null if none is known
 * @param malformed why no level holds, because reads contradict their own data; null if none does
 * @param contradicted why no level holds that no replay proves, because predicate reads contradict the snapshots they
 *     name; null if none does
 * @param shared a version that two transactions made, so that versions are no evidence; null if none
 */
public record TableOutcome(
        Findings findings,
        Map<IsolationLevel, Answer> answers,
        Set<Anomaly> anomalies,
        int keyCount,
        long @Nullable [] serialOrder,
        @Nullable String malformed,
        @Nullable String contradicted,
        @Nullable SharedVersion shared) {

    /** Returns whether a replay of timestamps or of a serial order proves a level. */
    public boolean isReplayed(IsolationLevel level) {
        Answer answer = answers.get(level);
        boolean isSerial = serialOrder != null && LevelLattice.implies(IsolationLevel.SERIALIZABLE, level);
        return answer != null && answer.doubt() == null && (answer.isByTimestamps() || isSerial);
    }

    /**
     * The answer for a level without findings.
     *
     * @param isByTimestamps whether its evidence is timestamps, and not versions
     * @param doubt the undecided reason; null if the level holds
     * @param isForItems whether checks of items may still prove the level if it is undecided
     * @param isByValues whether its evidence is values, predicate reads included
     */
    public record Answer(boolean isByTimestamps, @Nullable String doubt, boolean isForItems, boolean isByValues) {

        public Answer(boolean isByTimestamps, @Nullable String doubt, boolean isForItems) {
            this(isByTimestamps, doubt, isForItems, false);
        }
    }

    /** Returns the outcome with other answers and a serial order. */
    public TableOutcome with(Map<IsolationLevel, Answer> others, long @Nullable [] order) {
        return new TableOutcome(findings, others, anomalies, keyCount, order, malformed, contradicted, shared);
    }
}
