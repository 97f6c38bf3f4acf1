package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import java.io.Serializable;

/**
 * The unknown transactions that count as committed, for a lane that waits to be checked.
 *
 * @param isChecked whether lanes are checked; otherwise keys are only counted
 * @param isUnfit whether they would be, had it fitted into memory to find out who counts as committed
 * @param unknown unknown transactions that count as committed
 */
record PromotedMessage(boolean isChecked, boolean isUnfit, PromotedTxns unknown) implements Serializable {}
