package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/**
 * What a lane must know before it is checked.
 *
 * @param isChecked whether lanes are checked; otherwise keys are only counted
 * @param isUnfit whether they would be, had it fitted into memory to find out who counts as committed
 * @param ids unknown transactions that count as committed
 * @param unplaceable how many of them lack a timestamp
 */
record PromotedMessage(boolean isChecked, boolean isUnfit, LongSet ids, long unplaceable) {

    ByteSink encode() {
        ByteSink to = new ByteSink(64);
        to.putByte(isChecked ? 1 : 0);
        to.putByte(isUnfit ? 1 : 0);
        to.putVarint(unplaceable);
        to.putVarint(ids.size());
        ids.forEach(to::putSigned);
        return to;
    }

    static PromotedMessage decode(ByteFeed from) {
        boolean isChecked = from.getByte() == 1;
        boolean isUnfit = from.getByte() == 1;
        long unplaceable = from.getVarint();
        int count = from.getCount();
        LongSet ids = new LongOpenHashSet(count);
        for (int i = 0; i < count; i++) {
            ids.add(from.getSigned());
        }
        return new PromotedMessage(isChecked, isUnfit, ids, unplaceable);
    }
}
