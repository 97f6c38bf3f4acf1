package io.nightjar.formats.parquet;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that are not what the format says they are, or that are more than this reader can do; code that knows the place
 * makes a located message of it.
 */
final class CorruptFileException extends RuntimeException {

    static final String RESTORE = "write the file again or restore it from its source";

    private static final long serialVersionUID = 1L;

    private final @Nullable String advice;

    CorruptFileException(String message) {
        this(message, null);
    }

    CorruptFileException(String message, @Nullable String advice) {
        super(message);
        this.advice = advice;
    }

    /** Whether there is something better to do than to restore the file: then it is not damage. */
    boolean hasAdvice() {
        return advice != null;
    }

    /** What to do about it. */
    String advice() {
        return advice == null ? RESTORE : advice;
    }
}
