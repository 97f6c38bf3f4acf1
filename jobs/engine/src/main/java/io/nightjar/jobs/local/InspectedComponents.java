package io.nightjar.jobs.local;

import io.nightjar.pipeline.partition.CommunicationGraph;

/**
 * The parts that a history falls into, by which sessions touch common keys. What is largest in one respect need not be in
 * another.
 *
 * @param cutSessions sessions that belong to several components
 * @param neededBytes 0 if the components were counted; otherwise the memory that this takes, and the counts say nothing
 */
public record InspectedComponents(
        int count, int largestSessions, int largestTxns, int largestKeys, int cutSessions, long neededBytes) {

    static InspectedComponents of(CommunicationGraph graph) {
        return new InspectedComponents(
                graph.componentCount,
                graph.largestSessionCount(),
                graph.largestTxnCount(),
                graph.largestKeyCount(),
                graph.cutSessionCount(),
                0);
    }

    static InspectedComponents notCounted(long neededBytes) {
        return new InspectedComponents(0, 0, 0, 0, 0, neededBytes);
    }

    public boolean areCounted() {
        return neededBytes == 0;
    }
}
