package io.nightjar.jobs.flink;

import org.jspecify.annotations.Nullable;

/**
 * Options of a Flink job: its cluster and its parallelism.
 *
 * @param parallelism how many tasks work side by side
 * @param cluster host and port of a cluster that is there; null for one inside this process
 */
public record FlinkOptions(int parallelism, @Nullable String cluster) {}
