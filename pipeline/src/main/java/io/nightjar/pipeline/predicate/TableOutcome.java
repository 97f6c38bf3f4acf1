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
 * What was found out about a history of tables.
 *
 * @param findings for the levels answered
 * @param answers for each level answered what it rests on, and why it is open if it is
 * @param anomalies the types found in the graph of versions
 * @param keyCount rows that the history has
 * @param serialOrder ids of the transactions in an order that explains all that was seen; null if none is known
 * @param malformed why no level holds, since reads contradict what they say of themselves; null if none does
 * @param contradicted why no level holds that no replay proves, since predicate reads contradict snapshots of their own; null
 *     if none does
 * @param shared a version that two transactions made, for which versions were no evidence; null if there is none
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

    /** Whether a replay of timestamps or of a serial order proves a level. */
    public boolean isReplayed(IsolationLevel level) {
        Answer answer = answers.get(level);
        boolean isSerial = serialOrder != null && LevelLattice.implies(IsolationLevel.SERIALIZABLE, level);
        return answer != null && answer.doubt() == null && (answer.isByTimestamps() || isSerial);
    }

    /**
     * The answer for a level without findings.
     *
     * @param isByTimestamps whether it rests on timestamps, and not on versions
     * @param doubt why the level may not be said to hold; null if it holds
     * @param isForItems whether checks of items may still say that it holds, where there is a doubt
     */
    public record Answer(boolean isByTimestamps, @Nullable String doubt, boolean isForItems) {}
}
