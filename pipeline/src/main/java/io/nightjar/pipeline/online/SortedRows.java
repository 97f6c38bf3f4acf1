package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Arrays;

/** Many sorted sequences of rows, as numbers in shared pages: rows are placed by search and leave from the front. */
final class SortedRows {

    /*
     * A row is a few longs next to each other in a page:
     *
     *   at       the timestamp that it stands at
     *   meta     slot of its transaction (32 bits) | flips (16) | marks (14) | class (2)
     *   value
     *   start    of its transaction, only where rows are versions
     *
     * sorted by (at, class, id of the transaction). Rows lie in blocks of 2, 4, 8 .. leafRows rows. A sequence is one block,
     * which moves to a larger one when it is full, or beyond leafRows a directory of blocks of that size, its leaves. For
     * each leaf of versions the directory knows the least start of its rows, so that a search for those that were open at
     * some time passes over leaves, and the time of each leaf's first row, so that finding a leaf reads the directory only.
     *
     *   head(sequence)   the block's first row, or the number of the directory
     *   form(sequence)   EMPTY, or 1 + rows | block's rows << 8, or LARGE
     *
     *   heads[sequence >> HEAD_BITS][2 * (sequence & HEAD_MASK) ..]   both; null where all are empty
     *
     * A place is leaf << 7 | row in the leaf. Cost of a placement: O(log rows) to find, O(leafRows) to move.
     */

    static final int NONE = -1;

    /** Rows in the largest block. */
    static final int LEAF_ROWS = 64;

    private static final int EMPTY = 0;
    private static final int LARGE = -1;
    private static final int PLACE_BITS = 7;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
    private static final int PAGE_BITS = 14;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_ROWS - 1;

    private static final int HEAD_BITS = 8;
    private static final int HEAD_MASK = (1 << HEAD_BITS) - 1;
    private static final long BYTES_OF_HEADS = 8L << HEAD_BITS;

    private static final long BYTES_OF_LEAF = 24;

    private static final int CLASS_MASK = 3;
    private static final int FLIP_SHIFT = 16;
    private static final long ONE_FLIP = 1L << FLIP_SHIFT;
    private static final long FLIPS = 0xFFFFL << FLIP_SHIFT;

    private final int leafRows;
    private final int width;
    private final WindowTxns txns;
    private long[][] pages = new long[4][];
    private int pageCount;
    private int nextRow = PAGE_ROWS; // in the last page
    private final int[] freeOf = new int[8]; // by size class, the first free block; linked by their first long
    private int[][] heads = new int[4][];
    private int[] filledOf = new int[4]; // by page of heads, how many are not empty
    private int headPages; // that are there
    private int[] spareHeads; // a page of empty ones, or null
    private Directory[] directories = new Directory[4];
    private int directoryCount;
    private int freeDirectory = NONE;
    private long rowCount;
    private long freeRows; // in free blocks
    private long leavesHeld; // by all directories

    /** The leaves of a long sequence. */
    private static final class Directory {
        private int[] leafOf = new int[8];
        private int[] countOf = new int[8];
        private long[] firstAtOf = new long[8];
        private long[] leastStartOf = new long[8];
        private int leafCount;
        private int nextFree;
    }

    /** @param leafRows a power of two, at most {@link #LEAF_ROWS} */
    SortedRows(WindowTxns txns, boolean withStarts, int leafRows) {
        this.txns = txns;
        this.width = withStarts ? 4 : 3;
        this.leafRows = leafRows;
        Arrays.fill(freeOf, NONE);
    }

    /** Rows of all sequences. */
    long rowCount() {
        return rowCount;
    }

    /** Gives up all rows; none is asked for any more. */
    void letGo() {
        pages = new long[0][];
        pageCount = 0;
        nextRow = PAGE_ROWS;
        freeRows = 0;
        directories = new Directory[0];
        leavesHeld = 0;
        heads = new int[0][];
        headPages = 0;
    }

    /** Bytes held, free blocks among them. */
    long byteSize() {
        return (long) pageCount * PAGE_ROWS * width * Long.BYTES + headBytes() + BYTES_OF_LEAF * leavesHeld;
    }

    private long headBytes() {
        return BYTES_OF_HEADS * headPages + 12L * heads.length;
    }

    /** Bytes of blocks that are in use, however many of their rows are. */
    long usedByteSize() {
        return byteSize() - freeByteSize() - headBytes();
    }

    long freeByteSize() {
        return (PAGE_ROWS - nextRow + freeRows) * width * Long.BYTES;
    }

    // ---------------------------------------------------------------- rows

    static long meta(int slot, int marks, int rowClass) {
        return (long) slot << 32 | (long) marks << 2 | rowClass;
    }

    static int slot(long meta) {
        return (int) (meta >>> 32);
    }

    static int rowClass(long meta) {
        return (int) meta & CLASS_MASK;
    }

    static int flips(long meta) {
        return (int) ((meta & FLIPS) >>> FLIP_SHIFT);
    }

    /** One more flip, up to as many as fit. */
    static long flipped(long meta) {
        return (meta & FLIPS) == FLIPS ? meta : meta + ONE_FLIP;
    }

    long at(int sequence, int place) {
        int row = row(sequence, place);
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width];
    }

    long meta(int sequence, int place) {
        int row = row(sequence, place);
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 1];
    }

    void setMeta(int sequence, int place, long meta) {
        int row = row(sequence, place);
        pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 1] = meta;
    }

    long value(int sequence, int place) {
        int row = row(sequence, place);
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 2];
    }

    long start(int sequence, int place) {
        int row = row(sequence, place);
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 3];
    }

    private int row(int sequence, int place) {
        int block = form(sequence) == LARGE ? directories[head(sequence)].leafOf[place >>> PLACE_BITS] : head(sequence);
        return block + (place & PLACE_MASK);
    }

    // ---------------------------------------------------------------- walking

    private boolean isEmpty(int sequence) {
        int page = sequence >>> HEAD_BITS;
        return page >= heads.length || heads[page] == null || form(sequence) == EMPTY;
    }

    int first(int sequence) {
        return isEmpty(sequence) ? NONE : 0;
    }

    int last(int sequence) {
        if (isEmpty(sequence)) {
            return NONE;
        }
        if (form(sequence) == LARGE) {
            Directory directory = directories[head(sequence)];
            int leaf = directory.leafCount - 1;
            return leaf << PLACE_BITS | directory.countOf[leaf] - 1;
        }
        return count(sequence) - 1;
    }

    int next(int sequence, int place) {
        if (form(sequence) != LARGE) {
            return place + 1 < count(sequence) ? place + 1 : NONE;
        }
        Directory directory = directories[head(sequence)];
        int leaf = place >>> PLACE_BITS;
        if ((place & PLACE_MASK) + 1 < directory.countOf[leaf]) {
            return place + 1;
        }
        return leaf + 1 < directory.leafCount ? leaf + 1 << PLACE_BITS : NONE;
    }

    int previous(int sequence, int place) {
        if ((place & PLACE_MASK) > 0) {
            return place - 1;
        }
        if (place == 0) {
            return NONE;
        }
        int leaf = (place >>> PLACE_BITS) - 1;
        return leaf << PLACE_BITS | directories[head(sequence)].countOf[leaf] - 1;
    }

    /** The first row from a place on in a leaf that may have one whose start is before a time. */
    int nextOpenBefore(int sequence, int place, long time) {
        if (place == NONE || form(sequence) != LARGE) {
            return place;
        }
        Directory directory = directories[head(sequence)];
        int leaf = place >>> PLACE_BITS;
        if (directory.leastStartOf[leaf] < time) {
            return place;
        }
        do {
            leaf++;
        } while (leaf < directory.leafCount && directory.leastStartOf[leaf] >= time);
        return leaf < directory.leafCount ? leaf << PLACE_BITS : NONE;
    }

    private int count(int sequence) {
        return (form(sequence) & 0xFF) - 1;
    }

    private int capacity(int sequence) {
        return form(sequence) >>> 8;
    }

    // ---------------------------------------------------------------- searching

    /** The first row not before (at, class, id), or NONE. */
    int notBefore(int sequence, long at, int rowClass, long id) {
        if (isEmpty(sequence)) {
            return NONE;
        }
        int leaf = 0;
        int block = head(sequence);
        int count;
        if (form(sequence) == LARGE) {
            Directory directory = directories[head(sequence)];
            leaf = leafOf(directory, at, rowClass, id);
            block = directory.leafOf[leaf];
            count = directory.countOf[leaf];
        } else {
            count = count(sequence);
        }
        int inLeaf = search(block, count, at, rowClass, id);
        if (inLeaf < count) {
            return leaf << PLACE_BITS | inLeaf;
        }
        boolean isLast = form(sequence) != LARGE || leaf + 1 == directories[head(sequence)].leafCount;
        return isLast ? NONE : leaf + 1 << PLACE_BITS;
    }

    /** The last row before (at, class, id), or NONE. */
    int lastBefore(int sequence, long at, int rowClass, long id) {
        int notBefore = notBefore(sequence, at, rowClass, id);
        return notBefore == NONE ? last(sequence) : previous(sequence, notBefore);
    }

    /** The last leaf whose first row is before, else the first leaf. */
    private int leafOf(Directory directory, long at, int rowClass, long id) {
        int low = directory.leafCount - 1;
        if (isLeafBefore(directory, low, at, rowClass, id)) {
            return low; // nearly everything arrives late in its sequence
        }
        int high = low - 1;
        for (int step = 1; low > 0 && !isLeafBefore(directory, low, at, rowClass, id); step *= 2) {
            high = low - 1;
            low = Math.max(0, low - step);
        }
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (isLeafBefore(directory, middle, at, rowClass, id)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private boolean isLeafBefore(Directory directory, int leaf, long at, int rowClass, long id) {
        long first = directory.firstAtOf[leaf];
        return first < at || first == at && isBefore(directory.leafOf[leaf], at, rowClass, id);
    }

    private int search(int block, int count, long at, int rowClass, long id) {
        if (isBefore(block + count - 1, at, rowClass, id)) {
            return count;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBefore(block + middle, at, rowClass, id)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBefore(int row, long at, int rowClass, long id) {
        long[] page = pages[row >>> PAGE_BITS];
        int from = (row & PAGE_MASK) * width;
        if (page[from] != at) {
            return page[from] < at;
        }
        long meta = page[from + 1];
        if (rowClass(meta) != rowClass) {
            return rowClass(meta) < rowClass;
        }
        return txns.id(slot(meta)) < id;
    }

    // ---------------------------------------------------------------- adding

    /** Places a row; returns where. */
    int add(int sequence, long at, long meta, long value, long start) {
        int behind = notBefore(sequence, at, rowClass(meta), txns.id(slot(meta)));
        return addBefore(sequence, behind, at, meta, value, start);
    }

    /** Places a row before the first one that is not before it, or behind all others for NONE; returns where. */
    int addBefore(int sequence, int behind, long at, long meta, long value, long start) {
        ensureSequence(sequence);
        txns.retain(slot(meta));
        rowCount++;
        if (form(sequence) == LARGE) {
            return addToLeaf(sequence, behind, at, meta, value, start);
        }
        int count = form(sequence) == EMPTY ? 0 : count(sequence);
        if (count == 0) {
            setHead(sequence, allocate(0), form(0, 2));
        }
        int in = behind == NONE ? count : behind;
        if (count == capacity(sequence)) {
            if (count == leafRows) {
                makeLarge(sequence);
                return addToLeaf(sequence, behind, at, meta, value, start);
            }
            moveTo(sequence, count * 2);
        }
        insert(head(sequence), count, in, at, meta, value, start);
        setHead(sequence, head(sequence), form(count + 1, capacity(sequence)));
        return in;
    }

    private static int form(int count, int capacity) {
        return capacity << 8 | count + 1;
    }

    private void moveTo(int sequence, int capacity) {
        int count = count(sequence);
        int from = head(sequence);
        int to = allocate(sizeClass(capacity));
        copy(from, to, count);
        free(from, sizeClass(capacity(sequence)));
        setHead(sequence, to, form(count, capacity));
    }

    private void makeLarge(int sequence) {
        int number = freeDirectory;
        if (number == NONE) {
            number = directoryCount++;
            if (number == directories.length) {
                directories = Arrays.copyOf(directories, number * 2);
            }
            directories[number] = new Directory();
            leavesHeld += directories[number].leafOf.length;
        } else {
            freeDirectory = directories[number].nextFree;
        }
        Directory directory = directories[number];
        directory.leafCount = 1;
        directory.leafOf[0] = head(sequence);
        directory.countOf[0] = count(sequence);
        directory.firstAtOf[0] = firstAt(head(sequence));
        directory.leastStartOf[0] = leastStart(head(sequence), count(sequence));
        setHead(sequence, number, LARGE);
    }

    private long firstAt(int block) {
        return pages[block >>> PAGE_BITS][(block & PAGE_MASK) * width];
    }

    private long leastStart(int block, int count) {
        long least = Long.MAX_VALUE;
        for (int row = block; width == 4 && row < block + count; row++) {
            least = Math.min(least, pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 3]);
        }
        return least;
    }

    private int addToLeaf(int sequence, int behind, long at, long meta, long value, long start) {
        Directory directory = directories[head(sequence)];
        int leaf = behind == NONE ? directory.leafCount - 1 : behind >>> PLACE_BITS;
        int in = behind == NONE ? directory.countOf[leaf] : behind & PLACE_MASK;
        if (in == 0 && leaf > 0) {
            leaf--; // behind its last row there may be room, and no first row changes
            in = directory.countOf[leaf];
        }
        if (directory.countOf[leaf] == leafRows) {
            boolean atEnd = leaf + 1 == directory.leafCount && in == leafRows;
            split(directory, leaf, atEnd ? leafRows : leafRows / 2);
            if (in > directory.countOf[leaf] || atEnd) {
                in -= directory.countOf[leaf];
                leaf++;
            }
        }
        insert(directory.leafOf[leaf], directory.countOf[leaf], in, at, meta, value, start);
        directory.countOf[leaf]++;
        if (in == 0) {
            directory.firstAtOf[leaf] = at;
        }
        directory.leastStartOf[leaf] = Math.min(directory.leastStartOf[leaf], start);
        return leaf << PLACE_BITS | in;
    }

    /** Puts the rows of a leaf from one on into a new leaf behind it. */
    private void split(Directory directory, int leaf, int from) {
        int count = directory.leafCount;
        if (count == directory.leafOf.length) {
            directory.leafOf = Arrays.copyOf(directory.leafOf, count * 2);
            directory.countOf = Arrays.copyOf(directory.countOf, count * 2);
            directory.firstAtOf = Arrays.copyOf(directory.firstAtOf, count * 2);
            directory.leastStartOf = Arrays.copyOf(directory.leastStartOf, count * 2);
            leavesHeld += count;
        }
        System.arraycopy(directory.leafOf, leaf + 1, directory.leafOf, leaf + 2, count - leaf - 1);
        System.arraycopy(directory.countOf, leaf + 1, directory.countOf, leaf + 2, count - leaf - 1);
        System.arraycopy(directory.firstAtOf, leaf + 1, directory.firstAtOf, leaf + 2, count - leaf - 1);
        System.arraycopy(directory.leastStartOf, leaf + 1, directory.leastStartOf, leaf + 2, count - leaf - 1);
        int block = allocate(sizeClass(leafRows));
        int moved = directory.countOf[leaf] - from;
        copy(directory.leafOf[leaf] + from, block, moved);
        directory.leafOf[leaf + 1] = block;
        directory.countOf[leaf + 1] = moved;
        directory.firstAtOf[leaf + 1] = moved == 0 ? Long.MAX_VALUE : firstAt(block);
        directory.leastStartOf[leaf + 1] = leastStart(block, moved);
        directory.countOf[leaf] = from;
        directory.leastStartOf[leaf] = leastStart(directory.leafOf[leaf], from);
        directory.leafCount++;
    }

    private void insert(int block, int count, int in, long at, long meta, long value, long start) {
        long[] page = pages[block >>> PAGE_BITS];
        int to = ((block & PAGE_MASK) + in) * width;
        System.arraycopy(page, to, page, to + width, (count - in) * width);
        page[to] = at;
        page[to + 1] = meta;
        page[to + 2] = value;
        if (width == 4) {
            page[to + 3] = start;
        }
    }

    private void copy(int from, int to, int count) {
        if (count == 0) {
            return; // behind the last row of the last page is none
        }
        System.arraycopy(
                pages[from >>> PAGE_BITS],
                (from & PAGE_MASK) * width,
                pages[to >>> PAGE_BITS],
                (to & PAGE_MASK) * width,
                count * width);
    }

    // ---------------------------------------------------------------- removing

    /** Removes all rows before a place; all rows at all for NONE. Transactions without other rows are forgotten. */
    void removeBefore(int sequence, int place) {
        if (isEmpty(sequence)) {
            return;
        }
        if (form(sequence) != LARGE) {
            int count = count(sequence);
            int removed = place == NONE ? count : place;
            forget(head(sequence), removed);
            keepFrom(sequence, removed, count);
            return;
        }
        Directory directory = directories[head(sequence)];
        int leaf = place == NONE ? directory.leafCount : place >>> PLACE_BITS;
        for (int whole = 0; whole < leaf; whole++) {
            forget(directory.leafOf[whole], directory.countOf[whole]);
            free(directory.leafOf[whole], sizeClass(leafRows));
        }
        dropLeaves(directory, leaf);
        if (place != NONE) {
            int removed = place & PLACE_MASK;
            int count = directory.countOf[0] - removed;
            forget(directory.leafOf[0], removed);
            shift(directory.leafOf[0], removed, count);
            directory.countOf[0] = count;
            directory.firstAtOf[0] = firstAt(directory.leafOf[0]);
        }
        if (directory.leafCount <= 1) {
            makeSmall(sequence, directory);
        }
    }

    private void forget(int block, int count) {
        for (int row = block; row < block + count; row++) {
            txns.release(slot(pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 1]));
        }
        rowCount -= count;
    }

    private void shift(int block, int by, int count) {
        if (by > 0) {
            copy(block + by, block, count);
        }
    }

    private void dropLeaves(Directory directory, int count) {
        int kept = directory.leafCount - count;
        System.arraycopy(directory.leafOf, count, directory.leafOf, 0, kept);
        System.arraycopy(directory.countOf, count, directory.countOf, 0, kept);
        System.arraycopy(directory.firstAtOf, count, directory.firstAtOf, 0, kept);
        System.arraycopy(directory.leastStartOf, count, directory.leastStartOf, 0, kept);
        directory.leafCount = kept;
    }

    private void makeSmall(int sequence, Directory directory) {
        int number = head(sequence);
        if (directory.leafCount == 0) {
            empty(sequence);
        } else {
            setHead(sequence, directory.leafOf[0], form(directory.countOf[0], leafRows));
        }
        directory.leafCount = 0;
        directory.nextFree = freeDirectory;
        freeDirectory = number;
    }

    /** Keeps the rows of a small sequence from one on, in a smaller block where few are left. */
    private void keepFrom(int sequence, int removed, int count) {
        int kept = count - removed;
        if (kept == 0) {
            free(head(sequence), sizeClass(capacity(sequence)));
            empty(sequence);
            return;
        }
        shift(head(sequence), removed, kept);
        setHead(sequence, head(sequence), form(kept, capacity(sequence)));
        if (removed > 0 && kept * 8 <= capacity(sequence)) {
            moveTo(sequence, Math.max(2, capacity(sequence) / 4));
        }
    }

    // ---------------------------------------------------------------- blocks

    private int head(int sequence) {
        return heads[sequence >>> HEAD_BITS][2 * (sequence & HEAD_MASK)];
    }

    private int form(int sequence) {
        return heads[sequence >>> HEAD_BITS][2 * (sequence & HEAD_MASK) + 1];
    }

    /** A sequence that is empty has its page already. */
    private void setHead(int sequence, int head, int form) {
        int page = sequence >>> HEAD_BITS;
        int at = 2 * (sequence & HEAD_MASK);
        filledOf[page] += heads[page][at + 1] == EMPTY ? 1 : 0;
        heads[page][at] = head;
        heads[page][at + 1] = form;
    }

    private void empty(int sequence) {
        int page = sequence >>> HEAD_BITS;
        heads[page][2 * (sequence & HEAD_MASK) + 1] = EMPTY;
        if (--filledOf[page] == 0) {
            spareHeads = heads[page];
            heads[page] = null;
            headPages--;
        }
    }

    private void ensureSequence(int sequence) {
        int page = sequence >>> HEAD_BITS;
        if (page >= heads.length) {
            heads = Arrays.copyOf(heads, Math.max(page + 1, heads.length * 2));
            filledOf = Arrays.copyOf(filledOf, heads.length);
        }
        if (heads[page] == null) {
            heads[page] = spareHeads == null ? new int[2 << HEAD_BITS] : spareHeads;
            spareHeads = null;
            headPages++;
        }
    }

    /** Class 0 has two rows, each next one twice as many. */
    private static int sizeClass(int rows) {
        return Integer.numberOfTrailingZeros(rows) - 1;
    }

    private int allocate(int sizeClass) {
        int block = freeOf[sizeClass];
        if (block != NONE) {
            freeOf[sizeClass] = (int) pages[block >>> PAGE_BITS][(block & PAGE_MASK) * width];
            freeRows -= 2L << sizeClass;
            return block;
        }
        if (sizeClass == sizeClass(LEAF_ROWS)) {
            return allocateLargest();
        }
        block = allocate(sizeClass + 1);
        free(block + (2 << sizeClass), sizeClass);
        return block;
    }

    private int allocateLargest() {
        if (nextRow == PAGE_ROWS) {
            if (pageCount == pages.length) {
                pages = Arrays.copyOf(pages, pageCount * 2);
            }
            pages[pageCount++] = new long[PAGE_ROWS * width];
            nextRow = 0;
        }
        int block = pageCount - 1 << PAGE_BITS | nextRow;
        nextRow += LEAF_ROWS;
        return block;
    }

    private void free(int block, int sizeClass) {
        pages[block >>> PAGE_BITS][(block & PAGE_MASK) * width] = freeOf[sizeClass];
        freeOf[sizeClass] = block;
        freeRows += 2L << sizeClass;
    }

    // ---------------------------------------------------------------- state

    /** Writes the rows of a sequence, each with its transaction. */
    void write(int sequence, WindowKeys keys, ByteSink to) {
        for (int place = first(sequence); place != NONE; place = next(sequence, place)) {
            long meta = meta(sequence, place);
            to.putVarint((meta & 0xFFFFFFFFL) + 1);
            to.putSigned(at(sequence, place));
            keys.writeValue(value(sequence, place), to);
            txns.write(slot(meta), to);
        }
        to.putVarint(0);
    }

    /** Adds the rows of a sequence; returns whether there are any. */
    boolean read(int sequence, WindowKeys keys, ByteFeed from) {
        boolean isAny = false;
        for (long meta = from.getVarint(); meta != 0; meta = from.getVarint()) {
            long at = from.getSigned();
            long value = keys.readValue(from);
            int slot = txns.read(from);
            add(sequence, at, meta - 1 | (long) slot << 32, value, txns.start(slot));
            txns.release(slot);
            isAny = true;
        }
        return isAny;
    }
}
