package io.nightjar.jobs.local;

import io.nightjar.pipeline.partition.CommunicationGraph;

/**
 * The components of a history, connected by sessions that share keys. The largest component in one respect need not be
 * the largest in another.
 *
 * @param cutSessions sessions that belong to several components
 * @param neededBytes 0 if the components were counted; otherwise the memory that counting takes, and the counts are
 * invalid
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
