package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;

/**
 * Bytes that are not what the format says they are, or that are more than this reader can do; code that knows the place
 * makes a located message of it.
 */
final class CorruptFileException extends RuntimeException {

    static final String RESTORE = "write the file again or restore it from its source";

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    CorruptFileException(InputError fault) {
        super(fault.complaint());
        this.fault = fault;
    }

    /** Whether there is something better to do than to restore the file: then it is not damage. */
    boolean hasAdvice() {
        return !fault.advice().isEmpty();
    }

    /** What is wrong, with what to do about it. */
    InputError fault() {
        return hasAdvice() ? fault : fault.advise(RESTORE);
    }
}
