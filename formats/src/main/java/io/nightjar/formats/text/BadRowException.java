package io.nightjar.formats.text;

import io.nightjar.formats.history.InputError;

/** Thrown by a parser for a malformed row, to the loop over rows, which adds the location. */
public final class BadRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    public BadRowException(InputError fault) {
        super(fault.text(), null, false, false);
        this.fault = fault;
    }

    public InputError fault() {
        return fault;
    }
}
