package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneCheck;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Map;
import java.util.Set;

/**
 * What timestamps say of a history or of a part of it: a lane, or the order of some sessions.
 *
 * @param findings with their counts
 * @param unjudgedKeys keys that timestamps cannot judge
 * @param unfitKeys keys that could not be judged because their operations do not fit into memory
 * @param memoryBytes what there was of it
 * @param promoted unknown transactions that count as committed
 * @param unplaceable how many of them lack a timestamp
 */
public record TimestampOutcome(
        Findings findings,
        long keyCount,
        long unjudgedKeys,
        long unfitKeys,
        long memoryBytes,
        LongSet promoted,
        long unplaceable) {

    /** Checks a lane; nobody else may use it meanwhile, and it is spent afterwards. */
    public static TimestampOutcome ofLane(
            Lane lane,
            LongSet promoted,
            Map<IsolationLevel, Set<Axiom>> axioms,
            String initialValue,
            int findingLimit) {
        Findings findings = new Findings(findingLimit);
        lane.promote(promoted);
        LaneCheck check = new LaneCheck(lane, axioms, initialValue, findings);
        check.run();
        return new TimestampOutcome(findings, lane.keyCount(), check.unjudgedKeys(), 0, 0, LongSets.EMPTY_SET, 0);
    }

    /** What the order of some sessions shows. */
    public static TimestampOutcome ofSessions(SessionOrder sessions) {
        return new TimestampOutcome(sessions.finish(), 0, 0, 0, 0, LongSets.EMPTY_SET, 0);
    }

    /** Keys of a lane that does not fit into memory. */
    public static TimestampOutcome unfit(long keys) {
        return new TimestampOutcome(new Findings(0), keys, 0, keys, 0, LongSets.EMPTY_SET, 0);
    }

    /** Keys that nothing was to be said of. */
    public static TimestampOutcome unchecked(long keys) {
        return new TimestampOutcome(new Findings(0), keys, 0, 0, 0, LongSets.EMPTY_SET, 0);
    }

    /**
     * Which unknown transactions count as committed, found out before lanes are checked.
     *
     * @param unplaceable how many of them lack a timestamp
     */
    public static TimestampOutcome ofPromoted(LongSet promoted, long unplaceable) {
        return new TimestampOutcome(new Findings(0), 0, 0, 0, 0, promoted, unplaceable);
    }
}
