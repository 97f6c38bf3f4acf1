package io.nightjar.jobs.flink;

/**
 * Where and how wide a job runs.
 *
 * @param parallelism how many tasks work side by side
 * @param cluster host and port of a cluster that is there; null for one inside this process
 */
public record FlinkOptions(int parallelism, String cluster) {}
