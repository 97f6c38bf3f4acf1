package io.nightjar.jobs.local;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.local.CheckOptions.Evidence;
import io.nightjar.pipeline.validate.HistoryFacts;

/** Why a level cannot be said to hold although nothing rules it out. */
final class Doubts {

    private Doubts() {}

    /** The reason, or null if there is no doubt. */
    static String of(
            HistoryRows rows, TimestampRun run, IsolationLevel level, Evidence evidence, DeadLetters deadLetters) {
        if (deadLetters.count() > 0) {
            return "bad rows were set aside: rows=" + deadLetters.count();
        }
        HistoryFacts facts = rows.validation().facts();
        if (facts.committedCount() == 0) {
            return null;
        }
        if (evidence == Evidence.VALUES || evidence == Evidence.VERSIONS) {
            return "this version decides si and ser from timestamps; it cannot decide from " + evidence.word();
        }
        if (Axiom.of(level).isEmpty()) {
            return "timestamps cannot decide " + level.longName() + ", and this version decides nothing from values";
        }
        if (!facts.areTimestampsComplete()) {
            long missing = facts.committedCount() - facts.timestampedCount();
            return "committed transactions without start or commit timestamp: transactions=" + missing + " of="
                    + facts.committedCount()
                    + (evidence == Evidence.AUTO ? "; this version decides nothing from values" : "");
        }
        if (run.unfitKeys() > 0) {
            return "operations on a key do not fit into memory: keysLeftOut=" + run.unfitKeys() + " memoryBytes="
                    + run.memoryBytes() + "; give more --memory";
        }
        if (run.unplaceable() > 0) {
            return "unknown transactions that were read from lack timestamps: transactions=" + run.unplaceable();
        }
        if (run.unjudgedKeys() > 0) {
            return "timestamps cannot judge sets, counters and keys used in two ways: keys=" + run.unjudgedKeys();
        }
        return null;
    }
}
