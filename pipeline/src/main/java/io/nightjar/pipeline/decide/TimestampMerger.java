package io.nightjar.pipeline.decide;

import io.nightjar.pipeline.check.Findings;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/** Puts together what timestamps say of the parts of a history, in whatever order and by whatever threads they come. */
public final class TimestampMerger {

    private final long memoryBytes;
    private final Findings findings;
    private final LongSet promoted = new LongOpenHashSet();
    private long keyCount;
    private long unjudgedKeys;
    private long unfitKeys;
    private long unplaceable;

    /**
     * @param findingLimit how many findings are kept
     * @param memoryBytes what there is of it, for the reason of a level that it keeps undecided
     */
    public TimestampMerger(int findingLimit, long memoryBytes) {
        this.findings = new Findings(findingLimit);
        this.memoryBytes = memoryBytes;
    }

    public synchronized void add(TimestampOutcome part) {
        findings.merge(part.findings());
        promoted.addAll(part.promoted());
        keyCount += part.keyCount();
        unjudgedKeys += part.unjudgedKeys();
        unfitKeys += part.unfitKeys();
        unplaceable += part.unplaceable();
    }

    /** All that was added. */
    public synchronized TimestampOutcome merged() {
        return new TimestampOutcome(findings, keyCount, unjudgedKeys, unfitKeys, memoryBytes, promoted, unplaceable);
    }
}
