package io.nightjar.jobs.flink;

import io.nightjar.jobs.read.HistorySummary;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What validation found out, for the stations that wait for it.
 *
 * @param badRows those that were set aside, or why this is no history
 * @param misuse why it cannot be checked as asked; null if it can
 * @param summary null if the history is rejected, or cannot be checked as asked
 * @param decidesByTimestamps whether lanes are to be checked
 * @param resolvesUnknown whether it must be found out which unknown transactions were read from
 */
record PlanMessage(
        BadRowsMessage badRows,
        @Nullable String misuse,
        @Nullable HistorySummary summary,
        boolean decidesByTimestamps,
        boolean resolvesUnknown)
        implements Serializable {}
