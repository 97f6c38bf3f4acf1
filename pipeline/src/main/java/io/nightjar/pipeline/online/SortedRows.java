package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Many sorted sequences of rows: rows are placed by search, mostly at the end, and leave from the front. */
final class SortedRows {

    /*
     * Rows are sorted by (at, class, id of the transaction). A sequence is one block, in which a row is a few longs:
     *
     *   at       the timestamp that it stands at
     *   meta     see RowMeta
     *   value
     *   start    of its transaction, only where rows are versions
     *
     *   pages[sequence >> PAGE_BITS][sequence & PAGE_MASK]   a block; null where there are no rows
     *
     * A place is the index of a row. Cost of a placement: O(log d) to find and O(d) to move, where d rows are behind it.
     */

    static final int NONE = -1;

    private static final int META = 1; // behind at
    private static final int VALUE = 2;
    private static final int START = 3;
    private static final int FEWEST_ROWS = 2;
    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final long BYTES_OF_BLOCK = 48; // beside its rows
    private static final Block NO_ROWS = new Block(new long[0]);

    private final WindowTxns txns;
    private final int width;
    private @Nullable Block[] @Nullable [] pages = new Block[4][];
    private int[] filledOf = new int[4]; // blocks, by page
    private long rowCount;
    private long heldBytes;
    private long longest; // from the start of a transaction to its version

    SortedRows(WindowTxns txns, boolean withStarts) {
        this.txns = txns;
        this.width = withStarts ? START + 1 : START;
    }

    /** The rows of one sequence. */
    private static final class Block {
        private long[] numbers;
        private int from; // of the first row in numbers
        private int count;

        Block(long[] numbers) {
            this.numbers = numbers;
        }
    }

    /** Rows of all sequences. */
    long rowCount() {
        return rowCount;
    }

    /** Gives up all rows; none is asked for any more. */
    void letGo() {
        pages = new Block[0][];
        heldBytes = 0;
    }

    /** Bytes held. */
    long byteSize() {
        return heldBytes + 8L * pages.length;
    }

    // ---------------------------------------------------------------- blocks

    private Block block(int sequence) {
        int page = sequence >>> PAGE_BITS;
        @Nullable Block[] blocks = page < pages.length ? pages[page] : null;
        Block block = blocks == null ? null : blocks[sequence & PAGE_MASK];
        return block == null ? NO_ROWS : block;
    }

    private Block newBlock(int sequence) {
        int page = sequence >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
            filledOf = Arrays.copyOf(filledOf, pages.length);
        }
        @Nullable Block[] blocks = pages[page];
        if (blocks == null) {
            blocks = new Block[1 << PAGE_BITS];
            pages[page] = blocks;
            heldBytes += 8L << PAGE_BITS;
        }
        Block block = new Block(new long[FEWEST_ROWS * width]);
        blocks[sequence & PAGE_MASK] = block;
        filledOf[page]++;
        heldBytes += byteSize(block);
        return block;
    }

    private void remove(int sequence, Block block) {
        int page = sequence >>> PAGE_BITS;
        heldBytes -= byteSize(block);
        @Nullable Block[] blocks = pages[page];
        if (blocks == null) {
            return;
        }
        blocks[sequence & PAGE_MASK] = null;
        if (--filledOf[page] == 0) {
            pages[page] = null;
            heldBytes -= 8L << PAGE_BITS;
        }
    }

    private static long byteSize(Block block) {
        return BYTES_OF_BLOCK + (long) Long.BYTES * block.numbers.length;
    }

    /** Moves the rows of a block to the front of an array with room for so many. */
    private void moveTo(Block block, int capacity) {
        heldBytes -= byteSize(block);
        long[] to = capacity * width == block.numbers.length ? block.numbers : new long[capacity * width];
        System.arraycopy(block.numbers, block.from, to, 0, block.count * width);
        block.numbers = to;
        block.from = 0;
        heldBytes += byteSize(block);
    }

    // ---------------------------------------------------------------- rows

    private long number(int sequence, int place, int which) {
        Block block = block(sequence);
        return block.numbers[block.from + place * width + which];
    }

    long at(int sequence, int place) {
        return number(sequence, place, 0);
    }

    long meta(int sequence, int place) {
        return number(sequence, place, META);
    }

    void setMeta(int sequence, int place, long meta) {
        Block block = block(sequence);
        block.numbers[block.from + place * width + META] = meta;
    }

    long value(int sequence, int place) {
        return number(sequence, place, VALUE);
    }

    long start(int sequence, int place) {
        return number(sequence, place, START);
    }

    /** Looks at the last rows of sequences, those of all at a time, so that their misses of the cache overlap. */
    long touch(int[] sequences, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += block(sequences[i]).count;
        }
        for (int i = 0; i < count; i++) {
            Block block = block(sequences[i]);
            seen += block.count == 0 ? 0 : block.numbers[block.from + (block.count - 1) * width];
        }
        return seen;
    }

    // ---------------------------------------------------------------- walking

    int first(int sequence) {
        return block(sequence).count == 0 ? NONE : 0;
    }

    int last(int sequence) {
        return block(sequence).count - 1;
    }

    int next(int sequence, int place) {
        return place + 1 < block(sequence).count ? place + 1 : NONE;
    }

    int previous(int sequence, int place) {
        return place - 1;
    }

    /** The first row from a place on whose start is before a time; NONE if there is none, or from NONE on. */
    int nextOpenBefore(int sequence, int place, long time) {
        Block block = block(sequence);
        long last = time > Long.MAX_VALUE - longest ? Long.MAX_VALUE : time + longest;
        for (int row = place; row != NONE && row < block.count; row++) {
            int from = block.from + row * width;
            if (block.numbers[from + START] < time) {
                return row;
            }
            if (block.numbers[from] > last) {
                return NONE;
            }
        }
        return NONE;
    }

    // ---------------------------------------------------------------- searching

    private boolean isBefore(Block block, int row, long at, int rowClass, long id) {
        int from = block.from + row * width;
        if (block.numbers[from] != at) {
            return block.numbers[from] < at;
        }
        long meta = block.numbers[from + META];
        if (RowMeta.rowClass(meta) != rowClass) {
            return RowMeta.rowClass(meta) < rowClass;
        }
        return txns.id(RowMeta.slot(meta)) < id;
    }

    /** The first row not before (at, class, id), or NONE. */
    int notBefore(int sequence, long at, int rowClass, long id) {
        int before = countBefore(block(sequence), at, rowClass, id);
        return before < block(sequence).count ? before : NONE;
    }

    /** The last row before (at, class, id), or NONE. */
    int lastBefore(int sequence, long at, int rowClass, long id) {
        return countBefore(block(sequence), at, rowClass, id) - 1;
    }

    /** Looks in steps that double from the end, since most rows come last or nearly so. */
    private int countBefore(Block block, long at, int rowClass, long id) {
        int high = block.count; // the first row that is known not to be before, or the end
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

    /** Places a row; returns where. */
    int add(int sequence, long at, long meta, long value, long start) {
        int behind = notBefore(sequence, at, RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
        return addBefore(sequence, behind, at, meta, value, start);
    }

    /** Places a row before the first one that is not before it, or behind all others for NONE; returns where. */
    int addBefore(int sequence, int behind, long at, long meta, long value, long start) {
        Block block = block(sequence);
        if (block.count == 0) {
            block = newBlock(sequence);
        }
        txns.retain(RowMeta.slot(meta));
        rowCount++;
        int in = behind == NONE ? block.count : behind;
        makeRoom(block, in);
        int from = block.from + in * width;
        block.numbers[from] = at;
        block.numbers[from + META] = meta;
        block.numbers[from + VALUE] = value;
        if (width > START) {
            block.numbers[from + START] = start;
            longest = Math.max(longest, at - start);
        }
        block.count++;
        return in;
    }

    /** Moves rows so that there is room for one at a place. */
    private void makeRoom(Block block, int in) {
        if (block.from > 0 && in < block.count - in) {
            System.arraycopy(block.numbers, block.from, block.numbers, block.from - width, in * width);
            block.from -= width;
            return;
        }
        if (block.from + (block.count + 1) * width > block.numbers.length) {
            int capacity = block.numbers.length / width;
            moveTo(block, block.count > capacity / 2 ? 2 * capacity : capacity);
        }
        int from = block.from + in * width;
        System.arraycopy(block.numbers, from, block.numbers, from + width, (block.count - in) * width);
    }

    // ---------------------------------------------------------------- removing

    /** Removes all rows before a place; all rows at all for NONE. Transactions without other rows are forgotten. */
    void removeBefore(int sequence, int place) {
        Block block = block(sequence);
        int removed = place == NONE ? block.count : place;
        for (int row = 0; row < removed; row++) {
            txns.release(RowMeta.slot(block.numbers[block.from + row * width + META]));
        }
        rowCount -= removed;
        if (removed == block.count) {
            if (removed > 0) {
                remove(sequence, block);
            }
            return;
        }
        block.from += removed * width;
        block.count -= removed;
        int capacity = block.numbers.length / width;
        if (capacity > 8 * FEWEST_ROWS && block.count <= capacity / 8) {
            moveTo(block, capacity / 4);
        }
    }

    // ---------------------------------------------------------------- state

    /** Writes the rows of a sequence, each with its transaction. */
    void write(int sequence, OnlineKeys keys, ByteWriter to) {
        for (int place = first(sequence); place != NONE; place = next(sequence, place)) {
            long meta = meta(sequence, place);
            to.putVarint(RowMeta.withoutSlot(meta) + 1);
            to.putSigned(at(sequence, place));
            keys.writeValue(value(sequence, place), to);
            txns.write(RowMeta.slot(meta), to);
        }
        to.putVarint(0);
    }

    /** Adds the rows of a sequence; returns whether there are any. */
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
