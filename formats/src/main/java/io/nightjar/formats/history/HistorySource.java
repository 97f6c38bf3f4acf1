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

    /** Lets each slice have types of its own, for a reader that needs no common ones. */
    default void allowMixedTypes() {}

    /**
     * Holds keys or values as JSON text from the next reading on, if the kind of a fault is that they are of several types.
     *
     * @return whether they were held as they are so far, and what was read must be read again
     */
    default boolean holdAsJson(String faultKind) {
        return false;
    }

    /**
     * Returns the value that means the initial state as null does, spelled as values are.
     *
     * @param given as a person typed it; null to go by the format
     */
    default @Nullable String initialValue(@Nullable String given) {
        return given != null ? given : impliedInitialValue();
    }

    /** A part of a program that reads a source as often as it needs to. */
    @FunctionalInterface
    interface Reader<T> {
        T read() throws IOException;
    }

    /** Runs a reader, and again from its beginning where keys or values turn out to be of several types. */
    default <T> T read(Reader<T> reader) throws IOException {
        while (true) {
            try {
                return reader.read();
            } catch (MalformedHistoryException rejected) {
                if (!holdAsJson(rejected.fault().kind())) {
                    throw rejected;
                }
            }
        }
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
