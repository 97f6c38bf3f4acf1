package io.nightjar.jobs.mock;

/** What a client is told instead of an answer, with the code that SQL has for it. */
public final class MockException extends RuntimeException {

    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String UNIQUE_VIOLATION = "23505";
    public static final String NOT_SUPPORTED = "0A000";
    public static final String WRONG_VALUE = "22023";
    public static final String NOT_NOW = "55000";
    public static final String NO_SAVEPOINT = "3B001";

    private final String sqlState;

    public MockException(String sqlState, String message) {
        super(message);
        this.sqlState = sqlState;
    }

    public String sqlState() {
        return sqlState;
    }

    /** Whether the transaction is over: the store has aborted it. */
    public boolean endsTransaction() {
        return sqlState.equals(SERIALIZATION_FAILURE);
    }
}
