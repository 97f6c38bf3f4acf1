package io.nightjar.formats.table;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assembles transactions from the rows of a table: directly if the rows of a transaction are contiguous, otherwise
 * after grouping.
 */
final class TableReader implements SliceReader {

    private static final int NONE = -1;

    private final List<RowFile> files;
    private final TableFacts facts;
    private final RowSliceBuilder sink;
    private final RowOrder order;
    private final TxnAccumulator txn = new TxnAccumulator();
    private final TableOps ops;
    private final boolean isExtraWanted;
    private final StringPool sessionNames = new StringPool();

    private boolean isOpen; // whether a transaction is being assembled
    private int sliceFile = NONE;
    private @Nullable HistorySlice full; // to be returned before any other slice
    private boolean isAtEnd;
    private long positioned;
    private long incomplete;
    private @Nullable String firstIncomplete;

    TableReader(TableSource source, TableFacts facts, Set<ColumnGroup> wanted, BadRowHandler badRows)
            throws IOException {
        this.files = source.rowFiles();
        this.facts = facts;
        this.sink = new RowSliceBuilder(wanted, badRows, files.get(0).rowsAreLines());
        this.isExtraWanted = wanted.contains(ColumnGroup.EXTRA);
        TxnNames names = new TxnNames(source.uri(), facts.areTxnsIntegers());
        this.ops = new TableOps(facts, txn, names::id);
        RowOrder rows = new FileRows(files, source.given(), names);
        this.order = facts.isGathered()
                ? rows
                : new GroupedRows(
                        source.uri(), rows, names, source.given(), isExtraWanted, source.bufferBytes(), this::refuse);
    }

    @Override
    public @Nullable HistorySlice next() throws IOException {
        while (full == null && !isAtEnd) {
            try {
                if (order.advance()) {
                    addRow();
                } else {
                    flush();
                    isAtEnd = true;
                    facts.endReading(positioned, incomplete, firstIncomplete);
                }
            } catch (BadRowException bad) {
                refuse(order, bad);
            }
        }
        HistorySlice next = full;
        full = null;
        return next == null && !sink.isEmpty() ? sink.take() : next;
    }

    private void refuse(RowOrder at, BadRowException bad) {
        TableRows rows = at.rows();
        String file = files.get(at.file()).path.toString();
        if (rows.isLost()) {
            throw sink.malformed(file, rows.row(), bad.fault(), bad);
        }
        sink.refuseLine(file, rows.row(), bad.fault(), rows.raw());
    }

    private void addRow() {
        boolean isNew = !isOpen || order.txn() != txn.id();
        if (isNew) {
            begin();
        }
        try {
            ops.add(order.columns());
        } catch (BadRowException bad) {
            isOpen &= !isNew;
            throw bad;
        }
    }

    private void begin() {
        flush();
        if (order.file() != sliceFile) {
            full = sink.isEmpty() ? full : sink.take();
            sliceFile = order.file();
            sink.beginFile(files.get(sliceFile).path.toString());
        }
        long id = order.txn();
        txn.begin(order.rows().row(), id, sessionOf(id));
        ops.begin();
        isOpen = true;
        if (isExtraWanted) {
            txn.extra(extra());
        }
    }

    /**
     * Returns the session of a transaction; without a column of sessions each has a separate session, so that no order
     * is invented.
     */
    private long sessionOf(long id) {
        if (!facts.hasSessions()) {
            return id;
        }
        Cell cell = order.columns().cell(ColumnRole.SESSION);
        if (cell.isNull()) {
            throw BadRowException.of("session is null").with("every transaction needs one");
        }
        return facts.areSessionsIntegers() ? cell.integer("session") : 1 + TxnNames.intern(cell, sessionNames);
    }

    private @Nullable String extra() {
        TableColumns columns = order.columns();
        TableExtra extra = new TableExtra();
        if (!facts.areTxnsIntegers()) {
            extra.add("txn", columns.cell(ColumnRole.TXN));
        }
        if (facts.hasSessions() && !facts.areSessionsIntegers()) {
            extra.add("session", columns.cell(ColumnRole.SESSION));
        }
        for (int column : columns.others()) {
            extra.add(order.rows().columns().get(column), order.rows().cell(column));
        }
        return extra.build();
    }

    /** Completes the transaction after its last row. */
    private void flush() {
        if (!isOpen) {
            return;
        }
        isOpen = false;
        recordPositions();
        ops.end();
        txn.emit(sink);
        if (sink.isFull()) {
            full = sink.take();
        }
    }

    /** Records positions; rows at missing positions may have been lost. */
    private void recordPositions() {
        TxnAccumulator.Positions positions = txn.positions();
        if (positions == TxnAccumulator.Positions.UNKNOWN) {
            return;
        }
        positioned++;
        if (positions.first() > facts.firstPosition() || positions.areMissing()) {
            incomplete++;
            firstIncomplete =
                    firstIncomplete == null ? sink.locationOf(txn.row()) + " txn_id=" + txn.id() : firstIncomplete;
        }
    }

    @Override
    public void close() throws IOException {
        order.close();
    }
}
