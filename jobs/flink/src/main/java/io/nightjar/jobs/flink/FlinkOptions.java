package io.nightjar.jobs.flink;

import io.nightjar.jobs.cluster.EnclosingCluster;
import io.nightjar.jobs.cluster.RemoteCluster;
import org.jspecify.annotations.Nullable;

/**
 * Options of a Flink job: its cluster and its parallelism.
 *
 * @param parallelism how many tasks work side by side
 * @param cluster host and port of a cluster that is there; null for one inside this process
 */
public record FlinkOptions(int parallelism, @Nullable String cluster) {

    /**
     * @param parallelism null for the slots of the cluster
     * @throws io.nightjar.jobs.cluster.ClusterException if the cluster does not respond
     */
    static FlinkOptions of(@Nullable Integer parallelism, @Nullable String cluster) {
        int ofCluster = cluster == null
                ? EnclosingCluster.parallelism()
                : Math.max(1, RemoteCluster.connect(cluster).slots());
        return new FlinkOptions(parallelism != null ? parallelism : ofCluster, cluster);
    }
}
