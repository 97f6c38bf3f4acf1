package io.nightjar.jobs.flink;

import io.nightjar.pipeline.validate.PartAnswer;
import java.io.Serializable;

/**
 * What validation of the parts of one task came to.
 *
 * @param areRowsInOrder whether rows of all sessions came in their order, so that this order has been checked
 */
record PartsMessage(PartAnswer answer, boolean areRowsInOrder) implements Serializable {}
