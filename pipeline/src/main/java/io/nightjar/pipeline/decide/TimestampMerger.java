package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import java.util.EnumMap;
import java.util.Map;

/** Merger of the outcomes of checks by timestamps of the parts of a history, in any order and from any threads. */
public final class TimestampMerger {

    private final long memoryBytes;
    private final Findings findings;
    private final Map<IsolationLevel, Long> openChoices = new EnumMap<>(IsolationLevel.class);
    private PromotedTxns unknown = PromotedTxns.NONE;
    private long keyCount;
    private long unjudgedKeys;
    private long unfitKeys;

    /**
     * @param findingLimit maximum number of findings retained
     * @param memoryBytes available memory, for the reason of a level left undecided by it
     */
    public TimestampMerger(int findingLimit, long memoryBytes) {
        this.findings = new Findings(findingLimit);
        this.memoryBytes = memoryBytes;
    }

    public synchronized void add(TimestampOutcome outcome) {
        findings.merge(outcome.findings());
        unknown = outcome.unknown().equals(PromotedTxns.NONE) ? unknown : outcome.unknown();
        outcome.openChoices().forEach((level, count) -> openChoices.merge(level, count, Long::sum));
        keyCount += outcome.keyCount();
        unjudgedKeys += outcome.unjudgedKeys();
        unfitKeys += outcome.unfitKeys();
    }

    /** Returns all that was added. */
    public synchronized TimestampOutcome merged() {
        return new TimestampOutcome(findings, keyCount, unjudgedKeys, unfitKeys, memoryBytes, unknown, openChoices);
    }
}
