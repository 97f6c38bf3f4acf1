package io.nightjar.jobs.watch;

import io.nightjar.formats.history.PlainText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import java.nio.file.Path;

/** A checkpoint is not what was written. */
public final class DamagedCheckpointException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public DamagedCheckpointException(Path folder, String file) {
        super("checkpoint is damaged: path=" + folder.resolve(file) + "; remove " + folder + " and begin anew");
    }

    /** @param why what cannot be read, and where */
    DamagedCheckpointException(Path folder, Throwable why) {
        super("checkpoint is damaged: " + why.getMessage() + "; remove " + folder + " and begin anew", why);
    }

    @Override
    public String reportLine() {
        return PlainText.flat(String.valueOf(getMessage()));
    }
}
