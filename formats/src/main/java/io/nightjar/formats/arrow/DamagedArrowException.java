package io.nightjar.formats.arrow;

/** The bytes contradict the Arrow format, or each other. Thrown from within; the place is added where it is known. */
final class DamagedArrowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DamagedArrowException(String reason) {
        super(reason);
    }

    DamagedArrowException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
