package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.UnnumberedRowException;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the rows of files that are read row by row, one after another, and makes slices of them.
 *
 * <p>Knows what spans the rows of a history: the one type of its keys and of its values, and the positions that stand in
 * for ids and sequence numbers that are not given.
 */
@SuppressWarnings("NullAway.Init") // fields are set by a method
public final class RowSink {

    /** How much of a bad row is kept to be shown. */
    public static final int RAW_LENGTH = 1 << 14;

    /** Bytes of names and extras that end a slice before its operations do. */
    private static final long TEXT_LIMIT = 1 << 25;

    private final Set<Column> wanted;
    private final BadRows badRows;
    private final boolean rowsAreLines;
    private final Long2LongOpenHashMap rowsOfSession = new Long2LongOpenHashMap();

    private String file;
    private long row;
    private long rowsSeen;
    private SliceBuilder slice;
    private long extraLength;

    private final OneType keys = new OneType("keys");
    private final OneType values = new OneType("values");

    public RowSink(Set<Column> wanted, BadRows badRows, boolean rowsAreLines) {
        this.wanted = wanted;
        this.badRows = badRows;
        this.rowsAreLines = rowsAreLines;
    }

    // ---------------------------------------------------------------- rows

    /** Rows come from this file from here on; the slice of the file before must have been taken. */
    public void beginFile(String name) {
        file = name;
        row = 0;
        slice = newSlice();
        extraLength = 0;
    }

    /** A row that holds a transaction, good or bad. Its operations are added before its other columns. */
    public void beginRow(long number) {
        row = number;
        rowsSeen++;
    }

    /** The position of this row in the history, counted from 1. */
    public long position() {
        if (badRows.wantNumbers()) {
            throw new UnnumberedRowException(place(), "txn");
        }
        return rowsSeen;
    }

    /** The position that the row has among those of its session, counted from 0. */
    public long positionIn(long session) {
        if (badRows.wantNumbers()) {
            throw new UnnumberedRowException(place(), "seq");
        }
        return rowsOfSession.get(session);
    }

    /** The operations of the row have been added; here are its ids. Its other columns are set on what is returned. */
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

    /** The row is not a transaction after all: forgets what it added and hands it on. */
    public void refuseRow(InputFault fault, @Nullable String rawText) {
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
            throw new MalformedHistoryException(place(), tooMany.fault(), tooMany);
        }
    }

    /**
     * A line that belongs to no transaction by itself cannot be understood: hands it on, and leaves the row that was begun
     * as it is.
     */
    public void refuseLine(long line, InputFault fault, String rawText) {
        refuseLine(file, line, fault, rawText);
    }

    /** Refuses a line of another file than the one that slices are said to come from. */
    public void refuseLine(String of, long line, InputFault fault, @Nullable String rawText) {
        try {
            badRows.add(of, line, fault, rawText);
        } catch (MalformedHistoryException tooMany) {
            throw malformed(of, line, tooMany.fault(), tooMany);
        }
    }

    /** A row makes the whole history unreadable. */
    public MalformedHistoryException malformed(String of, long at, InputFault fault, Throwable cause) {
        return new MalformedHistoryException(rowsAreLines ? Place.line(of, at) : Place.row(of, at), fault, cause);
    }

    /** The row makes the whole history unreadable. */
    public MalformedHistoryException malformed(InputFault fault, Throwable cause) {
        return new MalformedHistoryException(place(), fault, cause);
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

    /** The rows since the last slice. */
    public HistorySlice take() {
        HistorySlice full = slice.build(wanted);
        slice = newSlice();
        extraLength = 0;
        return full;
    }

    // ---------------------------------------------------------------- operations

    /** A key that is a number, as the slice stores it. */
    public long key(long number) {
        if (keys.type != ValueType.LONG) {
            keys.become(ValueType.LONG);
            slice.keysAreLongs();
        }
        return number;
    }

    public long key(byte[] utf8, int offset, int length) {
        if (keys.type != ValueType.STRING) {
            keys.become(ValueType.STRING);
            slice.keysAreStrings();
        }
        return slice.keyNames().intern(utf8, offset, length);
    }

    /** A value that is a number, as the slice stores it. */
    public long value(long number) {
        if (values.type != ValueType.LONG) {
            values.become(ValueType.LONG);
            slice.valuesAreLongs();
        }
        return number;
    }

    public long value(byte[] utf8, int offset, int length) {
        if (values.type != ValueType.STRING) {
            values.become(ValueType.STRING);
            slice.valuesAreStrings();
        }
        return slice.valueNames().intern(utf8, offset, length);
    }

    /** Whether values are known to be strings. */
    public boolean valuesAreStrings() {
        return values.type == ValueType.STRING;
    }

    /** Where operations go, once their keys and values have been given to {@link #key} and {@link #value}. */
    public SliceBuilder ops() {
        return slice;
    }

    /** A slice that has the types of the history, as far as they are decided. */
    private SliceBuilder newSlice() {
        SliceBuilder builder = new SliceBuilder(file);
        if (rowsAreLines) {
            builder.rowsAreLines();
        }
        if (keys.type == ValueType.LONG) {
            builder.keysAreLongs();
        } else if (keys.type == ValueType.STRING) {
            builder.keysAreStrings();
        }
        if (values.type == ValueType.LONG) {
            builder.valuesAreLongs();
        } else if (values.type == ValueType.STRING) {
            builder.valuesAreStrings();
        }
        return builder;
    }

    private long textBytes() {
        long bytes = keys.type == ValueType.STRING ? slice.keyNames().byteSize() : 0;
        return bytes + (values.type == ValueType.STRING ? slice.valueNames().byteSize() : 0);
    }

    private Place place() {
        return placeOf(row);
    }

    /** A row of the file, as messages name it. */
    public Place placeOf(long number) {
        return rowsAreLines ? Place.line(file, number) : Place.row(file, number);
    }

    /** The type that all keys, or all values, of the history have, and the row that decided it. */
    private final class OneType {

        private final String what;
        private ValueType type = ValueType.NONE;
        private @Nullable Place decidedAt;
        private boolean isFromThisRow;

        OneType(String what) {
            this.what = what;
        }

        void become(ValueType wantedType) {
            if (type == ValueType.NONE) {
                type = wantedType;
                decidedAt = place();
                isFromThisRow = true;
            } else if (type != wantedType) {
                throw new MalformedHistoryException(
                        place(),
                        InputFault.of(what + " of two types in one history")
                                .with("type=%s but type=%s in %s", wantedType.typeName(), type.typeName(), decidedAt)
                                .advise("write all of them as strings or all as integers"));
            }
        }

        void settle() {
            isFromThisRow = false;
        }

        /** Forgets what a row that is refused has decided; false if it has decided nothing. */
        boolean unsettle() {
            if (!isFromThisRow) {
                return false;
            }
            type = ValueType.NONE;
            isFromThisRow = false;
            return true;
        }
    }
}
