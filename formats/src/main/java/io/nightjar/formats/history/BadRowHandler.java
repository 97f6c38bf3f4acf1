package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/**
 * Receives each row that is not a transaction: ill-typed, incomplete, or not to be parsed.
 *
 * <p>Called from several threads when splits are read in parallel.
 */
@FunctionalInterface
public interface BadRowHandler {

    /** No bad row is acceptable: the first one rejects the history. */
    BadRowHandler REJECT = (file, row, fault, rawText) -> {
        throw new MalformedHistoryException(InputLocation.row(file, row), fault);
    };

    /** Bad rows were dealt with in an earlier pass over the same source. */
    BadRowHandler PASS_OVER = (file, row, fault, rawText) -> {};

    /**
     * @param row counted from 1
     * @param rawText the row as it stands in the file, or as much of it as helps; may be null
     * @throws MalformedHistoryException if that is one bad row too many
     */
    void add(String file, long row, InputError fault, @Nullable String rawText);

    /** Whether a row without an id or a position in its session ends all with an {@link MissingRowIdException}. */
    default boolean requireExplicitIds() {
        return false;
    }
}
