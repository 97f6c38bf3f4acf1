package io.nightjar.jobs;

import org.jspecify.annotations.Nullable;

/** An invalid request of the user: the command ends with the exit code of wrong usage. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    public UsageException(@Nullable String message, Throwable cause) {
        super(message, cause);
    }
}
