package io.nightjar.formats.history;

/**
 * Thrown if a row has no id or no position in its session, and rows are read by several threads, so that they cannot be
 * counted.
 */
public final class MissingRowIdException extends MalformedHistoryException {

    private static final long serialVersionUID = 1L;

    /** @param field the missing field */
    public MissingRowIdException(InputLocation location, String field) {
        super(
                location,
                InputError.of(field + " missing")
                        .with("rows can be counted only where one file or standard input is all that is watched,"
                                + " without a checkpoint")
                        .advise("give each transaction its txn, and its seq in its session"));
    }

    /** Returns the row, counted from 1. */
    public long row() {
        return location().row();
    }
}
