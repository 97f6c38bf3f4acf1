package io.nightjar.jobs.cli;

/** The command was called in a way that cannot be meant; the process returns {@link ExitCode#USAGE}. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
