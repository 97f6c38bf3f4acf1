package io.nightjar.jobs.watch;

import org.jspecify.annotations.Nullable;

/**
 * The reasons why less is final than has arrived.
 *
 * @param aheadTs a commit so far ahead that it waits for another to confirm it; {@code Long.MIN_VALUE} for none
 * @param silent sessions without recent transactions, as text; null for none
 */
public record WatermarkBlockers(long aheadTs, @Nullable String silent) {

    static final WatermarkBlockers NOTHING = new WatermarkBlockers(Long.MIN_VALUE, null);

    public boolean isAhead() {
        return aheadTs != Long.MIN_VALUE;
    }

    /** Returns the reasons of two tasks together. */
    WatermarkBlockers and(WatermarkBlockers other) {
        String both = silent == null || other.silent == null ? silent : silent + ", " + other.silent;
        return new WatermarkBlockers(Math.max(aheadTs, other.aheadTs), both == null ? other.silent : both);
    }
}
