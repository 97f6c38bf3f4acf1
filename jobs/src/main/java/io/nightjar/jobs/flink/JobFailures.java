package io.nightjar.jobs.flink;

import java.io.IOException;

/** Finds in what Flink throws what a person can do something about. */
final class JobFailures {

    private JobFailures() {}

    static IOException of(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return new IOException("the job failed: " + root.getMessage(), failed);
    }
}
