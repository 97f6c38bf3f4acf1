package io.nightjar.jobs.flink;

import java.io.Serializable;

/**
 * What a task must know of the whole history before it checks a bin of it.
 *
 * @param areTimestampsComplete whether timestamps decide what they can, so that values decide the rest
 * @param hasBadRows whether rows were set aside, so that nothing holds
 * @param isLargeGroup whether the bin is one group and so large that all tasks may have a part in it
 */
record BinPlan(boolean areTimestampsComplete, boolean hasBadRows, boolean isLargeGroup) implements Serializable {}
