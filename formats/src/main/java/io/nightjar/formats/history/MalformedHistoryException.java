package io.nightjar.formats.history;

/** The input is not a history: unreadable, truncated, ill-typed or contradictory. The message begins with the place. */
public class MalformedHistoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Place place;
    private final InputFault fault;

    public MalformedHistoryException(Place place, InputFault fault) {
        super(place + " " + fault.text());
        this.place = place;
        this.fault = fault;
    }

    public MalformedHistoryException(Place place, InputFault fault, Throwable cause) {
        super(place + " " + fault.text(), cause);
        this.place = place;
        this.fault = fault;
    }

    public Place place() {
        return place;
    }

    /** What is wrong, without the place. */
    public InputFault fault() {
        return fault;
    }
}
