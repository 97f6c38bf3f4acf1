package io.nightjar.formats.history;

/**
 * Thrown if the input is not a history: unreadable, truncated, ill-typed or contradictory. The message begins with the
 * location.
 */
public class MalformedHistoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputLocation location;
    private final InputError fault;

    public MalformedHistoryException(InputLocation location, InputError fault) {
        super(location + " " + fault.text());
        this.location = location;
        this.fault = fault;
    }

    public MalformedHistoryException(InputLocation location, InputError fault, Throwable cause) {
        super(location + " " + fault.text(), cause);
        this.location = location;
        this.fault = fault;
    }

    public InputLocation location() {
        return location;
    }

    /** Returns the error without its location. */
    public InputError fault() {
        return fault;
    }
}
