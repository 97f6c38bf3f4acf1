package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Many sorted sequences of rows: rows are inserted by search, mostly at the end, and removed from the front. */
final class SortedRows {

    /*
     * Layout. Rows are sorted by (at, class, id of the transaction). A sequence is one block: the index of the first
     * row, the number of rows, free space, and the rows, each a few longs:
     *
     *   at       the timestamp that determines its position
     *   meta     see RowMeta
     *   value
     *   start    of its transaction, only if rows are versions
     *
     *   pages[sequence >> PAGE_BITS][sequence & PAGE_MASK]   a block; null for an empty sequence
     *
     * A position is the index of a row.
     *
     * Cost. Inserting a row takes O(log d) to find its position and O(d) to move the d rows after it.
     */

    static final int NONE = -1;

    private static final int META = 1; // follows the time
    private static final int VALUE = 2;
    private static final int START = 3;
    private static final int MIN_ROWS = 2;
    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final int FROM = 0;
    private static final int COUNT = 1;
    private static final int HEADER = 2;
    private static final long BYTES_OF_ARRAY = 16; // in addition to its elements
    private static final long[] NO_ROWS = {HEADER, 0};

    private final WindowTxns txns;
    private final int width;
    private long[] @Nullable [] @Nullable [] pages = new long[4][][];
    private int[] filledOf = new int[4]; // blocks, by page
    private long rowCount;
    private long heldBytes;
    private long maxDuration; // from the start of a transaction to its version

    SortedRows(WindowTxns txns, boolean withStarts) {
        this.txns = txns;
        this.width = withStarts ? START + 1 : START;
    }

    /** Returns the number of rows of all sequences. */
    long rowCount() {
        return rowCount;
    }

    /** Releases all rows; none may be used afterwards. */
    void release() {
        pages = new long[0][][];
        heldBytes = 0;
    }

    /** Returns the used bytes. */
    long byteSize() {
        return heldBytes + 8L * pages.length;
    }

    // ---------------------------------------------------------------- blocks

    private long[] block(int sequence) {
        int page = sequence >>> PAGE_BITS;
        long @Nullable [] @Nullable [] blocks = page < pages.length ? pages[page] : null;
        long @Nullable [] block = blocks == null ? null : blocks[sequence & PAGE_MASK];
        return block == null ? NO_ROWS : block;
    }

    private static int from(long[] block) {
        return (int) block[FROM];
    }

    private static int count(long[] block) {
        return (int) block[COUNT];
    }

    private int capacity(long[] block) {
        return (block.length - HEADER) / width;
    }

    private int indexOf(long[] block, int row) {
        return from(block) + row * width;
    }

    private long[] newBlock(int sequence) {
        int page = sequence >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
            filledOf = Arrays.copyOf(filledOf, pages.length);
        }
        if (pages[page] == null) {
            pages[page] = new long[1 << PAGE_BITS][];
            heldBytes += 8L << PAGE_BITS;
        }
        filledOf[page]++;
        return put(sequence, MIN_ROWS);
    }

    /** Replaces a sequence's block by an empty one. */
    private long[] put(int sequence, int capacity) {
        long[] block = new long[HEADER + capacity * width];
        block[FROM] = HEADER;
        heldBytes += byteSize(block);
        requireNonNull(pages[sequence >>> PAGE_BITS])[sequence & PAGE_MASK] = block;
        return block;
    }

    private void remove(int sequence, long[] block) {
        int page = sequence >>> PAGE_BITS;
        heldBytes -= byteSize(block);
        requireNonNull(pages[page])[sequence & PAGE_MASK] = null;
        if (--filledOf[page] == 0) {
            pages[page] = null;
            heldBytes -= 8L << PAGE_BITS;
        }
    }

    private static long byteSize(long[] block) {
        return BYTES_OF_ARRAY + (long) Long.BYTES * block.length;
    }

    /** Moves the rows of a block to the front of one with the given capacity; returns it. */
    private long[] moveTo(int sequence, long[] block, int capacity) {
        long[] to = block;
        if (capacity != capacity(block)) {
            heldBytes -= byteSize(block);
            to = put(sequence, capacity);
        }
        System.arraycopy(block, from(block), to, HEADER, count(block) * width);
        to[FROM] = HEADER;
        to[COUNT] = block[COUNT];
        return to;
    }

    // ---------------------------------------------------------------- rows

    private long number(int sequence, int position, int which) {
        long[] block = block(sequence);
        return block[indexOf(block, position) + which];
    }

    long at(int sequence, int position) {
        return number(sequence, position, 0);
    }

    long meta(int sequence, int position) {
        return number(sequence, position, META);
    }

    void setMeta(int sequence, int position, long meta) {
        long[] block = block(sequence);
        block[indexOf(block, position) + META] = meta;
    }

    long value(int sequence, int position) {
        return number(sequence, position, VALUE);
    }

    long start(int sequence, int position) {
        return number(sequence, position, START);
    }

    /** Reads the last rows of several sequences at once, so that their cache misses overlap. */
    long touch(int[] sequences, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += block(sequences[i]).length;
        }
        for (int i = 0; i < count; i++) {
            long[] block = block(sequences[i]);
            seen += count(block) == 0 ? 0 : block[indexOf(block, count(block) - 1)];
        }
        return seen;
    }

    // ---------------------------------------------------------------- walking

    int first(int sequence) {
        return count(block(sequence)) == 0 ? NONE : 0;
    }

    int last(int sequence) {
        return count(block(sequence)) - 1;
    }

    int next(int sequence, int position) {
        return position + 1 < count(block(sequence)) ? position + 1 : NONE;
    }

    int previous(int sequence, int position) {
        return position - 1;
    }

    /**
     * Returns the first row at or after an index that started before a time; NONE if no row did or the index is NONE.
     */
    int nextOpenBefore(int sequence, int position, long time) {
        long[] block = block(sequence);
        long last = time > Long.MAX_VALUE - maxDuration ? Long.MAX_VALUE : time + maxDuration;
        for (int row = position; row != NONE && row < count(block); row++) {
            int from = indexOf(block, row);
            if (block[from + START] < time) {
                return row;
            }
            if (block[from] > last) {
                return NONE;
            }
        }
        return NONE;
    }

    // ---------------------------------------------------------------- searching

    private boolean isBefore(long[] block, int row, long at, int rowClass, long id) {
        int from = indexOf(block, row);
        if (block[from] != at) {
            return block[from] < at;
        }
        long meta = block[from + META];
        if (RowMeta.rowClass(meta) != rowClass) {
            return RowMeta.rowClass(meta) < rowClass;
        }
        return txns.id(RowMeta.slot(meta)) < id;
    }

    /** Returns the first row not before (at, class, id), or NONE. */
    int notBefore(int sequence, long at, int rowClass, long id) {
        long[] block = block(sequence);
        int before = countBefore(block, at, rowClass, id);
        return before < count(block) ? before : NONE;
    }

    /** Returns the last row before (at, class, id), or NONE. */
    int lastBefore(int sequence, long at, int rowClass, long id) {
        return countBefore(block(sequence), at, rowClass, id) - 1;
    }

    /** Searches from the end in steps that double, since most rows are placed at the end or close to it. */
    private int countBefore(long[] block, long at, int rowClass, long id) {
        int high = count(block); // the first row that is known not to be before, or the end
        int step = 1;
        while (high >= step && !isBefore(block, high - step, at, rowClass, id)) {
            high -= step;
            step *= 2;
        }
        int low = Math.max(0, high - step + 1); // all rows before it are before
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBefore(block, middle, at, rowClass, id)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // ---------------------------------------------------------------- adding

    /** Inserts a row; returns its position. */
    int add(int sequence, long at, long meta, long value, long start) {
        int successor = notBefore(sequence, at, RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
        return addBefore(sequence, successor, at, meta, value, start);
    }

    /** Inserts a row before its successor, or after all rows for NONE; returns its position. */
    int addBefore(int sequence, int successor, long at, long meta, long value, long start) {
        long[] block = block(sequence);
        if (count(block) == 0) {
            block = newBlock(sequence);
        }
        txns.retain(RowMeta.slot(meta));
        rowCount++;
        int in = successor == NONE ? count(block) : successor;
        block = grow(sequence, block, in);
        int from = indexOf(block, in);
        block[from] = at;
        block[from + META] = meta;
        block[from + VALUE] = value;
        if (width > START) {
            block[from + START] = start;
            maxDuration = Math.max(maxDuration, at - start);
        }
        block[COUNT]++;
        return in;
    }

    /** Frees a position by moving rows; returns the block, which may be a new one. */
    private long[] grow(int sequence, long[] old, int in) {
        int count = count(old);
        if (from(old) > HEADER && in < count - in) {
            System.arraycopy(old, from(old), old, from(old) - width, in * width);
            old[FROM] -= width;
            return old;
        }
        long[] block = old;
        if (from(old) + (count + 1) * width > old.length) {
            block = moveTo(sequence, old, count > capacity(old) / 2 ? 2 * capacity(old) : capacity(old));
        }
        int from = indexOf(block, in);
        System.arraycopy(block, from, block, from + width, (count - in) * width);
        return block;
    }

    // ---------------------------------------------------------------- removing

    /** Removes all rows before a position, or all rows for NONE. Releases transactions without other rows. */
    void removeBefore(int sequence, int position) {
        long[] block = block(sequence);
        int count = count(block);
        int removed = position == NONE ? count : position;
        for (int row = 0; row < removed; row++) {
            txns.release(RowMeta.slot(block[indexOf(block, row) + META]));
        }
        rowCount -= removed;
        if (removed == count) {
            if (removed > 0) {
                remove(sequence, block);
            }
            return;
        }
        block[FROM] += (long) removed * width;
        block[COUNT] -= removed;
        if (capacity(block) > 8 * MIN_ROWS && count(block) <= capacity(block) / 8) {
            moveTo(sequence, block, capacity(block) / 4);
        }
    }

    // ---------------------------------------------------------------- state

    /** Writes the rows of a sequence, each with its transaction. */
    void write(int sequence, OnlineKeys keys, ByteWriter to) {
        for (int position = first(sequence); position != NONE; position = next(sequence, position)) {
            long meta = meta(sequence, position);
            to.putVarint(RowMeta.withoutSlot(meta) + 1);
            to.putSigned(at(sequence, position));
            keys.writeValue(value(sequence, position), to);
            txns.write(RowMeta.slot(meta), to);
        }
        to.putVarint(0);
    }

    /** Adds the rows of a sequence; returns whether it has any. */
    boolean read(int sequence, OnlineKeys keys, ByteReader from) {
        boolean isAny = false;
        for (long meta = from.getVarint(); meta != 0; meta = from.getVarint()) {
            long at = from.getSigned();
            long value = keys.readValue(from);
            int slot = txns.read(from);
            add(sequence, at, RowMeta.withSlot(meta - 1, slot), value, txns.start(slot));
            txns.release(slot);
            isAny = true;
        }
        return isAny;
    }
}
