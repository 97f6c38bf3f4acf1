package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;

/** Thrown if the bytes contradict the Arrow format, or each other; the caller that has the location adds it. */
final class CorruptArrowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    CorruptArrowException(InputError fault) {
        super(fault.text());
        this.fault = fault;
    }

    CorruptArrowException(InputError fault, Throwable cause) {
        super(fault.text(), cause);
        this.fault = fault;
    }

    InputError fault() {
        return fault;
    }
}
