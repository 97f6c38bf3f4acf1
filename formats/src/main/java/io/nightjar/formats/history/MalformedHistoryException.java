package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/**
 * The input is not a history: unreadable, truncated, ill-typed or contradictory. The message begins with the place.
 *
 * <p>Reasons follow one form: what is wrong, then {@code name=value} pairs, then after a semicolon what to do about it.
 */
public class MalformedHistoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String reason;

    /** @param message one that was made elsewhere, place included */
    public MalformedHistoryException(String message) {
        super(message);
        this.reason = message;
    }

    public MalformedHistoryException(String place, @Nullable String reason) {
        super(place + " " + reason);
        this.reason = reason;
    }

    public MalformedHistoryException(String place, @Nullable String reason, Throwable cause) {
        super(place + " " + reason, cause);
        this.reason = reason;
    }

    /** The message without its place. */
    public @Nullable String reason() {
        return reason;
    }
}
