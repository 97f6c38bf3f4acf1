package io.nightjar.jobs.mock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Error returned to a client, with its SQLSTATE code. */
public final class MockException extends RuntimeException {

    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String UNIQUE_VIOLATION = "23505";
    public static final String NOT_SUPPORTED = "0A000";
    public static final String WRONG_VALUE = "22023";
    public static final String NOT_NOW = "55000";
    public static final String NO_SAVEPOINT = "3B001";

    /**
     * Details of a violated constraint; each is null if unknown.
     *
     * @param detail the violating values
     * @param isOfParent whether a row cannot be deleted because others refer to it
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

    /** Returns the error for a feature that is not supported. */
    public static MockException unsupported(String feature) {
        return notSupported(feature + " is not supported by this server");
    }

    /** Returns the error for a feature that is not supported, with its whole message. */
    public static MockException notSupported(String message) {
        return new MockException(NOT_SUPPORTED, message);
    }

    public static MockException syntaxError(String message) {
        return new MockException("42601", message);
    }

    /** Returns the violated constraint, null if the error concerns none. */
    public @Nullable Violation violation() {
        return violation;
    }

    /** Returns the message, which is never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    public String sqlState() {
        return sqlState;
    }

    /** Returns whether the store has aborted the transaction. */
    public boolean endsTransaction() {
        return sqlState.equals(SERIALIZATION_FAILURE);
    }
}
