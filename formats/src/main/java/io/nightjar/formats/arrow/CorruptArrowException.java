package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;

/** The bytes contradict the Arrow format, or each other. Thrown from within; the place is added where it is known. */
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
