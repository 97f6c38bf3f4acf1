package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.history.HistorySlice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sorts the records of a log by commit, each transaction as a whole, in bounded memory. */
final class CommitSorter implements ChangeRecords {

    private final boolean areOrdered;
    private final ExternalGrouper records;

    /**
     * Creates a sorter without records.
     *
     * @param uri the source, for messages
     * @param areOrdered whether a number orders commits; otherwise only the arrival of records does
     * @param bufferBytes maximum size of the memory buffer
     */
    CommitSorter(String uri, boolean areOrdered, long bufferBytes) {
        this.areOrdered = areOrdered;
        this.records = new ExternalGrouper(uri, "transactions", bufferBytes);
    }

    void add(DecodedChange record) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        record.write(new DataOutputStream(encoded));
        String name = requireNonNull(record.txn);
        boolean isOrdered = areOrdered && record.order != HistorySlice.NONE;
        long order = isOrdered ? record.order : ExternalGrouper.NO_ORDER;
        byte[] txn = name.getBytes(StandardCharsets.UTF_8);
        records.add(
                txn,
                txn.length,
                name.equals(ChangeReader.SNAPSHOT) ? Long.MIN_VALUE : order,
                record.suborder,
                encoded.toByteArray(),
                encoded.size());
    }

    /** Advances to the next record, in commit order; called after the last was added. */
    @Override
    public boolean next(DecodedChange into) throws IOException {
        if (!records.next()) {
            return false;
        }
        into.read(new DataInputStream(new ByteArrayInputStream(records.record())));
        return true;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
