package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;

/** Thrown for a row that is not a transaction, to the loop over rows, which adds the location. */
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
