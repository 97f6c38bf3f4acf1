package io.nightjar.formats.arrow;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.CommonTypes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Reads one record batch, some thousand rows at a time. */
final class ArrowSliceReader implements SliceReader {

    private static final int WINDOW_ROWS = 1 << 12;

    private final ArrowHistorySource.BatchSplit split;
    private final String file;
    private final Set<ColumnGroup> wanted;
    private final BadRowHandler badRows;
    private final FileChannel channel;

    private ArrowColumn txnId;
    private ArrowColumn sessionId;
    private ArrowColumn sessionSeq;
    private ArrowColumn status;
    private final ArrowColumn[] numbers = new ArrowColumn[HistoryColumn.COUNT]; // nullable numbers
    private ArrowColumn extra;
    private ArrowExtras others;
    private ArrowOps ops;

    private final Map<Long, List<ArrowColumn>> dictionaries = new HashMap<>();
    private long nextRow; // next row of the batch
    private SliceBuilder slice;

    private ArrowSliceReader(ArrowHistorySource.BatchSplit split, Set<ColumnGroup> wanted, BadRowHandler badRows)
            throws IOException {
        this.split = split;
        this.file = split.file().toString();
        this.wanted = wanted;
        this.badRows = badRows;
        this.channel = FileChannel.open(split.file());
    }

    static ArrowSliceReader open(ArrowHistorySource.BatchSplit split, Set<ColumnGroup> wanted, BadRowHandler badRows)
            throws IOException {
        ArrowSliceReader reader = new ArrowSliceReader(split, wanted, badRows);
        try {
            reader.openColumns();
            return reader;
        } catch (RuntimeException e) {
            reader.close();
            throw reader.malformed(ArrowIndex.damaged(e));
        } catch (IOException e) {
            reader.close();
            throw e;
        }
    }

    @Override
    @SetsFields
    public @Nullable HistorySlice next() throws IOException {
        slice = newSlice();
        try {
            while (nextRow < split.batch().rowCount() && !isFull()) {
                readWindow();
            }
        } catch (CorruptArrowException damaged) {
            throw malformed(damaged);
        }
        return slice.txnCount() == 0
                ? null
                : CommonTypes.ofJsonTexts(slice.build(wanted), split.index().areKeysJson, split.index().areValuesJson);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private boolean isFull() {
        return slice.weight() >= SLICE_WEIGHT || slice.txnCount() >= SLICE_WEIGHT;
    }

    private SliceBuilder newSlice() {
        SliceBuilder builder = new SliceBuilder(file);
        builder.keysAre(split.columns().keyType, null);
        builder.valuesAre(split.columns().valueType, null);
        return builder;
    }

    private MalformedHistoryException malformed(CorruptArrowException damaged) {
        return new MalformedHistoryException(
                InputLocation.row(file, split.firstRow() + nextRow), damaged.fault(), damaged);
    }

    // ---------------------------------------------------------------- columns

    @SetsFields
    private void openColumns() throws IOException {
        ArrowColumns columns = split.columns();
        Message message = ArrowIndex.message(channel, split.batch().piece());
        RecordBatch metadata = (RecordBatch) message.header(new RecordBatch());
        ArrowBatch batch = new ArrowBatch(channel, split.batch().piece(), metadata, split.index().columns);
        txnId = column(batch, HistoryColumn.TXN_ID);
        sessionId = column(batch, HistoryColumn.SESSION_ID);
        sessionSeq = column(batch, HistoryColumn.SESSION_SEQ);
        status = column(batch, HistoryColumn.STATUS);
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            numbers[column.ordinal()] = column(batch, column);
        }
        extra = column(batch, HistoryColumn.EXTRA);
        others = new ArrowExtras();
        for (Field other : wanted.contains(ColumnGroup.EXTRA) ? columns.others : List.<Field>of()) {
            others.add(other, column(batch, other));
        }
        ops = new ArrowOps(batch, columns, wanted.contains(ColumnGroup.PREDICATES), column -> column(batch, column));
    }

    /** Returns a column; a column of nulls if it is missing or not requested. */
    private ArrowColumn column(ArrowBatch batch, HistoryColumn column) throws IOException {
        boolean isWanted =
                column.group() == null || column.group() == ColumnGroup.OPERATIONS || wanted.contains(column.group());
        if (column == HistoryColumn.ELEMENTS) {
            return column(batch, split.columns().element);
        }
        return column(batch, isWanted ? split.columns().field(column) : null);
    }

    private ArrowColumn column(ArrowBatch batch, @Nullable Field field) throws IOException {
        if (field == null) {
            return new ArrowColumn();
        }
        return new ArrowColumn(batch, field, field.getDictionary() == null ? List.of() : dictionary(field));
    }

    private List<ArrowColumn> dictionary(Field field) throws IOException {
        List<ArrowColumn> known = dictionaries.get(field.getDictionary().getId());
        if (known != null) {
            return known;
        }
        List<ArrowIndex.Piece> pieces =
                split.batch().dictionaries().get(field.getDictionary().getId());
        if (pieces == null) {
            throw new CorruptArrowException(InputError.of("dictionary missing")
                    .with(
                            "column=%s id=%d",
                            field.getName(), field.getDictionary().getId()));
        }
        List<ArrowColumn> batches = new ArrayList<>();
        Field values = new Field(field.getName(), FieldType.nullable(field.getType()), List.of());
        for (ArrowIndex.Piece piece : pieces) {
            DictionaryBatch batch =
                    (DictionaryBatch) ArrowIndex.message(channel, piece).header(new DictionaryBatch());
            ArrowBatch entries = new ArrowBatch(channel, piece, batch.data(), List.of(values));
            ArrowColumn column = new ArrowColumn(entries, values, List.of());
            column.loadWhole();
            batches.add(column);
        }
        dictionaries.put(field.getDictionary().getId(), batches);
        return batches;
    }

    // ---------------------------------------------------------------- rows

    /** Reads as many of the next rows as their operations permit in one slice, at least one. */
    private void readWindow() throws IOException {
        int count = (int) Math.min(WINDOW_ROWS, split.batch().rowCount() - nextRow);
        int rows = ops.load(nextRow, count, SLICE_WEIGHT);
        txnId.load(nextRow, rows);
        sessionId.load(nextRow, rows);
        sessionSeq.load(nextRow, rows);
        status.load(nextRow, rows);
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            numbers[column.ordinal()].load(nextRow, rows);
        }
        extra.load(nextRow, rows);
        others.load(nextRow, rows);
        for (int row = 0; row < rows; row++) {
            readRow(row);
        }
        nextRow += rows;
    }

    private void readRow(int row) throws IOException {
        long rowOfFile = split.firstRow() + nextRow + row;
        try {
            byte code = status(row);
            ops.addTo(slice, row, code);
            slice.beginTxn(
                    rowOfFile,
                    id(txnId, row, HistoryColumn.TXN_ID.columnName()),
                    id(sessionId, row, HistoryColumn.SESSION_ID.columnName()),
                    id(sessionSeq, row, HistoryColumn.SESSION_SEQ.columnName()));
            slice.status(code);
            for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
                ArrowColumn number = numbers[column.ordinal()];
                if (!number.isNull(row)) {
                    slice.txnNumber(column, given(number, row, column.columnName()));
                }
            }
            slice.extra(others.with(extra.isNull(row) ? null : extra.string(row), row));
            slice.endTxn();
        } catch (BadRowException bad) {
            slice.cancelTxn();
            badRows.add(file, rowOfFile, bad.fault(), null);
        }
    }

    private byte status(int row) {
        if (status.isNull(row)) {
            return TxnStatus.COMMITTED;
        }
        String word = status.string(row);
        int code = TxnStatus.code(word);
        if (code < 0) {
            throw BadRowException.of("unknown status").with("status=%s expected=committed|aborted|unknown", word);
        }
        return (byte) code;
    }

    private static long id(ArrowColumn column, int row, String name) {
        if (column.isNull(row)) {
            throw BadRowException.of("null where none may be").with("column=" + name);
        }
        return number(column, row, name);
    }

    /** Returns a number that must be present and must not be the marker of a missing number. */
    static long given(ArrowColumn column, int row, String name) {
        long number = number(column, row, name);
        if (number == HistorySlice.NONE) {
            throw BadRowException.of("number is reserved")
                    .with("%s=%d", name, number)
                    .advise("it means a missing value");
        }
        return number;
    }

    static long number(ArrowColumn column, int row, String name) {
        if (column.isTooLarge(row)) {
            throw BadRowException.of("number does not fit int64")
                    .with("column=%s value=%s", name, Long.toUnsignedString(column.number(row)));
        }
        return column.number(row);
    }
}
