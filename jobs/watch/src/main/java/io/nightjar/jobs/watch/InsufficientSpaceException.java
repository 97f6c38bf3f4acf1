package io.nightjar.jobs.watch;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;

/** Thrown if the state of a watch exceeds memory; with more memory, the same call resumes from its checkpoint. */
public final class InsufficientSpaceException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public InsufficientSpaceException(String why) {
        super(why + "; the same call resumes from the checkpoint");
    }

    @Override
    public String reportLine() {
        return SanitizedText.flat(String.valueOf(getMessage()));
    }
}
