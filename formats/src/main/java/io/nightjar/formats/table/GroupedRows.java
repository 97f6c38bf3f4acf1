package io.nightjar.formats.table;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

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
    private final PriorityQueue<RowRun> runs = new PriorityQueue<>();
    private final List<StoredRow> rowOf = new ArrayList<>(); // current row by file
    private final List<TableColumns> columnsOf = new ArrayList<>();
    private final StoredRow.Writer writer = new StoredRow.Writer();
    private boolean areGathered;
    private @Nullable RowRun current;
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
            for (ExternalGrouper.Run run : buckets.runs(RowRun::write)) {
                runs.add(new RowRun(run));
            }
            areGathered = true;
        }
        if (current != null && current.nextRow()) {
            if (!current.isOfSameTxn()) {
                runs.add(current);
                current = runs.poll();
            }
        } else {
            current = runs.poll();
        }
        if (current == null) {
            return false;
        }
        take();
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
        for (int column = 0; column < scattered.rows().columnCount(); column++) {
            boolean isWanted = areOthersWanted || columns.hasRole(column);
            writer.add(isWanted ? scattered.rows().cell(column) : null);
        }
        Cell readFrom = columns.cell(ColumnRole.WRITER);
        if (!readFrom.isNull() && readFrom.isIntegerWhereNeeded() == names.areIntegers()) {
            names.id(readFrom); // names are numbered in the order in which rows name them
        }
        buckets.add(Long.hashCode(scattered.txn()), writer.bytes(), writer.length());
    }

    private void take() {
        file = StoredRow.file(requireNonNull(current).bytes());
        rowOf.get(file).read(current.bytes());
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
        return StoredRow.txn(requireNonNull(current).bytes());
    }

    @Override
    public void close() throws IOException {
        scattered.close();
        buckets.close();
    }
}
