package io.nightjar.formats.table;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows in file order, one file after the other. */
final class FileRows implements RowOrder {

    private final List<RowFile> files;
    private final Map<ColumnRole, String> given;
    private final TxnNames names;
    private int file = -1;
    private @Nullable TableRows rows; // null between two files
    private @Nullable TableColumns columns;
    private boolean isFirst;
    private long txn;

    FileRows(List<RowFile> files, Map<ColumnRole, String> given, TxnNames names) {
        this.files = files;
        this.given = given;
        this.names = names;
    }

    @Override
    public boolean advance() throws IOException {
        while (rows != null || openNext()) {
            if (requireNonNull(rows).advance()) {
                requireNonNull(columns).update();
                if (isFirst) {
                    isFirst = false;
                    checkColumns();
                }
                takeTxn();
                return true;
            }
            rows.close();
            rows = null;
        }
        return false;
    }

    private boolean openNext() throws IOException {
        if (file + 1 == files.size()) {
            return false;
        }
        file++;
        rows = files.get(file).open();
        columns = new TableColumns(rows, given);
        isFirst = true;
        return true;
    }

    private void checkColumns() {
        try {
            requireNonNull(columns).check(!(rows instanceof JsonTableRows));
        } catch (BadRowException missing) {
            throw new MalformedHistoryException(
                    InputLocation.file(files.get(file).path.toString()), missing.fault(), missing);
        }
    }

    private void takeTxn() throws IOException {
        Cell cell = requireNonNull(columns).cell(ColumnRole.TXN);
        if (cell.isNull()) {
            throw BadRowException.of("txn is null").with("every operation needs its transaction");
        }
        txn = names.id(cell);
        names.checkMemory();
    }

    @Override
    public int file() {
        return file;
    }

    @Override
    public TableRows rows() {
        return requireNonNull(rows);
    }

    @Override
    public TableColumns columns() {
        return requireNonNull(columns);
    }

    @Override
    public long txn() {
        return txn;
    }

    @Override
    public void close() throws IOException {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
