package io.nightjar.jobs.flink;

import io.nightjar.pipeline.validate.PartitionAnswer;
import java.io.Serializable;

/**
 * Result of validating the partitions of one task.
 *
 * @param areRowsInOrder whether rows of all sessions arrived in session order, so that this order has been checked
 * @param startsAfterPrevious whether this order shows that each transaction starts after its predecessor committed
 */
record PartitionsMessage(PartitionAnswer answer, boolean areRowsInOrder, boolean startsAfterPrevious)
        implements Serializable {}
