package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;

/**
 * Thrown for bytes that violate the format or use an unsupported feature; the caller, which has the location, converts
 * it to a located message.
 */
final class CorruptFileException extends RuntimeException {

    static final String RESTORE = "write the file again or restore it from its source";

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    CorruptFileException(InputError fault) {
        super(fault.complaint());
        this.fault = fault;
    }

    /** Returns whether a remedy other than restoring the file exists: then the file is not corrupt. */
    boolean hasAdvice() {
        return !fault.advice().isEmpty();
    }

    /** Returns the problem and its remedy. */
    InputError fault() {
        return hasAdvice() ? fault : fault.advise(RESTORE);
    }
}
