package io.nightjar.jobs;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.RuledOut;
import io.nightjar.formats.level.Verdict;
import java.util.List;
import java.util.Map;

/**
 * What one check of one history came to: the object that {@code check --json} prints and {@code run.json} keeps.
 *
 * @param runId null if no tables were written
 * @param levels in the order from weak to strong
 * @param anomalies the first findings, as many as were to be listed
 * @param ruledOut what dependency cycles and wrong reads say about Elle's levels; null if they were not looked for
 */
public record RunResult(
        String history,
        Verdict verdict,
        long transactions,
        long operations,
        long sessions,
        long keys,
        String evidence,
        String engine,
        String runId,
        double seconds,
        Map<IsolationLevel, LevelResult> levels,
        List<ListedAnomaly> anomalies,
        RuledOut ruledOut) {

    /**
     * The answer for one level.
     *
     * @param reason why it is undecided, or why what was counted may not be all; null otherwise
     * @param anomalies exact count of findings that rule the level out
     * @param types the same by type, in the order of first mention
     */
    public record LevelResult(
            Verdict verdict, String evidence, String reason, long anomalies, Map<String, Long> types, double seconds) {}

    /**
     * One finding in short.
     *
     * @param level null if the finding only makes reads ambiguous
     */
    public record ListedAnomaly(
            String id,
            String type,
            String pattern,
            IsolationLevel level,
            List<Long> transactions,
            String key,
            String explanation) {}
}
