package io.nightjar.formats.text;

import io.nightjar.formats.history.InputError;
import org.jspecify.annotations.Nullable;

/** Thrown by a parser for a malformed row, to the loop over rows, which adds the location. */
public final class BadRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    public BadRowException(InputError fault) {
        super(fault.text(), null, false, false);
        this.fault = fault;
    }

    /** Returns the exception for a problem without details and advice, as {@link InputError#of}. */
    public static BadRowException of(String kind) {
        return new BadRowException(InputError.of(kind));
    }

    /** Returns a copy with these details appended. */
    public BadRowException with(String more) {
        return new BadRowException(fault.with(more));
    }

    /** Returns a copy with these details, formatted by {@link String#format}, appended. */
    public BadRowException with(String format, @Nullable Object... values) {
        return new BadRowException(fault.with(format, values));
    }

    /** Returns a copy with this advice appended. */
    public BadRowException advise(String more) {
        return new BadRowException(fault.advise(more));
    }

    public InputError fault() {
        return fault;
    }
}
