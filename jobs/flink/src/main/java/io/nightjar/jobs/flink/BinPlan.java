package io.nightjar.jobs.flink;

import java.io.Serializable;

/**
 * Facts about the whole history that a task requires to check a bin.
 *
 * @param areTimestampsComplete whether timestamps decide all levels they can, so that values decide the rest
 * @param hasConditions whether the history has conditional writes
 * @param hasBadRows whether rows were skipped, so that no level holds
 * @param isLargeGroup whether the bin is a single group, large enough to be shared among all tasks
 */
record BinPlan(boolean areTimestampsComplete, boolean hasConditions, boolean hasBadRows, boolean isLargeGroup)
        implements Serializable {}
