package io.nightjar.formats.table;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows of scattered transactions, grouped in bounded memory; transactions are ordered by their first rows. */
final class GroupedRows implements RowOrder {

    /** Receiver of malformed rows during grouping. */
    @FunctionalInterface
    interface Refusal {
        void refuse(RowOrder at, BadRowException bad) throws IOException;
    }

    private final RowOrder scattered;
    private final TxnNames names;
    private final Refusal refusal;
    private final boolean areOthersWanted;
    private final Map<ColumnRole, String> given;
    private final ExternalGrouper buckets;
    private final List<StoredRow> rowOf = new ArrayList<>(); // current row by file
    private final List<TableColumns> columnsOf = new ArrayList<>();
    private final StoredRow.Writer writer = new StoredRow.Writer();
    private boolean areGathered;
    private int file;

    /**
     * @param scattered rows in any order
     * @param areOthersWanted whether columns without a role are wanted
     */
    GroupedRows(
            String uri,
            RowOrder scattered,
            TxnNames names,
            Map<ColumnRole, String> given,
            boolean areOthersWanted,
            long bufferBytes,
            Refusal refusal) {
        this.scattered = scattered;
        this.names = names;
        this.given = given;
        this.areOthersWanted = areOthersWanted;
        this.refusal = refusal;
        this.buckets = new ExternalGrouper(uri, "transactions", bufferBytes);
    }

    @Override
    public boolean advance() throws IOException {
        if (!areGathered) {
            putAside();
            areGathered = true;
        }
        if (!buckets.next()) {
            return false;
        }
        file = StoredRow.file(buckets.record());
        rowOf.get(file).read(buckets.record());
        return true;
    }

    private void putAside() throws IOException {
        boolean hasMore = true;
        while (hasMore) {
            try {
                hasMore = scattered.advance();
                if (hasMore) {
                    putRowAside();
                }
            } catch (BadRowException bad) {
                refusal.refuse(scattered, bad);
            }
        }
        scattered.close();
        for (StoredRow each : rowOf) {
            columnsOf.add(new TableColumns(each, given));
        }
    }

    private void putRowAside() throws IOException {
        TableColumns columns = scattered.columns();
        while (rowOf.size() <= scattered.file()) {
            rowOf.add(new StoredRow());
        }
        rowOf.get(scattered.file()).learn(scattered.rows());
        writer.begin(scattered.txn(), scattered.file(), scattered.rows().row());
        for (int column = 0; column < scattered.rows().columns().size(); column++) {
            boolean isWanted = areOthersWanted || columns.hasRole(column);
            writer.add(isWanted ? scattered.rows().cell(column) : null);
        }
        Cell readFrom = columns.cell(ColumnRole.WRITER);
        if (!readFrom.isNull() && readFrom.isIntegerWhereNeeded() == names.areIntegers()) {
            names.id(readFrom); // names are numbered in the order in which rows name them
        }
        buckets.add(writer.bytes(), Long.BYTES, ExternalGrouper.NO_ORDER, 0, writer.bytes(), writer.length());
    }

    @Override
    public int file() {
        return areGathered ? file : scattered.file();
    }

    @Override
    public TableRows rows() {
        return rowOf.get(file);
    }

    @Override
    public TableColumns columns() {
        return columnsOf.get(file);
    }

    @Override
    public long txn() {
        return StoredRow.txn(buckets.record());
    }

    @Override
    public void close() throws IOException {
        scattered.close();
        buckets.close();
    }
}
