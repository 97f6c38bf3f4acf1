package io.nightjar.jobs.flink;

/**
 * Where a check runs.
 *
 * @param parallelism how many tasks of a kind at once
 * @param cluster host and port; null for the one that encloses this process, or one in it
 */
public record FlinkOptions(int parallelism, String cluster) {}
