package io.nightjar.jobs.cluster;

import io.nightjar.jobs.RetryableException;

/** A Flink cluster did not start, was not reached or was lost. Worth a retry. */
public final class ClusterException extends RuntimeException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String reportLine() {
        return "cluster failed: " + getMessage();
    }
}
