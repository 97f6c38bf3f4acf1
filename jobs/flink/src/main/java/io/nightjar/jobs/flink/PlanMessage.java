package io.nightjar.jobs.flink;

import io.nightjar.jobs.read.HistorySummary;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Result of validation, for the stages that wait for it.
 *
 * @param badRows the skipped rows, or the reason for rejecting the history
 * @param misuse why the history cannot be checked as requested; null if it can
 * @param summary null if the history is rejected, or cannot be checked as requested
 * @param decidesByTimestamps whether lanes are to be checked
 * @param resolvesUnknown whether unknown transactions with committed readers must be determined
 * @param startsAfterPrevious whether each transaction is known to start after its session predecessor committed
 */
record PlanMessage(
        BadRowsMessage badRows,
        @Nullable String misuse,
        @Nullable HistorySummary summary,
        boolean decidesByTimestamps,
        boolean resolvesUnknown,
        boolean startsAfterPrevious)
        implements Serializable {}
