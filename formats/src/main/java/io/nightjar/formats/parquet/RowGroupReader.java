package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.RangeReads;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one row group as slices, column by column, a number of whole rows at a time. */
final class RowGroupReader implements SliceReader {

    private static final int MAX_TXNS = 1 << 16;
    private static final int FLAT_BATCH = 1 << 13;
    private static final String[] STATUS_WORDS = {"committed", "aborted", "unknown"};

    private final String file;
    private final FileChannel channel;
    private final FileFooter footer;
    private final int rowGroup;
    private final ReadPlan plan;
    private final BadRowHandler badRows;
    private final PageDecompressor codec = new PageDecompressor();
    private final BadRowMarks marks = new BadRowMarks();
    private final CodeMap statusWords = new CodeMap(STATUS_WORDS);
    private final List<LeafReader> opened = new ArrayList<>();

    private final LeafReader txnIds;
    private final LeafReader sessionIds;
    private final LeafReader sessionSeqs;
    private final @Nullable LeafReader statuses;
    private final LeafReader[] numbers = new LeafReader[HistoryColumn.COUNT]; // null if missing or not requested
    private final @Nullable OpsReader ops;
    private final @Nullable ExtraReader extras;

    private final long rowCount;
    private long rowsRead;
    private long entriesLeft;
    private boolean[] isNull = new boolean[0];
    private long[] codes = new long[0];

    RowGroupReader(
            String file,
            FileChannel channel,
            FileFooter footer,
            HistoryLeaves leaves,
            int rowGroup,
            ReadPlan plan,
            BadRowHandler badRows) {
        this.file = file;
        this.channel = channel;
        this.footer = footer;
        this.rowGroup = rowGroup;
        this.plan = plan;
        this.badRows = badRows;
        this.rowCount = footer.rowGroups().get(rowGroup).rowCount();
        this.entriesLeft = footer.rowGroups()
                .get(rowGroup)
                .chunks()
                .get(requireNonNull(leaves.leaf(HistoryColumn.KIND)).leaf)
                .entryCount();
        this.txnIds = open(requireNonNull(leaves.leaf(HistoryColumn.TXN_ID)), null);
        this.sessionIds = open(requireNonNull(leaves.leaf(HistoryColumn.SESSION_ID)), null);
        this.sessionSeqs = open(requireNonNull(leaves.leaf(HistoryColumn.SESSION_SEQ)), null);
        SchemaNode status = leaves.leaf(HistoryColumn.STATUS);
        this.statuses = status == null ? null : open(status, statusWords);
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            SchemaNode leaf = leaves.leaf(column);
            numbers[column.ordinal()] = plan.has(column) && leaf != null ? open(leaf, null) : null;
        }
        this.ops = plan.ops() ? new OpsReader(file, leaves, plan, this::open) : null;
        this.extras = plan.extra() ? new ExtraReader(leaves, this::open) : null;
        if (channel instanceof RangeReads ranges) {
            ranges.plan(opened.stream().map(this::range).toList());
        }
    }

    private RangeReads.Range range(LeafReader leaf) {
        ChunkInfo chunk = footer.rowGroups().get(rowGroup).chunks().get(leaf.leaf.leaf);
        long length = Math.min(chunk.compressedSize(), footer.dataEnd() - chunk.start());
        return new RangeReads.Range(chunk.start(), Math.max(0, length));
    }

    private LeafReader open(SchemaNode leaf, @Nullable StringEncoder map) {
        LeafReader reader = new LeafReader(file, rowGroup, leaf, channel, footer, codec, map);
        opened.add(reader);
        return reader;
    }

    // ---------------------------------------------------------------- slices

    @Override
    public @Nullable HistorySlice next() throws IOException {
        while (rowsRead < rowCount) {
            SliceBatchAssembler slice = nextSlice();
            if (slice.txnCount > 0) {
                return ops == null ? slice.build(ValueType.NONE, null, ValueType.NONE, null, null) : ops.build(slice);
            }
        }
        for (LeafReader leaf : opened) {
            if (leaf.take(1) > 0) {
                throw leaf.corrupt("column has more values than rows");
            }
        }
        return null;
    }

    private SliceBatchAssembler nextSlice() throws IOException {
        int txns = (int) Math.min(MAX_TXNS, rowCount - rowsRead);
        int entries = (int) Math.min(SLICE_WEIGHT + 2L * FLAT_BATCH, Math.max(entriesLeft, 1));
        SliceBatchAssembler slice = new SliceBatchAssembler(file, firstRow() + rowsRead, plan, txns, entries);
        if (ops != null) {
            ops.beginSlice();
        }
        while (rowsRead < rowCount && slice.weight() < SLICE_WEIGHT && slice.txnCount < MAX_TXNS) {
            readBatch(slice);
        }
        entriesLeft -= slice.opCount;
        return slice;
    }

    private long firstRow() {
        return footer.rowGroups().get(rowGroup).firstRow();
    }

    private void readBatch(SliceBatchAssembler slice) throws IOException {
        int rows = ops == null ? (int) Math.min(FLAT_BATCH, rowCount - rowsRead) : ops.nextRows();
        if (rows == 0 || rows > rowCount - rowsRead) {
            throw opened.get(0).corrupt("columns disagree on the number of rows: rows=" + rowCount);
        }
        int first = slice.txnCount;
        int firstOp = slice.opCount;
        long firstRowOfBatch = firstRow() + rowsRead;
        slice.ensureTxns(first + rows);
        slice.recordRows(first, firstRowOfBatch, rows);
        marks.begin(rows);
        if (isNull.length < rows) {
            isNull = new boolean[Math.max(rows, (int) Math.min(FLAT_BATCH, rowCount))];
            codes = new long[isNull.length];
        }
        required(txnIds, slice.txnId, first, rows);
        required(sessionIds, slice.sessionId, first, rows);
        required(sessionSeqs, slice.sessionSeq, first, rows);
        status(slice.status, first, rows);
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            optional(numbers[column.ordinal()], slice.numbers[column.ordinal()], first, rows);
        }
        if (extras != null) {
            extras.read(slice, first, rows);
        }
        if (ops != null) {
            ops.read(slice, marks);
        }
        slice.txnCount += rows;
        rowsRead += rows;
        if (marks.any()) {
            for (int row = 0; row < rows; row++) {
                if (marks.fault(row) != null) {
                    String text = RowText.of(slice, first + row, ops, firstOp);
                    badRows.add(file, firstRowOfBatch + row, marks.fault(row), text);
                }
            }
            slice.drop(marks, first);
        }
    }

    // ---------------------------------------------------------------- columns of transactions

    private void required(LeafReader leaf, long[] into, int first, int rows) throws IOException {
        leaf.fill(into, first, isNull, rows, 0, HistorySlice.NONE);
        if (leaf.sawNull()) {
            for (int row = 0; row < rows; row++) {
                if (isNull[row]) {
                    marks.add(
                            row,
                            InputError.of(leaf.leaf.name + " is null")
                                    .with("expected=int64")
                                    .advise("give each transaction one"));
                }
            }
        }
        if (leaf.isUnsignedInt64()) {
            checkRange(leaf, into, first, rows);
        }
    }

    private void optional(LeafReader leaf, long[] into, int first, int rows) throws IOException {
        if (into == null) {
            return;
        }
        if (leaf == null) {
            Arrays.fill(into, first, first + rows, HistorySlice.NONE);
            return;
        }
        leaf.fill(into, first, isNull, rows, 0, HistorySlice.NONE);
        checkRange(leaf, into, first, rows);
    }

    private void checkRange(LeafReader leaf, long[] column, int first, int rows) {
        boolean isUnsigned = leaf.isUnsignedInt64();
        for (int row = 0; row < rows; row++) {
            long number = column[first + row];
            boolean isBad = number < 0 && (isUnsigned || number == HistorySlice.NONE);
            if (isBad && !(leaf.sawNull() && isNull[row])) {
                marks.add(row, NumberRange.fault(leaf, number));
            }
        }
    }

    /** Reads the status words; their codes are the constants of {@link TxnStatus}. */
    private void status(byte[] into, int first, int rows) throws IOException {
        if (statuses == null) {
            Arrays.fill(into, first, first + rows, TxnStatus.COMMITTED);
            return;
        }
        statuses.fill(codes, 0, isNull, rows, 0, CodeMap.NULL);
        for (int row = 0; row < rows; row++) {
            long code = codes[row];
            into[first + row] = (byte) Math.max(-1, code);
            if (code == CodeMap.NULL) {
                marks.add(
                        row,
                        InputError.of("status is null")
                                .with("expected=committed|aborted|unknown")
                                .advise("give each transaction one"));
            } else if (code < 0) {
                marks.add(
                        row,
                        InputError.of("unknown status")
                                .with("status=" + statusWords.word(code) + " expected=committed|aborted|unknown")
                                .advise("rename the status"));
            }
        }
    }

    @Override
    public void close() throws IOException {
        codec.close();
        channel.close();
    }
}
