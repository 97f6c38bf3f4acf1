package io.nightjar.formats.file;

import io.nightjar.formats.history.StringPool;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** All records of some groups, to be sorted. */
final class GroupBucket {

    /*
     * Layout of a record.
     *
     *   arrival, order, suborder   8 bytes each
     *   length of the group's name, length of the record   4 bytes each
     *   name, record
     */

    /** Size of the header before the name. */
    static final int HEAD = 3 * Long.BYTES + 2 * Integer.BYTES;

    private static final int NONE = -1;
    private static final int ORDER_AT = Long.BYTES;
    private static final int SUBORDER_AT = 2 * Long.BYTES;
    private static final int NAME_LENGTH_AT = 3 * Long.BYTES;
    private static final int LENGTH_AT = NAME_LENGTH_AT + Integer.BYTES;

    private final ByteBuffer records;

    // Arrays by record; nextOf links the records of one group.
    private final IntArrayList offsetOf = new IntArrayList();
    private final IntArrayList nextOf = new IntArrayList();

    // Arrays by group.
    private final StringPool names = new StringPool();
    private final IntArrayList firstOf = new IntArrayList();
    private final IntArrayList lastOf = new IntArrayList();
    private final IntArrayList sizeOf = new IntArrayList();
    private final LongArrayList orderOf = new LongArrayList();
    private final LongArrayList suborderOf = new LongArrayList();

    /** Indexes records, which are in order of arrival. */
    GroupBucket(byte[] bytes, int length) {
        records = ByteBuffer.wrap(bytes, 0, length);
        for (int at = 0; at < length; at = recordAt(at) + records.getInt(at + LENGTH_AT)) {
            add(at);
        }
    }

    private int recordAt(int at) {
        return at + HEAD + records.getInt(at + NAME_LENGTH_AT);
    }

    private void add(int at) {
        int added = offsetOf.size();
        offsetOf.add(at);
        nextOf.add(NONE);
        int group = names.intern(records.array(), at + HEAD, records.getInt(at + NAME_LENGTH_AT));
        if (group == firstOf.size()) {
            firstOf.add(added);
            lastOf.add(added);
            sizeOf.add(0);
            orderOf.add(ExternalGrouper.NO_ORDER);
            suborderOf.add(Long.MIN_VALUE);
        } else {
            nextOf.set(lastOf.getInt(group), added);
            lastOf.set(group, added);
        }
        sizeOf.set(group, sizeOf.getInt(group) + 1);
        long order = records.getLong(at + ORDER_AT);
        orderOf.set(group, order == ExternalGrouper.NO_ORDER ? orderOf.getLong(group) : order);
        suborderOf.set(group, Math.max(suborderOf.getLong(group), records.getLong(at + SUBORDER_AT)));
    }

    /** Writes the groups in order for a {@link GroupRun}; returns their number. */
    int writeRun(DataOutputStream run) throws IOException {
        GroupRun.Position[] positionOf = new GroupRun.Position[firstOf.size()];
        int[] sorted = new int[positionOf.length];
        for (int group = 0; group < sorted.length; group++) {
            long arrival = records.getLong(offsetOf.getInt(firstOf.getInt(group)));
            positionOf[group] = new GroupRun.Position(orderOf.getLong(group), suborderOf.getLong(group), arrival);
            sorted[group] = group;
        }
        IntArrays.mergeSort(sorted, (left, right) -> positionOf[left].compareTo(positionOf[right]));
        for (int group : sorted) {
            run.writeLong(positionOf[group].order());
            run.writeLong(positionOf[group].suborder());
            run.writeLong(positionOf[group].arrival());
            run.writeInt(sizeOf.getInt(group));
            for (int record = firstOf.getInt(group); record != NONE; record = nextOf.getInt(record)) {
                int at = offsetOf.getInt(record);
                run.writeInt(records.getInt(at + LENGTH_AT));
                run.write(records.array(), recordAt(at), records.getInt(at + LENGTH_AT));
            }
        }
        return sorted.length;
    }
}
