package io.nightjar.pipeline.check.timestamp;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Count of suspect keys and operations of a history, shared by sweeps of different keys on any threads. */
final class SuspectShare {

    /** Part of all operations on suspect keys beyond which checking everything at once is less work. */
    private static final int MAX_SHARE = 8;

    private static final long FIRST_SAMPLE_OPS = 1 << 16;

    private long ops;
    private long suspectOps;
    private long keys;
    private long suspectKeys;

    /** Adds counts; returns the reason if the totals are too large, or null. */
    synchronized @Nullable String add(long moreOps, long moreSuspectOps, long moreKeys, long moreSuspectKeys) {
        ops += moreOps;
        suspectOps += moreSuspectOps;
        keys += moreKeys;
        suspectKeys += moreSuspectKeys;
        if (suspectOps <= ops / MAX_SHARE || ops <= FIRST_SAMPLE_OPS) {
            return null;
        }
        return String.format(Locale.ROOT, "in their order they leave %,d of %,d keys in doubt", suspectKeys, keys);
    }
}
