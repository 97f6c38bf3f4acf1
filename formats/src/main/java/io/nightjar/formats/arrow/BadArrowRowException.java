package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;

/** A row is not a transaction. Thrown to the loop over rows, which knows the place. */
final class BadArrowRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    BadArrowRowException(InputError fault) {
        super(fault.text(), null, false, false);
        this.fault = fault;
    }

    InputError fault() {
        return fault;
    }
}
