package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputFault;

/** The bytes contradict the Arrow format, or each other. Thrown from within; the place is added where it is known. */
final class DamagedArrowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputFault fault;

    DamagedArrowException(InputFault fault) {
        super(fault.text());
        this.fault = fault;
    }

    DamagedArrowException(InputFault fault, Throwable cause) {
        super(fault.text(), cause);
        this.fault = fault;
    }

    InputFault fault() {
        return fault;
    }
}
