package io.nightjar.formats.cdc;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Transactions in commit order, each a header followed by its records. */
final class SortedRun implements Comparable<SortedRun> {

    /** Sort key of a transaction: two numbers, then the arrival of its first record. */
    record Position(long order, long suborder, long arrival) implements Comparable<Position> {

        @Override
        public int compareTo(Position other) {
            int byOrder = Long.compare(order, other.order);
            int bySuborder = byOrder != 0 ? byOrder : Long.compare(suborder, other.suborder);
            return bySuborder != 0 ? bySuborder : Long.compare(arrival, other.arrival);
        }
    }

    private final DataInputStream in;
    private long txnsLeft;
    private int recordsLeft;
    private Position position = new Position(0, 0, 0);

    /** Positions the run at its first transaction, which must exist. */
    SortedRun(InputStream bytes, long txnCount) throws IOException {
        in = new DataInputStream(bytes);
        txnsLeft = txnCount;
        nextTxn();
    }

    /** Advances to the next transaction; returns false at the end. */
    boolean nextTxn() throws IOException {
        if (txnsLeft == 0) {
            return false;
        }
        txnsLeft--;
        position = new Position(in.readLong(), in.readLong(), in.readLong());
        recordsLeft = in.readInt();
        return true;
    }

    /** Advances to the next record of the transaction; returns false after its last. */
    boolean nextRecord(DecodedChange into) throws IOException {
        if (recordsLeft == 0) {
            return false;
        }
        recordsLeft--;
        into.read(in);
        return true;
    }

    @Override
    public int compareTo(SortedRun other) {
        return position.compareTo(other.position);
    }
}
