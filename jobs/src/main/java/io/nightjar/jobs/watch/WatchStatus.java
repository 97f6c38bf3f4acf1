package io.nightjar.jobs.watch;

import io.nightjar.formats.level.IsolationLevel;
import java.util.Map;

/**
 * Where a watch stands.
 *
 * @param watermark all commits up to here have arrived; {@code Long.MIN_VALUE} before there is one
 * @param lagMillis since the last transaction arrived
 * @param open transactions with rows that are not sealed
 * @param provisional reads that are wrong by what is known so far
 * @param repeated transactions that were delivered again and dropped
 * @param findings final findings by level
 * @param silent a session that holds the watermark back, or null
 */
public record WatchStatus(
        double seconds,
        long transactions,
        long operations,
        double txnsPerSecond,
        long watermark,
        long lagMillis,
        long open,
        long provisional,
        long flips,
        long late,
        long corrected,
        long repeated,
        long deadLetters,
        long memoryBytes,
        long keptBytes,
        Map<IsolationLevel, Long> findings,
        boolean isJumpAhead,
        String silent) {}
