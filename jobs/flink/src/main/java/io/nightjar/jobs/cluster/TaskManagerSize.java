package io.nightjar.jobs.cluster;

/**
 * Size of a TaskManager.
 *
 * @param heapBytes maximum heap of its JVM
 * @param slots number of tasks that share the heap
 */
public record TaskManagerSize(long heapBytes, int slots) {}
