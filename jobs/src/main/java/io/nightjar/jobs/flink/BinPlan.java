package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;

/**
 * What a task must know of the whole history before it checks a bin of it.
 *
 * @param areTimestampsComplete whether timestamps decide what they can, so that values decide the rest
 * @param hasBadRows whether rows were set aside, so that nothing holds
 * @param isLargeGroup whether the bin is one group and so large that all tasks may have a part in it
 */
record BinPlan(boolean areTimestampsComplete, boolean hasBadRows, boolean isLargeGroup) {

    ByteSink encode() {
        ByteSink to = new ByteSink(2);
        to.putByte(areTimestampsComplete ? 1 : 0);
        to.putByte(hasBadRows ? 1 : 0);
        to.putByte(isLargeGroup ? 1 : 0);
        return to;
    }

    static BinPlan decode(ByteFeed from) {
        return new BinPlan(from.getByte() == 1, from.getByte() == 1, from.getByte() == 1);
    }
}
