package io.nightjar.jobs.cluster;

/**
 * What a TaskManager of a cluster has.
 *
 * @param id by which the cluster knows it
 * @param heapBytes of its JVM
 * @param slots how many tasks share it
 */
public record TaskManagerSize(String id, long heapBytes, int slots) {}
