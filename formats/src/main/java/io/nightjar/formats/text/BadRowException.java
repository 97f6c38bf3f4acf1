package io.nightjar.formats.text;

import org.jspecify.annotations.Nullable;

/** A row cannot be understood. Thrown from the depth of a parser to the loop over rows, which knows the place. */
public final class BadRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BadRowException(@Nullable String reason) {
        super(reason, null, false, false);
    }
}
