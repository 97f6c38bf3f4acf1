package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/**
 * Receives each row that is not a transaction: ill-typed, incomplete, or not parseable.
 *
 * <p>Called from several threads when splits are read in parallel.
 */
@FunctionalInterface
public interface BadRowHandler {

    /** Rejects the history at the first bad row. */
    BadRowHandler REJECT = (file, row, fault, rawText) -> {
        throw new MalformedHistoryException(InputLocation.row(file, row), fault);
    };

    /** Skips bad rows that an earlier pass of the same source has already processed. */
    BadRowHandler PASS_OVER = (file, row, fault, rawText) -> {};

    /**
     * Processes a bad row.
     *
     * @param row counted from 1
     * @param rawText the text of the row in the file, or a helpful part of it; may be null
     * @throws MalformedHistoryException if the row exceeds the number of bad rows allowed
     */
    void add(String file, long row, InputError fault, @Nullable String rawText);

    /** Returns whether a row without an id or a position in its session causes a {@link MissingRowIdException}. */
    default boolean requireExplicitIds() {
        return false;
    }
}
