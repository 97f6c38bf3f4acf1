package io.nightjar.jobs.record;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The database could not be reached, or failed on the way; what was recorded until then is there. */
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
