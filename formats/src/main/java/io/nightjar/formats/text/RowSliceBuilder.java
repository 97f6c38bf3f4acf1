package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.MissingRowIdException;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds slices from the rows of files that are read sequentially.
 *
 * <p>Determines the types of the keys and values of a slice, and carries state across the rows of a history: the
 * positions that replace missing ids and sequence numbers.
 */
public final class RowSliceBuilder {

    /** Maximum length of the text of a bad row. */
    public static final int RAW_LENGTH = 1 << 14;

    /** Size of names and extras that ends a slice before its operations do. */
    private static final long TEXT_LIMIT = 1 << 25;

    private final Set<ColumnGroup> wanted;
    private final BadRowHandler badRows;
    private final boolean rowsAreLines;
    private final boolean allowsMixedTypes;
    private final Long2LongOpenHashMap rowsOfSession = new Long2LongOpenHashMap();
    private final JsonScalars json = new JsonScalars();
    private final Utf8 scalarText = new Utf8();

    private String file;
    private long row;
    private long rowsSeen;
    private SliceBuilder slice;
    private long extraLength;

    private final Scalars keys = new Scalars(true);
    private final Scalars values = new Scalars(false);

    /**
     * Creates a builder of slices whose keys and values may have several types, which a slice then contains as JSON
     * text.
     */
    public RowSliceBuilder(Set<ColumnGroup> wanted, BadRowHandler badRows, boolean rowsAreLines) {
        this(wanted, badRows, rowsAreLines, true);
    }

    /** @param allowsMixedTypes false if all keys, and all values, of all slices must have one type */
    RowSliceBuilder(Set<ColumnGroup> wanted, BadRowHandler badRows, boolean rowsAreLines, boolean allowsMixedTypes) {
        this.wanted = wanted;
        this.badRows = badRows;
        this.rowsAreLines = rowsAreLines;
        this.allowsMixedTypes = allowsMixedTypes;
    }

    // ---------------------------------------------------------------- rows

    /** Starts a file; the slice of the previous file must have been taken. */
    @SetsFields
    public void beginFile(String name) {
        file = name;
        row = 0;
        slice = newSlice();
        extraLength = 0;
    }

    /**
     * Starts a row that contains a transaction, valid or malformed. Its operations are added before its other columns.
     */
    public void beginRow(long number) {
        row = number;
        rowsSeen++;
    }

    /** Returns the position of this row in the history, counted from 1. */
    public long position() {
        if (badRows.requireExplicitIds()) {
            throw new MissingRowIdException(location(), "txn");
        }
        return rowsSeen;
    }

    /** Returns the position of the row in its session, counted from 0. */
    public long positionIn(long session) {
        if (badRows.requireExplicitIds()) {
            throw new MissingRowIdException(location(), "seq");
        }
        return rowsOfSession.get(session);
    }

    /**
     * Starts the transaction of the row, after its operations were added. Its other columns are set on the returned
     * builder.
     */
    public SliceBuilder beginTxn(long txn, long session, long seq) {
        rowsOfSession.addTo(session, 1);
        return slice.beginTxn(row, txn, session, seq);
    }

    public void endRow(@Nullable String extra) {
        slice.extra(extra);
        slice.endTxn();
        extraLength += extra == null ? 0 : extra.length();
        keys.settle();
        values.settle();
    }

    /** Rejects the row: discards its operations and reports it. */
    public void refuseRow(InputError fault, @Nullable String rawText) {
        slice.cancelTxn();
        if (keys.unsettle()) {
            slice.columns().keyType(ValueType.NONE, null);
        }
        if (values.unsettle()) {
            slice.columns().valueType(ValueType.NONE, null);
        }
        try {
            badRows.add(file, row, fault, rawText);
        } catch (MalformedHistoryException tooMany) {
            throw new MalformedHistoryException(location(), tooMany.fault(), tooMany);
        }
    }

    /** Rejects a line that is not a transaction: reports it and does not change the current row. */
    public void refuseLine(long line, InputError fault, String rawText) {
        refuseLine(file, line, fault, rawText);
    }

    /** Rejects a line of a file that differs from the file of the slices. */
    public void refuseLine(String of, long line, InputError fault, @Nullable String rawText) {
        try {
            badRows.add(of, line, fault, rawText);
        } catch (MalformedHistoryException tooMany) {
            throw malformed(of, line, tooMany.fault(), tooMany);
        }
    }

    /** Returns the error for a row that makes the whole history unreadable. */
    public MalformedHistoryException malformed(String of, long at, InputError fault, Throwable cause) {
        return new MalformedHistoryException(
                rowsAreLines ? InputLocation.line(of, at) : InputLocation.row(of, at), fault, cause);
    }

    /** Returns the error for the current row, which makes the whole history unreadable. */
    public MalformedHistoryException malformed(InputError fault, Throwable cause) {
        return new MalformedHistoryException(location(), fault, cause);
    }

    public boolean isFull() {
        if (slice.weight() >= SliceReader.SLICE_WEIGHT || slice.txnCount() >= SliceReader.SLICE_WEIGHT) {
            return true;
        }
        return extraLength + textBytes() > TEXT_LIMIT;
    }

    public boolean isEmpty() {
        return slice == null || slice.txnCount() == 0;
    }

    /** Returns the rows since the last slice. */
    public HistorySlice take() {
        HistorySlice full = slice.build(wanted);
        slice = newSlice();
        slice.expect(full.txnCount + full.txnCount / 32, full.opCount + full.opCount / 32);
        extraLength = 0;
        return full;
    }

    // ---------------------------------------------------------------- operations

    /** Returns the representation of a numeric key in the slice. */
    public long key(long number) {
        return keys.of(number);
    }

    public long key(byte[] utf8, int offset, int length) {
        return keys.of(utf8, offset, length);
    }

    /** Returns the representation of a numeric value in the slice. */
    public long value(long number) {
        return values.of(number);
    }

    public long value(byte[] utf8, int offset, int length) {
        return values.of(utf8, offset, length);
    }

    public Scalars keys() {
        return keys;
    }

    public Scalars values() {
        return values;
    }

    /** Returns whether any value was a string. */
    public boolean valuesAreStrings() {
        return values.sawStrings;
    }

    /** Returns the builder of operations, whose keys and values are first passed to {@link #key} and {@link #value}. */
    public SliceBuilder ops() {
        return slice;
    }

    /**
     * Returns a slice builder with the types of the history, as far as they are determined; without types if slices may
     * differ.
     */
    private SliceBuilder newSlice() {
        if (allowsMixedTypes) {
            keys.forget();
            values.forget();
        }
        SliceBuilder builder = new SliceBuilder(file);
        if (rowsAreLines) {
            builder.rowsAreLines();
        }
        builder.keysAre(keys.type, null);
        builder.valuesAre(values.type, null);
        return builder;
    }

    private long textBytes() {
        long bytes = keys.type == ValueType.STRING ? slice.keyNames().byteSize() : 0;
        return bytes + (values.type == ValueType.STRING ? slice.valueNames().byteSize() : 0);
    }

    private InputLocation location() {
        return locationOf(row);
    }

    /** Returns the location of a row of the file. */
    public InputLocation locationOf(long number) {
        return rowsAreLines ? InputLocation.line(file, number) : InputLocation.row(file, number);
    }

    /** All keys, or all values, of a slice or of the history: their type, and the row that determined it. */
    public final class Scalars {

        private final boolean areKeys;
        private ValueType type = ValueType.NONE; // STRING if represented as JSON text
        private boolean isJson;
        private boolean sawStrings;
        private @Nullable InputLocation decidedAt;
        private boolean isFromThisRow;

        private Scalars(boolean areKeys) {
            this.areKeys = areKeys;
        }

        private long of(long number) {
            return type == ValueType.LONG || becomes(ValueType.LONG) ? number : json.ofNumber(number, names());
        }

        private long of(byte[] utf8, int offset, int length) {
            return type == ValueType.STRING && !isJson || becomes(ValueType.STRING)
                    ? names().intern(utf8, offset, length)
                    : json.ofString(utf8, offset, length, names());
        }

        /** Returns the representation of a scalar that is neither an integer nor a string, given its JSON text. */
        public long ofJson(byte[] utf8, int offset, int length) {
            becomes(ValueType.NONE);
            return names().intern(utf8, offset, length);
        }

        /** Reads a JSON number at the cursor. */
        long number(JsonCursor cursor) throws IOException {
            long number = cursor.readInteger();
            return cursor.isFraction() ? text(cursor) : of(number);
        }

        /** Reads a JSON number or boolean at the cursor. */
        long plain(JsonCursor cursor) throws IOException {
            return cursor.isNumberNext() ? number(cursor) : text(cursor);
        }

        private long text(JsonCursor cursor) throws IOException {
            if (!cursor.isNumberNext() && !cursor.isTruthValueNext()) {
                throw cursor.unexpected("a number, true or false");
            }
            long start = cursor.offset();
            cursor.skipValue();
            scalarText.clear();
            cursor.copyCompact(start, scalarText);
            return ofJson(scalarText.bytes, 0, scalarText.length);
        }

        private StringPool names() {
            return areKeys ? slice.keyNames() : slice.valueNames();
        }

        /**
         * Returns whether the slice stores scalars of this type directly, and not as JSON text.
         *
         * @param wantedType NONE for a scalar that is neither an integer nor a string
         */
        private boolean becomes(ValueType wantedType) {
            sawStrings |= wantedType == ValueType.STRING;
            if (isJson || type == wantedType && type != ValueType.NONE) {
                return !isJson;
            }
            if (type == ValueType.NONE && wantedType != ValueType.NONE) {
                type = wantedType;
                decidedAt = location();
                isFromThisRow = true;
                return areKeys ? slice.keysAre(type, null) : slice.valuesAre(type, null);
            }
            if (!allowsMixedTypes) {
                throw new MalformedHistoryException(location(), disagreement(wantedType));
            }
            StringPool names = type == ValueType.STRING ? names() : null;
            isFromThisRow |= type == ValueType.NONE;
            type = ValueType.STRING;
            isJson = true;
            if (areKeys) {
                json.convertKeys(slice, names);
            } else {
                json.convertValues(slice, names);
            }
            return false;
        }

        private InputError disagreement(ValueType wantedType) {
            InputError fault = InputError.of((areKeys ? "keys" : "values") + " of two types in one history");
            return wantedType == ValueType.NONE
                    ? fault.with("type=number or truth value").advise("write all of them as strings or all as integers")
                    : fault.with("type=%s but type=%s in %s", wantedType.typeName(), type.typeName(), decidedAt)
                            .advise("write all of them as strings or all as integers");
        }

        private void settle() {
            isFromThisRow = false;
        }

        /** Withdraws the type that a rejected row has determined; returns false if it has determined none. */
        private boolean unsettle() {
            if (!isFromThisRow) {
                return false;
            }
            forget();
            return true;
        }

        private void forget() {
            type = ValueType.NONE;
            isJson = false;
            isFromThisRow = false;
        }
    }
}
