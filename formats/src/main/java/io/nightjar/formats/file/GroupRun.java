package io.nightjar.formats.file;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Groups in order, each a header followed by its records. */
final class GroupRun implements Comparable<GroupRun> {

    /** Sort key of a group: two numbers, then the arrival of its first record. */
    record Position(long order, long suborder, long arrival) implements Comparable<Position> {

        @Override
        public int compareTo(Position other) {
            int byOrder = Long.compare(order, other.order);
            int bySuborder = byOrder != 0 ? byOrder : Long.compare(suborder, other.suborder);
            return bySuborder != 0 ? bySuborder : Long.compare(arrival, other.arrival);
        }
    }

    private final DataInputStream in;
    private int groupsLeft;
    private int recordsLeft;
    private Position position = new Position(0, 0, 0);
    private byte[] record = new byte[256];

    /** Positions the run at its first group, which must exist. */
    GroupRun(InputStream bytes, int groupCount) throws IOException {
        in = new DataInputStream(bytes);
        groupsLeft = groupCount;
        nextGroup();
    }

    /** Advances to the next group; returns false at the end. */
    boolean nextGroup() throws IOException {
        if (groupsLeft == 0) {
            return false;
        }
        groupsLeft--;
        position = new Position(in.readLong(), in.readLong(), in.readLong());
        recordsLeft = in.readInt();
        return true;
    }

    /** Advances to the next record of the group; returns false after its last. */
    boolean nextRecord() throws IOException {
        if (recordsLeft == 0) {
            return false;
        }
        recordsLeft--;
        int length = in.readInt();
        record = record.length < length ? new byte[2 * length] : record;
        in.readFully(record, 0, length);
        return true;
    }

    byte[] record() {
        return record;
    }

    @Override
    public int compareTo(GroupRun other) {
        return position.compareTo(other.position);
    }
}
