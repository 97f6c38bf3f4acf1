package io.nightjar.jobs.watch;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;

/** What a watch has to know does not fit into memory; with more, the same call goes on from its checkpoint. */
public final class InsufficientSpaceException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public InsufficientSpaceException(String why) {
        super(why + "; the same call goes on from here");
    }

    @Override
    public String reportLine() {
        return SanitizedText.flat(String.valueOf(getMessage()));
    }
}
