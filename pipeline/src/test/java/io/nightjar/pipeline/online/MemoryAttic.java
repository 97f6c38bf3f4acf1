package io.nightjar.pipeline.online;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;

/** An {@link SealedRowStore} in memory. */
public final class MemoryAttic implements SealedRowStore {

    /*
     * The rows of a sequence, sorted by (at, class, id), as WIDTH longs each. Rows nearly always come behind the last one.
     */
    private static final int WIDTH = 7;

    private final Long2ObjectOpenHashMap<Rows> sequences = new Long2ObjectOpenHashMap<>();
    private final SealedRow shown = new SealedRow();
    private long bytes;

    private static final class Rows {
        private long[] numbers = new long[2 * WIDTH];
        private int count;

        /** The first row not before a time. */
        int from(long at) {
            int low = 0;
            int high = count;
            while (low < high) {
                int middle = low + high >>> 1;
                if (numbers[middle * WIDTH] < at) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    private Rows rows(int capacity, int sequence) {
        return sequences.get((long) capacity << 32 | sequence);
    }

    @Override
    public void append(int capacity, int sequence, SealedRow row) {
        Rows rows = sequences.computeIfAbsent((long) capacity << 32 | sequence, absent -> new Rows());
        if ((rows.count + 1) * WIDTH > rows.numbers.length) {
            bytes += 8L * rows.numbers.length;
            rows.numbers = Arrays.copyOf(rows.numbers, rows.numbers.length * 2);
        }
        int in = rows.count;
        while (in > 0) {
            show(rows, in - 1);
            if (shown.isBefore(row.at, RowMeta.rowClass(row.meta), row.id)) {
                break;
            }
            in--;
        }
        int to = in * WIDTH;
        System.arraycopy(rows.numbers, to, rows.numbers, to + WIDTH, (rows.count - in) * WIDTH);
        rows.numbers[to] = row.at;
        rows.numbers[to + 1] = row.meta;
        rows.numbers[to + 2] = row.value;
        rows.numbers[to + 3] = row.id;
        rows.numbers[to + 4] = row.start;
        rows.numbers[to + 5] = row.commit;
        rows.numbers[to + 6] = row.arrived;
        rows.count++;
    }

    private void show(Rows rows, int row) {
        show(rows, row, shown);
    }

    private static void show(Rows rows, int row, SealedRow into) {
        int from = row * WIDTH;
        into.at = rows.numbers[from];
        into.meta = rows.numbers[from + 1];
        into.value = rows.numbers[from + 2];
        into.id = rows.numbers[from + 3];
        into.start = rows.numbers[from + 4];
        into.commit = rows.numbers[from + 5];
        into.arrived = rows.numbers[from + 6];
    }

    @Override
    public void removeFrom(int capacity, int sequence, long from, Visitor to) {
        Rows rows = rows(capacity, sequence);
        if (rows == null) {
            return;
        }
        int first = rows.from(from);
        int count = rows.count;
        rows.count = first;
        for (int row = first; row < count; row++) {
            show(rows, row);
            to.row(shown);
        }
    }

    @Override
    public boolean lastBefore(int capacity, int sequence, long before, SealedRow into) {
        Rows rows = rows(capacity, sequence);
        int last = rows == null ? -1 : rows.from(before) - 1;
        if (last < 0) {
            return false;
        }
        show(rows, last, into);
        return true;
    }

    @Override
    public void forEachFrom(int capacity, int sequence, long from, Visitor to) {
        Rows rows = rows(capacity, sequence);
        for (int row = rows == null ? 0 : rows.from(from); rows != null && row < rows.count; row++) {
            show(rows, row);
            to.row(shown);
        }
    }

    @Override
    public void forEachBefore(int capacity, int sequence, long before, Seeker to) {
        Rows rows = rows(capacity, sequence);
        for (int row = rows == null ? -1 : rows.from(before) - 1; row >= 0; row--) {
            show(rows, row);
            if (to.isEnough(shown)) {
                return;
            }
        }
    }

    @Override
    public void evict() {
        // there always is
    }

    @Override
    public void setEvictionListener(Forgetting to) {
        // nothing is
    }

    @Override
    public void release() {
        sequences.clear();
        bytes = 0;
    }

    @Override
    public long byteSize() {
        return bytes + 16L * WIDTH * sequences.size() + 16L * sequences.size();
    }
}
