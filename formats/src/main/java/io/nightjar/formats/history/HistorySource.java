package io.nightjar.formats.history;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history in an external format that can be read repeatedly.
 *
 * <p>Part of stage 1. A source consists of splits that can be read independently and in parallel; the rows of all
 * splits in order are the rows of the history in order. A Parquet row group is a split; a text file is usually a single
 * split.
 */
public interface HistorySource extends AutoCloseable {

    /** Returns the address as the user gave it. */
    String uri();

    /** Returns the format's name, as {@code --from} spells it. */
    String format();

    /** Returns the splits, at least one, in the order of the rows. */
    List<Split> splits();

    /**
     * Opens one split.
     *
     * @param split ordinal in {@link #splits}
     * @param wanted the columns required; others may be omitted
     * @param badRows called for each malformed row; throws if the row exceeds the number of bad rows allowed
     */
    SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException;

    /** Reads all columns of all splits, one split after the other. */
    default void forEachSlice(BadRowHandler badRows, SliceConsumer consumer) throws IOException {
        for (int split = 0; split < splits().size(); split++) {
            try (SliceReader reader = open(split, ColumnGroup.all(), badRows)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    consumer.accept(slice);
                }
            }
        }
    }

    /**
     * Returns whether the layout has columns of predicate reads that are not always null; false if it has none, or if
     * this is unknown before reading.
     */
    default boolean hasPredicateColumns() {
        return false;
    }

    /**
     * Returns the value that, like null, means the initial state in this format, as text; null if the format has none.
     */
    default @Nullable String impliedInitialValue() {
        return null;
    }

    /**
     * Fails if a file of the history has changed since it was opened: larger, newer, deleted, or replaced.
     *
     * @throws io.nightjar.formats.file.ChangedInputException if a file has changed
     */
    default void checkUnchanged() throws IOException {}

    /** Returns the requests made for this history so far; null if its files are on this machine. */
    default @Nullable Traffic traffic() {
        return null;
    }

    /** Returns the digest of the first complete reading of a split; null before, and for sources that compute none. */
    default @Nullable SplitDigest reading(int split) {
        return null;
    }

    /**
     * Makes readings of a split fail that differ from a reading made by another process.
     *
     * @throws io.nightjar.formats.file.ChangedInputException if a reading already made here differs
     */
    default void expect(int split, SplitDigest reading) throws IOException {}

    /** Returns diagnostics of the last complete reading that slices cannot contain. */
    default List<SourceDiagnostic> remarks() {
        return List.of();
    }

    /** Allows slices to differ in types, for a reader that does not require common types. */
    default void allowMixedTypes() {}

    /**
     * Represents keys or values as JSON text from the next reading on, if the kind of the error is that their types
     * differ.
     *
     * @return whether the representation changed, so that the source must be read again
     */
    default boolean holdAsJson(String faultKind) {
        return false;
    }

    /**
     * Returns the value that, like null, means the initial state, in the spelling of values.
     *
     * @param given as the user typed it; null to use the default of the format
     */
    default @Nullable String initialValue(@Nullable String given) {
        return given != null ? given : impliedInitialValue();
    }

    /** A function that reads a source any number of times. */
    @FunctionalInterface
    interface Reader<T> {
        T read() throws IOException;
    }

    /** Runs a reader, and runs it again from its beginning if keys or values have several types. */
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
     * @param txnCount rows, or -1 if unknown before reading
     * @param opCount operations, or -1 if unknown before reading
     * @param byteCount bytes of storage
     */
    record Split(String file, long txnCount, long opCount, long byteCount) {}
}
