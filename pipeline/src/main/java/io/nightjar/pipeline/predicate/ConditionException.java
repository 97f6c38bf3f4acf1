package io.nightjar.pipeline.predicate;

/** A condition that cannot be understood, or cannot be evaluated on a row. */
public final class ConditionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConditionException(String message) {
        super(message, null, false, false); // made once a row in the worst case, so without a stack trace
    }
}
