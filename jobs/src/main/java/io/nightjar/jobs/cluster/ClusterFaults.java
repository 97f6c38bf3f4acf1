package io.nightjar.jobs.cluster;

import java.util.Set;

/** Tells faults of a cluster, which a retry may not meet, from those of a job, which it would. */
final class ClusterFaults {

    /*
     * By name, since what fails in a cluster may arrive as the text of an exception only. A job that was restarted too
     * often because its TaskManagers died carries one of these below "Recovery is suppressed".
     */
    private static final Set<String> NAMES = Set.of(
            "org.apache.flink.runtime.client.JobCancellationException",
            "org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException",
            "org.apache.flink.runtime.io.network.netty.exception.LocalTransportException",
            "org.apache.flink.runtime.io.network.partition.PartitionNotFoundException",
            "org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException",
            "org.apache.flink.runtime.jobmaster.JobMasterException",
            "org.apache.flink.runtime.jobmaster.JobMasterNotLeaderException",
            "org.apache.flink.runtime.taskexecutor.exceptions.TaskManagerException",
            "org.apache.flink.util.FlinkExpectedException");

    private ClusterFaults() {}

    static boolean explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = cause.toString();
            String name = text.contains(":") ? text.substring(0, text.indexOf(':')) : text;
            if (NAMES.contains(name) || NAMES.contains(cause.getClass().getName())) {
                return true;
            }
        }
        return false;
    }

    /** The last reason of all, on one line. */
    static String shortReason(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String text = last.getMessage() == null ? last.toString() : last.getMessage();
        return text.lines().findFirst().orElse(last.getClass().getSimpleName()).strip();
    }
}
