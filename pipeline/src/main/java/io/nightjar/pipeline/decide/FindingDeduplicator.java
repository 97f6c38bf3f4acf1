package io.nightjar.pipeline.decide;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Deduplication of anomalies found by two theories: each is retained and counted once, as first reported, unless a
 * later report rules out a weaker level.
 */
final class FindingDeduplicator {

    private final Map<Identity, Finding> kept = new LinkedHashMap<>();
    private final Map<Anomaly, Long> rows = new EnumMap<>(Anomaly.class);
    private final Map<Anomaly, Long> repeated = new EnumMap<>(Anomaly.class); // identical findings in the last keepNew

    private boolean areRepeatedCounted;

    private record Identity(Anomaly anomaly, @Nullable String key, List<Long> txnIds) {}

    /**
     * Retains the findings of one check that others have not found; returns their number. Of several cycles through the
     * same transactions one is retained, and counted.
     */
    long keepNew(List<Finding> ofOneCheck) {
        Set<Identity> seen = new HashSet<>();
        repeated.clear();
        long newCount = 0;
        for (Finding finding : ofOneCheck) {
            Identity identity = new Identity(finding.anomaly(), finding.key(), concerned(finding));
            newCount += keepIfNew(finding, identity) ? 1 : 0;
            if (!seen.add(identity)) {
                repeated.merge(finding.anomaly(), 1L, Long::sum);
            }
        }
        return newCount;
    }

    /** Counts findings that a check reports more than once as often as it counts them. */
    void countRepeated() {
        areRepeatedCounted = true;
    }

    private boolean keepIfNew(Finding finding, Identity identity) {
        Finding before = kept.get(identity);
        boolean isWeaker = before != null
                && before.level() != null
                && finding.level() != null
                && finding.level().compareTo(before.level()) < 0;
        if (before == null || isWeaker) {
            kept.put(identity, finding);
        }
        return before == null;
    }

    /** Passes all retained findings, in the order of their addition. */
    void giveTo(Findings findings) {
        long at = 0;
        for (Finding finding : kept.values()) {
            findings.keep(at++, finding);
        }
    }

    private static List<Long> concerned(Finding finding) {
        return finding.participants().stream()
                .map(Participant::txnId)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Adds a number of anomalies of a type, some of them possibly counted before: only new ones are counted, at their
     * level, and findings that the last call of {@link #keepNew} received more than once are counted once, unless
     * {@link #countRepeated} was called; they are one row in any case.
     */
    void count(
            Findings findings,
            Anomaly anomaly,
            long count,
            ToLongFunction<IsolationLevel> countAt,
            Set<IsolationLevel> levels) {
        long repetitions = repeated.getOrDefault(anomaly, 0L);
        boolean rulesOutAny = false;
        for (IsolationLevel level : levels) {
            long ofLevel = countAt.applyAsLong(level);
            if (ofLevel > 0) {
                ofLevel = areRepeatedCounted ? ofLevel : Math.max(1, ofLevel - repetitions);
                findings.count(level, anomaly, ofLevel - findings.counts(level).getOrDefault(anomaly, 0L));
                rulesOutAny = true;
            }
        }
        if (rulesOutAny) {
            long before = rows.getOrDefault(anomaly, 0L);
            findings.countRows(Math.max(0, count - repetitions - before));
            rows.put(anomaly, Math.max(before, count - repetitions));
        }
    }
}
