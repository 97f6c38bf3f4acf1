package io.nightjar.formats.arrow;

/** A row is not a transaction. Thrown to the loop over rows, which knows the place. */
final class BadArrowRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadArrowRowException(String reason) {
        super(reason, null, false, false);
    }
}
