package io.nightjar.jobs.record;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Failure to reach the database, or of the database during a recording; the recorded part remains. */
public final class RecordingFailedException extends IOException implements RetryableException {

    private static final long serialVersionUID = 1L;

    public RecordingFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String reportLine() {
        return SanitizedText.flat(String.valueOf(getMessage()));
    }
}
