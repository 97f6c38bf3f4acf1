package io.nightjar.jobs.flink;

import java.io.Serializable;

/**
 * Result of checking the lanes of one task.
 *
 * @param placed number of lanes whose dependencies were found while they were checked
 */
record LanesMessage(int placed) implements Serializable {}
