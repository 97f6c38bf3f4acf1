package io.nightjar.jobs.flink;

import java.io.Serializable;

/**
 * Numbers of operations of some sessions.
 *
 * @param weights by the position of a session among the ids
 */
record WeightsMessage(long[] ids, long[] weights) implements Serializable {}
