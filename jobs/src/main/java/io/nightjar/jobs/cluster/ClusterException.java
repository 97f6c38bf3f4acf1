package io.nightjar.jobs.cluster;

/** A Flink cluster did not start, was not reached or was lost. Worth a retry. */
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
