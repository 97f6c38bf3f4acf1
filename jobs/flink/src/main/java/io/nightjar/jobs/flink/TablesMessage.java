package io.nightjar.jobs.flink;

import io.nightjar.jobs.read.HistorySummary;
import java.io.Serializable;

/**
 * A history of tables, for the task that checks it.
 *
 * @param isAll whether no row was skipped
 */
record TablesMessage(HistorySummary summary, boolean isAll) implements Serializable {}
