package io.nightjar.jobs;

import org.jspecify.annotations.Nullable;

/** An exception of storage, a cluster or a database: the same call may succeed later. */
public interface RetryableException {

    /** Returns the line that reports the failure to a user. */
    String reportLine();

    /** Returns the file or folder that failed; null if the failure concerns none. */
    default @Nullable String file() {
        return null;
    }
}
