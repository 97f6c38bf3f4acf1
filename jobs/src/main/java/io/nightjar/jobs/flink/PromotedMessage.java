package io.nightjar.jobs.flink;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.Serializable;

/**
 * What a lane must know before it is checked.
 *
 * @param isChecked whether lanes are checked; otherwise keys are only counted
 * @param isUnfit whether they would be, had it fitted into memory to find out who counts as committed
 * @param ids unknown transactions that count as committed
 * @param unplaceable how many of them lack a timestamp
 */
record PromotedMessage(boolean isChecked, boolean isUnfit, LongSet ids, long unplaceable) implements Serializable {}
