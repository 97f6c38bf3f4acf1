package io.nightjar.formats.history;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history somewhere outside, in any format, that can be read again and again.
 *
 * <p>Station 1. A source is cut into splits that can be read independently and in parallel; the rows of all splits in
 * order are the rows of the history in order. A Parquet row group is a split; a text file usually is one as a whole.
 */
public interface HistorySource extends AutoCloseable {

    /** The address as the user gave it. */
    String uri();

    /** The format's name, as {@code --from} spells it. */
    String format();

    /** Returns the splits, at least one, in the order of the rows. */
    List<Split> splits();

    /**
     * Opens one split.
     *
     * @param split ordinal in {@link #splits}
     * @param wanted the columns needed; others may be left out
     * @param badRows called for each row that cannot be understood; it throws when that is one too many
     */
    SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException;

    /** Whether the layout has columns of predicate reads; false if it has not, or only reading can tell. */
    default boolean hasPredicateColumns() {
        return false;
    }

    /** The value that means the initial state in this format as null does, as text; null if there is none. */
    default @Nullable String impliedInitialValue() {
        return null;
    }

    /**
     * Fails if a file of the history is another one than when it was opened: larger, newer, gone, or replaced.
     *
     * @throws io.nightjar.formats.file.ChangedInputException if one is
     */
    default void checkUnchanged() throws IOException {}

    /** What the first reading of a split to its end came to; null before, and for sources that do not sum up. */
    default @Nullable Reading reading(int split) {
        return null;
    }

    /**
     * Makes readings of a split fail that differ from one that was made elsewhere.
     *
     * @throws io.nightjar.formats.file.ChangedInputException if one that was made here does
     */
    default void expect(int split, Reading reading) throws IOException {}

    /** What the last reading that came to its end found odd and no slice can say. */
    default List<SourceRemark> remarks() {
        return List.of();
    }

    @Override
    void close() throws IOException;

    /**
     * A part of the source.
     *
     * @param file as messages name it
     * @param txnCount rows, or -1 if only reading can tell
     * @param opCount operations, or -1 if only reading can tell
     * @param byteCount bytes of storage
     */
    record Split(String file, long txnCount, long opCount, long byteCount) {}
}
