package io.nightjar.jobs.mock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a client is told instead of an answer, with the code that SQL has for it. */
public final class MockException extends RuntimeException {

    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String UNIQUE_VIOLATION = "23505";
    public static final String NOT_SUPPORTED = "0A000";
    public static final String WRONG_VALUE = "22023";
    public static final String NOT_NOW = "55000";
    public static final String NO_SAVEPOINT = "3B001";

    /**
     * What a statement has violated; each null if it is not known.
     *
     * @param detail which values did
     * @param isOfParent whether a row cannot go because others refer to it
     */
    public record Violation(
            @Nullable String constraint,
            @Nullable String table,
            @Nullable String column,
            @Nullable String detail,
            boolean isOfParent) {}

    private final String sqlState;
    private final @Nullable Violation violation;

    public MockException(String sqlState, String message) {
        this(sqlState, message, null);
    }

    public MockException(String sqlState, String message, @Nullable Violation violation) {
        super(message);
        this.sqlState = sqlState;
        this.violation = violation;
    }

    /** Returns the constraint that is violated; null if it is about no constraint. */
    public @Nullable Violation violation() {
        return violation;
    }

    /** Returns what the client is told: there is always something. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    public String sqlState() {
        return sqlState;
    }

    /** Whether the transaction is over: the store has aborted it. */
    public boolean endsTransaction() {
        return sqlState.equals(SERIALIZATION_FAILURE);
    }
}
