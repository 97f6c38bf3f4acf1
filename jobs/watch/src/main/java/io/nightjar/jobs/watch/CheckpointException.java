package io.nightjar.jobs.watch;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a checkpoint is damaged, or if the same call must resume from it with more memory. */
public final class CheckpointException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    CheckpointException(String message) {
        super(message);
    }

    /** Creates the exception for a file that has changed since it was written. */
    public static CheckpointException damaged(Path folder, String file) {
        return new CheckpointException(
                "checkpoint is damaged: path=" + folder.resolve(file) + "; remove " + folder + " and begin anew");
    }

    /** Creates the exception for kept rows that cannot be read again. */
    static CheckpointException damagedRows(Path folder, MalformedHistoryException damaged) {
        Path part = Path.of(damaged.location().file()).getFileName();
        return damaged(folder, Path.of("rows", part.toString()).toString());
    }

    @Override
    public String reportLine() {
        return SanitizedText.flat(String.valueOf(getMessage()));
    }
}
