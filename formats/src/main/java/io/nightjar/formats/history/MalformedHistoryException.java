package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/**
 * The input is not a history: unreadable, truncated, ill-typed or contradictory. The message begins with the place.
 *
 * <p>Reasons follow one form: what is wrong, then {@code name=value} pairs, then after a semicolon what to do about it.
 */
public class MalformedHistoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Place place;
    private final String reason;

    public MalformedHistoryException(Place place, @Nullable String reason) {
        super(place + " " + reason);
        this.place = place;
        this.reason = String.valueOf(reason);
    }

    public MalformedHistoryException(Place place, @Nullable String reason, Throwable cause) {
        super(place + " " + reason, cause);
        this.place = place;
        this.reason = String.valueOf(reason);
    }

    public Place place() {
        return place;
    }

    /** The message without its place. */
    public String reason() {
        return reason;
    }
}
