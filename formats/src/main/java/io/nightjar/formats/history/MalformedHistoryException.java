package io.nightjar.formats.history;

/**
 * Thrown if the input is not a history: unreadable, truncated, ill-typed or contradictory. The message begins with the
 * location.
 */
public class MalformedHistoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InputLocation place;
    private final InputError fault;

    public MalformedHistoryException(InputLocation place, InputError fault) {
        super(place + " " + fault.text());
        this.place = place;
        this.fault = fault;
    }

    public MalformedHistoryException(InputLocation place, InputError fault, Throwable cause) {
        super(place + " " + fault.text(), cause);
        this.place = place;
        this.fault = fault;
    }

    public InputLocation place() {
        return place;
    }

    /** Returns the error without its location. */
    public InputError fault() {
        return fault;
    }
}
