package io.nightjar.formats.text;

import io.nightjar.formats.history.InputError;

/** A row cannot be understood. Thrown from the depth of a parser to the loop over rows, which knows the place. */
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
