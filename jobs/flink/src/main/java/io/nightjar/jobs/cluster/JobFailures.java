package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.util.SerializedThrowable;
import org.jspecify.annotations.Nullable;

/** Determines the cause of a failed job: its input, a bug, or the cluster, whose failures may not recur in a retry. */
public final class JobFailures {

    /*
     * Classes by name, since a failure in a cluster may arrive as the text of an exception only. If a job was restarted
     * too often because its TaskManagers died, its exception has one of these causes below "Recovery is suppressed".
     */
    private static final Set<String> OF_CLUSTERS = Set.of(
            "org.apache.flink.runtime.client.JobCancellationException",
            "org.apache.flink.runtime.io.network.netty.exception.LocalTransportException",
            "org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException",
            "org.apache.flink.runtime.io.network.partition.PartitionNotFoundException",
            "org.apache.flink.runtime.io.network.partition.consumer.PartitionConnectionException",
            "org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException",
            "org.apache.flink.runtime.jobmaster.JobMasterException",
            "org.apache.flink.runtime.taskexecutor.exceptions.TaskManagerException",
            "org.apache.flink.util.FlinkExpectedException");

    private static final String OURS = "io.nightjar.";

    private static final Pattern CLASS_NAMES = Pattern.compile("^(?:[a-z]\\w*\\.[\\w.$]+: )+");

    private JobFailures() {}

    /**
     * Returns the exception of a task that a command can report: one of ours, of storage, or of memory. Returns a
     * {@link ClusterException} if the cluster failed; null otherwise.
     */
    public static @Nullable Throwable reasonOf(Throwable failure) {
        boolean isOfCluster = false;
        for (Throwable cause = failure; cause != null; cause = causeOf(cause)) {
            if (cause.getClass().getName().startsWith(OURS)
                    || cause instanceof OutOfMemoryError
                    || cause instanceof IOException && !isOfFlink(cause)) {
                return cause;
            }
            isOfCluster |= OF_CLUSTERS.contains(nameOf(cause));
        }
        return isOfCluster ? new ClusterException("job was ended: reason=" + shortReason(failure), failure) : null;
    }

    private static boolean isOfFlink(Throwable cause) {
        return nameOf(cause).startsWith("org.apache.flink.");
    }

    /** Returns the cause. A task's exception is serialized, and is itself the cause of its wrapper. */
    private static @Nullable Throwable causeOf(Throwable failure) {
        if (failure instanceof SerializedThrowable serialized) {
            Throwable original = serialized.deserializeError(JobFailures.class.getClassLoader());
            return original == failure ? failure.getCause() : original;
        }
        return failure.getCause();
    }

    private static String nameOf(Throwable failure) {
        return failure instanceof SerializedThrowable serialized
                ? serialized.getOriginalErrorClassName()
                : failure.getClass().getName();
    }

    /** Returns the last reason of all, on one line, without the names of exceptions that wrappers put before it. */
    public static String shortReason(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String text = last.getMessage() == null ? last.toString() : last.getMessage();
        String line = text.lines().findFirst().orElse("").strip();
        String words = CLASS_NAMES.matcher(line).replaceFirst("");
        return words.isEmpty() ? last.getClass().getSimpleName() : words;
    }
}
