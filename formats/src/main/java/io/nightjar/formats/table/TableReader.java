package io.nightjar.formats.table;

import io.nightjar.formats.file.NeedsMemoryException;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSink;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes transactions of the rows of a table, each as soon as its rows have been read where they stand together. */
final class TableReader implements SliceReader {

    private final List<RowFile> files;
    private final Map<ColumnRole, String> given;
    private final TableFacts facts;
    private final RowSink sink;
    private final TxnGatherer txns = new TxnGatherer();
    private final TableOps ops;
    private final boolean isExtraWanted;
    private final Long2IntOpenHashMap openById = new Long2IntOpenHashMap();
    private final StringTable txnNames = new StringTable();
    private final StringTable sessionNames = new StringTable();

    private int nextFile;
    private TableRows rows;
    private TableColumns columns;
    private boolean isFirstRow;
    private long last; // transaction id of the row before
    private int lastTxn = TxnGatherer.NONE;
    private int emitted;
    private boolean isAtEnd;
    private long positioned;
    private long incomplete;
    private String firstIncomplete;

    TableReader(
            List<RowFile> files,
            Map<ColumnRole, String> given,
            TableFacts facts,
            Set<Column> wanted,
            BadRows badRows,
            boolean rowsAreLines) {
        this.files = files;
        this.given = given;
        this.facts = facts;
        this.sink = new RowSink(wanted, badRows, rowsAreLines);
        this.isExtraWanted = wanted.contains(Column.EXTRA);
        this.ops = new TableOps(facts, txns, this::txnId);
        openById.defaultReturnValue(TxnGatherer.NONE);
    }

    /** Scattered rows are gathered all at once. */
    private void checkMemory() throws IOException {
        if (!facts.isGathered() && facts.bytesScattered() > Runtime.getRuntime().maxMemory()) {
            throw new NeedsMemoryException(
                    files.get(0).path.toString(),
                    "the rows of transactions are scattered and have to be gathered in memory, unless they are put in order by transaction",
                    facts.bytesScattered() + facts.bytesScattered() / 4);
        }
    }

    @Override
    public HistorySlice next() throws IOException {
        if (nextFile == 0) {
            checkMemory();
        }
        while (!isAtEnd) {
            if (rows == null && !openNext()) {
                isAtEnd = true;
                break;
            }
            boolean hasMore = readRow();
            if (sink.isFull()) {
                return sink.take();
            }
            if (!hasMore) {
                endFile();
                if (!sink.isEmpty()) {
                    return sink.take();
                }
            }
        }
        return nextScattered();
    }

    private boolean openNext() throws IOException {
        if (nextFile == files.size()) {
            return false;
        }
        RowFile file = files.get(nextFile);
        if (nextFile == 0 || facts.isGathered()) {
            sink.beginFile(file.path.toString());
        }
        nextFile++;
        rows = file.open();
        columns = new TableColumns(rows, given);
        isFirstRow = true;
        return true;
    }

    private void endFile() throws IOException {
        rows.close();
        rows = null;
        if (facts.isGathered()) {
            flush();
        }
    }

    /** Where the rows of transactions are scattered, all is handed on in the end, in the order of their first rows. */
    private HistorySlice nextScattered() {
        while (emitted < txns.size()) {
            emit(emitted++);
            if (sink.isFull()) {
                return sink.take();
            }
        }
        if (sink.isEmpty()) {
            facts.endReading(positioned, incomplete, firstIncomplete);
            return null;
        }
        return sink.take();
    }

    private boolean readRow() throws IOException {
        try {
            if (!rows.advance()) {
                return false;
            }
            columns.update();
            if (isFirstRow) {
                isFirstRow = false;
                checkColumns();
            }
            addRow();
            return true;
        } catch (BadRowException bad) {
            if (rows.isLost()) {
                throw sink.malformed(fileName(), rows.row(), bad.getMessage(), bad);
            }
            sink.refuseLine(fileName(), rows.row(), bad.getMessage(), rows.raw());
            return true;
        }
    }

    private String fileName() {
        return files.get(nextFile - 1).path.toString();
    }

    private void checkColumns() {
        try {
            columns.check(!(rows instanceof JsonTableRows));
        } catch (BadRowException missing) {
            throw new MalformedHistoryException(Place.file(fileName()), missing.getMessage(), missing);
        }
    }

    private void addRow() {
        Cell cell = columns.cell(ColumnRole.TXN);
        if (cell.isNull()) {
            throw new BadRowException("txn is null: every operation needs its transaction");
        }
        long id = txnId(cell);
        int before = txns.size();
        int txn = lastTxn != TxnGatherer.NONE && id == last ? lastTxn : txnOf(id);
        boolean isNew = facts.isGathered() ? txn != lastTxn : txns.size() > before;
        try {
            ops.add(txn, columns);
        } catch (BadRowException bad) {
            if (isNew) {
                txns.cancel();
                ops.cancel();
                openById.remove(id);
                lastTxn = TxnGatherer.NONE;
            }
            throw bad;
        }
        last = id;
        lastTxn = txn;
    }

    private int txnOf(long id) {
        int known = facts.isGathered() ? TxnGatherer.NONE : openById.get(id);
        if (known != TxnGatherer.NONE) {
            return known;
        }
        if (facts.isGathered()) {
            flush();
        }
        int txn = txns.begin(rows.row(), id, sessionOf(id));
        ops.begin(txn);
        if (!facts.isGathered()) {
            openById.put(id, txn);
        }
        if (isExtraWanted) {
            txns.extra(txn, extra(columns.cell(ColumnRole.TXN)));
        }
        return txn;
    }

    private long txnId(Cell cell) {
        return facts.areTxnsIntegers() ? cell.integer("txn") : 1 + nameOf(cell, txnNames);
    }

    private static int nameOf(Cell cell, StringTable names) {
        byte[] bytes = cell.bytes();
        return names.intern(bytes, cell.from(), cell.length());
    }

    /** Without a column of sessions each transaction has one of its own, so that no order is made up. */
    private long sessionOf(long id) {
        if (!facts.hasSessions()) {
            return id;
        }
        Cell cell = columns.cell(ColumnRole.SESSION);
        if (cell.isNull()) {
            throw new BadRowException("session is null: every transaction needs one");
        }
        return facts.areSessionsIntegers() ? cell.integer("session") : 1 + nameOf(cell, sessionNames);
    }

    private String extra(Cell txn) {
        TableExtra extra = new TableExtra();
        if (!facts.areTxnsIntegers()) {
            extra.add("txn", txn);
        }
        if (facts.hasSessions() && !facts.areSessionsIntegers()) {
            extra.add("session", columns.cell(ColumnRole.SESSION));
        }
        for (int column : columns.others()) {
            extra.add(rows.column(column), rows.cell(column));
        }
        return extra.build();
    }

    private void flush() {
        for (int txn = 0; txn < txns.size(); txn++) {
            emit(txn);
        }
        txns.clear();
        ops.clear();
        lastTxn = TxnGatherer.NONE;
    }

    /** Where rows say their positions, those that are missing have perhaps been cut off. */
    private void lookAtPositions(int txn) {
        TxnGatherer.Positions positions = txns.positions(txn);
        if (positions == TxnGatherer.Positions.UNKNOWN) {
            return;
        }
        positioned++;
        if (positions.first() > facts.firstPosition() || positions.areMissing()) {
            incomplete++;
            firstIncomplete =
                    firstIncomplete == null ? sink.placeOf(txns.row(txn)) + " txn_id=" + txns.id(txn) : firstIncomplete;
        }
    }

    private void emit(int txn) {
        lookAtPositions(txn);
        ops.end(txn);
        txns.emit(txn, sink);
    }

    @Override
    public void close() throws IOException {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
