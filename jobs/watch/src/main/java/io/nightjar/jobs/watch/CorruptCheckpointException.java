package io.nightjar.jobs.watch;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a file of a checkpoint has changed since it was written. */
public final class CorruptCheckpointException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public CorruptCheckpointException(Path folder, String file) {
        super("checkpoint is damaged: path=" + folder.resolve(file) + "; remove " + folder + " and begin anew");
    }

    /** @param why names the unreadable file */
    CorruptCheckpointException(Path folder, Throwable why) {
        super("checkpoint is damaged: " + why.getMessage() + "; remove " + folder + " and begin anew", why);
    }

    @Override
    public String reportLine() {
        return SanitizedText.flat(String.valueOf(getMessage()));
    }
}
