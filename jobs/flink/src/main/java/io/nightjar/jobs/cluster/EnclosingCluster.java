package io.nightjar.jobs.cluster;

import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The cluster that this process submits to without being given an address: as a job's main, or one embedded in the process. */
public final class EnclosingCluster {

    private EnclosingCluster() {}

    /** Returns whether this program was started by a cluster, as the main of a job. */
    public static boolean isThere() {
        return !(StreamExecutionEnvironment.getExecutionEnvironment() instanceof LocalStreamEnvironment);
    }

    /**
     * Returns the parallelism of {@code flink run -p} or the cluster's configuration; otherwise the number of cores.
     */
    public static int parallelism() {
        return StreamExecutionEnvironment.getExecutionEnvironment().getParallelism();
    }
}
