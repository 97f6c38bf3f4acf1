package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneCheck;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.check.timestamp.UnorderedSessionCheck;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a check by timestamps of a history or of a part of it: a lane, or the order of some sessions.
 *
 * @param findings with their counts
 * @param unjudgedKeys number of keys that timestamps cannot check
 * @param unfitKeys number of keys not checked because their operations exceed memory
 * @param memoryBytes available memory
 * @param unknown unknown transactions that count as committed
 * @param openChoices by level, how often the verdict depends on which of several unknown transactions committed
 */
public record TimestampOutcome(
        Findings findings,
        long keyCount,
        long unjudgedKeys,
        long unfitKeys,
        long memoryBytes,
        PromotedTxns unknown,
        Map<IsolationLevel, Long> openChoices) {

    /** Returns whether all axioms of a level were checked for every key and transaction, and are met. */
    public boolean isProved(IsolationLevel level) {
        return findings.counts(level).isEmpty()
                && unfitKeys == 0
                && unjudgedKeys == 0
                && unknown.unplaceable() == 0
                && openChoices.getOrDefault(level, 0L) == 0;
    }

    /** Checks a lane; it must not be used concurrently or afterwards. */
    public static TimestampOutcome ofLane(
            Lane lane,
            PromotedTxns unknown,
            Map<IsolationLevel, Set<Axiom>> axioms,
            @Nullable String initialValue,
            int findingLimit) {
        Findings findings = new Findings(findingLimit);
        LaneCheck check = new LaneCheck(lane, axioms, initialValue, unknown, findings);
        check.run();
        return new TimestampOutcome(findings, lane.keyCount(), check.unjudgedKeys(), 0, 0, PromotedTxns.NONE, Map.of());
    }

    /** Returns the outcome of a check of the order of some sessions. */
    public static TimestampOutcome ofSessions(SessionOrder sessions) {
        return new TimestampOutcome(sessions.finish(), 0, 0, 0, 0, PromotedTxns.NONE, Map.of());
    }

    /** Returns the outcome of a check of the order of some sessions in which unknown transactions may count. */
    public static TimestampOutcome ofSessions(UnorderedSessionCheck sessions) {
        Map<IsolationLevel, Long> openChoices = sessions.openChoices();
        return new TimestampOutcome(sessions.finish(), 0, 0, 0, 0, PromotedTxns.NONE, openChoices);
    }

    /** Returns the outcome for the keys of a lane that does not fit into memory. */
    public static TimestampOutcome unfit(long keys) {
        return new TimestampOutcome(new Findings(0), keys, 0, keys, 0, PromotedTxns.NONE, Map.of());
    }

    /** Returns the outcome for unchecked keys. */
    public static TimestampOutcome unchecked(long keys) {
        return new TimestampOutcome(new Findings(0), keys, 0, 0, 0, PromotedTxns.NONE, Map.of());
    }

    /** Returns which unknown transactions count as committed, found out before lanes are checked. */
    public static TimestampOutcome ofUnknown(PromotedTxns unknown) {
        return new TimestampOutcome(new Findings(0), 0, 0, 0, 0, unknown, unknown.openChoicesAt());
    }
}
