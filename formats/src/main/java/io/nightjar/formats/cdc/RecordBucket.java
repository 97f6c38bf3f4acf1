package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** All records of some transactions, to be sorted. A record is its arrival, its length, and its bytes. */
final class RecordBucket {

    private static final int NONE = -1;
    private static final int HEAD = ExternalGrouper.HEAD;

    private final byte[] bytes;
    private final boolean areOrdered;

    // Arrays by record; nextOf links the records of one transaction.
    private final IntArrayList offsetOf = new IntArrayList();
    private final IntArrayList nextOf = new IntArrayList();

    // Arrays by transaction.
    private final Object2IntOpenHashMap<String> txnOf = new Object2IntOpenHashMap<>();
    private final IntArrayList firstOf = new IntArrayList();
    private final IntArrayList lastOf = new IntArrayList();
    private final IntArrayList sizeOf = new IntArrayList();
    private final LongArrayList orderOf = new LongArrayList();
    private final LongArrayList suborderOf = new LongArrayList();
    private final LongArrayList arrivalOf = new LongArrayList();
    private int snapshot = NONE;

    /**
     * Indexes records.
     *
     * @param areOrdered whether a number orders commits; otherwise only the arrival of records does
     */
    RecordBucket(byte[] bytes, int length, boolean areOrdered) throws IOException {
        this.bytes = bytes;
        this.areOrdered = areOrdered;
        txnOf.defaultReturnValue(NONE);
        DecodedChange record = new DecodedChange();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        for (int at = 0; at < length; ) {
            long arrival = in.readLong();
            int size = in.readInt();
            in.mark(0);
            record.readHead(in);
            in.reset();
            in.skipNBytes(size);
            add(record, arrival, at);
            at += HEAD + size;
        }
    }

    private void add(DecodedChange record, long arrival, int offset) {
        int added = offsetOf.size();
        offsetOf.add(offset);
        nextOf.add(NONE);
        int txn = txnOf.getInt(record.txn);
        if (txn == NONE) {
            txn = firstOf.size();
            txnOf.put(record.txn, txn);
            snapshot = requireNonNull(record.txn).equals(ChangeReader.SNAPSHOT) ? txn : snapshot;
            firstOf.add(added);
            lastOf.add(added);
            sizeOf.add(0);
            orderOf.add(HistorySlice.NONE);
            suborderOf.add(0);
            arrivalOf.add(arrival);
        } else {
            nextOf.set(lastOf.getInt(txn), added);
            lastOf.set(txn, added);
        }
        sizeOf.set(txn, sizeOf.getInt(txn) + 1);
        if (record.order != HistorySlice.NONE) {
            orderOf.set(txn, record.order);
        }
        suborderOf.set(txn, Math.max(suborderOf.getLong(txn), record.suborder));
    }

    int txnCount() {
        return firstOf.size();
    }

    /** Writes the transactions in the format of {@link SortedRun}. */
    void writeRun(DataOutputStream run) throws IOException {
        SortedRun.Position[] positionOf = new SortedRun.Position[txnCount()];
        int[] sorted = new int[txnCount()];
        for (int txn = 0; txn < sorted.length; txn++) {
            positionOf[txn] = new SortedRun.Position(order(txn), suborderOf.getLong(txn), arrivalOf.getLong(txn));
            sorted[txn] = txn;
        }
        IntArrays.mergeSort(sorted, (left, right) -> positionOf[left].compareTo(positionOf[right]));
        for (int txn : sorted) {
            run.writeLong(positionOf[txn].order());
            run.writeLong(positionOf[txn].suborder());
            run.writeLong(positionOf[txn].arrival());
            run.writeInt(sizeOf.getInt(txn));
            for (int record = firstOf.getInt(txn); record != NONE; record = nextOf.getInt(record)) {
                int at = offsetOf.getInt(record);
                run.write(bytes, at + HEAD, length(at));
            }
        }
    }

    private int length(int offset) {
        int at = offset + Long.BYTES;
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }

    /** Returns the order of a transaction: initial rows first, incomplete transactions last. */
    private long order(int txn) {
        if (txn == snapshot) {
            return Long.MIN_VALUE;
        }
        if (!areOrdered) {
            return suborderOf.getLong(txn);
        }
        long order = orderOf.getLong(txn);
        return order == HistorySlice.NONE ? Long.MAX_VALUE : order;
    }
}
