package io.nightjar.formats.table;

import io.nightjar.formats.file.ExternalGrouper;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A run of spilled rows, sorted by the first row of their transaction; runs are compared by their current rows. */
final class RowRun implements Comparable<RowRun> {

    private final DataInputStream in;
    private long rowsLeft;
    private long first = -1; // arrival of the transaction's first row, which identifies the transaction
    private boolean isOfSameTxn;
    private byte[] bytes = new byte[256];

    /** Positions the run at its first row, which must exist. */
    RowRun(ExternalGrouper.Run run) throws IOException {
        in = new DataInputStream(run.bytes());
        rowsLeft = run.units();
        nextRow();
    }

    /** Advances to the next row; returns false at the end. */
    boolean nextRow() throws IOException {
        if (rowsLeft == 0) {
            return false;
        }
        rowsLeft--;
        long before = first;
        first = in.readLong();
        isOfSameTxn = before == first;
        int length = in.readInt();
        bytes = bytes.length < length ? new byte[2 * length] : bytes;
        in.readFully(bytes, 0, length);
        return true;
    }

    /** Returns whether the row belongs to the transaction of the previous row. */
    boolean isOfSameTxn() {
        return isOfSameTxn;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public int compareTo(RowRun other) {
        return Long.compare(first, other.first);
    }

    // ---------------------------------------------------------------- writing

    /** Writes the rows of whole transactions, as {@link ExternalGrouper.Order} requires. */
    static long write(byte[] records, int length, DataOutputStream run) throws IOException {
        ByteBuffer rows = ByteBuffer.wrap(records, 0, length);
        IntArrayList offsetOf = new IntArrayList();
        LongArrayList firstOf = new LongArrayList();
        Long2LongOpenHashMap firstOfTxn = new Long2LongOpenHashMap();
        for (int at = 0; at < length; at += ExternalGrouper.HEAD + rows.getInt(at + Long.BYTES)) {
            long arrival = rows.getLong(at);
            offsetOf.add(at);
            long txn = rows.getLong(at + ExternalGrouper.HEAD);
            long before = firstOfTxn.putIfAbsent(txn, arrival + 1); // 0 means none
            firstOf.add(before == 0 ? arrival : before - 1);
        }
        int[] order = new int[offsetOf.size()];
        for (int row = 0; row < order.length; row++) {
            order[row] = row;
        }
        IntArrays.mergeSort(order, (left, right) -> Long.compare(firstOf.getLong(left), firstOf.getLong(right)));
        for (int row : order) {
            int at = offsetOf.getInt(row);
            int size = rows.getInt(at + Long.BYTES);
            run.writeLong(firstOf.getLong(row));
            run.writeInt(size);
            run.write(records, at + ExternalGrouper.HEAD, size);
        }
        return order.length;
    }
}
