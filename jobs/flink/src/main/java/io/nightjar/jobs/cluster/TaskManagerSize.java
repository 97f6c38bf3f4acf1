package io.nightjar.jobs.cluster;

/**
 * What a TaskManager of a cluster has.
 *
 * @param heapBytes of its JVM
 * @param slots how many tasks share it
 */
public record TaskManagerSize(long heapBytes, int slots) {}
