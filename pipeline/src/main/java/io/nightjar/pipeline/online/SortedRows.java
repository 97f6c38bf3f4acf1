package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;

/** Many sorted sequences of rows: rows are placed by search and leave from the front. */
final class SortedRows {

    /*
     * Rows are sorted by (at, class, id of the transaction). A sequence is one block of rows, which moves to a larger one when
     * it is full, or beyond leafRows a directory of blocks of that size, its leaves.
     *
     *   head(sequence)   the block's first row, or the number of the directory
     *   form(sequence)   EMPTY, or 1 + rows | block's rows << 8, or LARGE
     *
     * A place is leaf << 7 | row in the leaf. Cost of a placement: O(log rows) to find, O(leafRows) to move.
     */

    static final int NONE = -1;

    /** Rows in the largest block. */
    static final int LEAF_ROWS = 64;

    private static final int LARGE = -1;
    private static final int PLACE_BITS = 7;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final int leafRows;
    private final WindowTxns txns;
    private final RowBlocks rows;
    private final SequenceHeads heads = new SequenceHeads();
    private LeafDirectory[] directories = new LeafDirectory[4];
    private int[] nextFreeOf = new int[4]; // by directory that is not in use
    private int directoryCount;
    private int freeDirectory = NONE;
    private long rowCount;
    private long leavesHeld; // by all directories

    /** @param leafRows a power of two, at most {@link #LEAF_ROWS} */
    SortedRows(WindowTxns txns, boolean withStarts, int leafRows) {
        this.txns = txns;
        this.rows = new RowBlocks(txns, withStarts);
        this.leafRows = leafRows;
    }

    /** Rows of all sequences. */
    long rowCount() {
        return rowCount;
    }

    /** Gives up all rows; none is asked for any more. */
    void letGo() {
        rows.letGo();
        heads.letGo();
        directories = new LeafDirectory[0];
        leavesHeld = 0;
    }

    /** Bytes held, free blocks among them. */
    long byteSize() {
        return rows.byteSize() + heads.byteSize() + LeafDirectory.BYTES_OF_LEAF * leavesHeld;
    }

    /** Bytes of blocks that are in use, however many of their rows are. */
    long usedByteSize() {
        return byteSize() - freeByteSize() - heads.byteSize();
    }

    long freeByteSize() {
        return rows.freeByteSize();
    }

    // ---------------------------------------------------------------- rows

    long at(int sequence, int place) {
        return rows.at(row(sequence, place));
    }

    long meta(int sequence, int place) {
        return rows.meta(row(sequence, place));
    }

    void setMeta(int sequence, int place, long meta) {
        rows.setMeta(row(sequence, place), meta);
    }

    long value(int sequence, int place) {
        return rows.value(row(sequence, place));
    }

    long start(int sequence, int place) {
        return rows.start(row(sequence, place));
    }

    private int row(int sequence, int place) {
        int block =
                heads.form(sequence) == LARGE ? directory(sequence).block(place >>> PLACE_BITS) : heads.head(sequence);
        return block + (place & PLACE_MASK);
    }

    /** Looks at the first rows of sequences, those of all at a time, so that their misses of the cache overlap. */
    long touch(int[] sequences, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += heads.isEmpty(sequences[i]) ? 0 : 1;
        }
        for (int i = 0; i < count; i++) {
            int sequence = sequences[i];
            if (!heads.isEmpty(sequence) && heads.form(sequence) != LARGE) {
                seen += rows.at(heads.head(sequence));
            }
        }
        return seen;
    }

    // ---------------------------------------------------------------- walking

    int first(int sequence) {
        return heads.isEmpty(sequence) ? NONE : 0;
    }

    int last(int sequence) {
        if (heads.isEmpty(sequence)) {
            return NONE;
        }
        if (heads.form(sequence) == LARGE) {
            LeafDirectory directory = directory(sequence);
            return lastOf(directory, directory.leafCount() - 1);
        }
        return count(sequence) - 1;
    }

    int next(int sequence, int place) {
        if (heads.form(sequence) != LARGE) {
            return place + 1 < count(sequence) ? place + 1 : NONE;
        }
        LeafDirectory directory = directory(sequence);
        int leaf = place >>> PLACE_BITS;
        if ((place & PLACE_MASK) + 1 < directory.count(leaf)) {
            return place + 1;
        }
        return firstOf(directory, leaf + 1);
    }

    int previous(int sequence, int place) {
        if ((place & PLACE_MASK) > 0) {
            return place - 1;
        }
        return place == 0 ? NONE : lastOf(directory(sequence), (place >>> PLACE_BITS) - 1);
    }

    /** The first row from a place on in a leaf that may have one whose start is before a time. */
    int nextOpenBefore(int sequence, int place, long time) {
        if (place == NONE || heads.form(sequence) != LARGE) {
            return place;
        }
        int leaf = place >>> PLACE_BITS;
        int open = directory(sequence).openBefore(leaf, time);
        return open == leaf ? place : firstOf(directory(sequence), open);
    }

    private LeafDirectory directory(int sequence) {
        return directories[heads.head(sequence)];
    }

    private static int firstOf(LeafDirectory directory, int leaf) {
        return leaf < directory.leafCount() ? leaf << PLACE_BITS : NONE;
    }

    private static int lastOf(LeafDirectory directory, int leaf) {
        return leaf << PLACE_BITS | directory.count(leaf) - 1;
    }

    private static int form(int count, int capacity) {
        return capacity << 8 | count + 1;
    }

    private int count(int sequence) {
        return (heads.form(sequence) & 0xFF) - 1;
    }

    private int capacity(int sequence) {
        return heads.form(sequence) >>> 8;
    }

    // ---------------------------------------------------------------- searching

    /** The first row not before (at, class, id), or NONE. */
    int notBefore(int sequence, long at, int rowClass, long id) {
        if (heads.isEmpty(sequence)) {
            return NONE;
        }
        if (heads.form(sequence) != LARGE) {
            int count = count(sequence);
            int before = rows.countBefore(heads.head(sequence), count, at, rowClass, id);
            return before < count ? before : NONE;
        }
        LeafDirectory directory = directory(sequence);
        int leaf = directory.find(at, rowClass, id);
        int count = directory.count(leaf);
        int before = rows.countBefore(directory.block(leaf), count, at, rowClass, id);
        return before < count ? leaf << PLACE_BITS | before : firstOf(directory, leaf + 1);
    }

    /** The last row before (at, class, id), or NONE. */
    int lastBefore(int sequence, long at, int rowClass, long id) {
        int notBefore = notBefore(sequence, at, rowClass, id);
        return notBefore == NONE ? last(sequence) : previous(sequence, notBefore);
    }

    // ---------------------------------------------------------------- adding

    /** Places a row; returns where. */
    int add(int sequence, long at, long meta, long value, long start) {
        int successor = notBefore(sequence, at, RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
        return addBefore(sequence, successor, at, meta, value, start);
    }

    /** Places a row before the first one that is not before it, or behind all others for NONE; returns where. */
    int addBefore(int sequence, int successor, long at, long meta, long value, long start) {
        heads.ensure(sequence);
        txns.retain(RowMeta.slot(meta));
        rowCount++;
        if (heads.form(sequence) == LARGE) {
            return addToLeaf(sequence, successor, at, meta, value, start);
        }
        int count = heads.isEmpty(sequence) ? 0 : count(sequence);
        if (count == 0) {
            heads.set(sequence, rows.allocate(2), form(0, 2));
        }
        int in = successor == NONE ? count : successor;
        if (count == capacity(sequence)) {
            if (count == leafRows) {
                makeLarge(sequence);
                return addToLeaf(sequence, successor, at, meta, value, start);
            }
            moveTo(sequence, count * 2);
        }
        rows.insert(heads.head(sequence), count, in, at, meta, value, start);
        heads.set(sequence, heads.head(sequence), form(count + 1, capacity(sequence)));
        return in;
    }

    private void moveTo(int sequence, int capacity) {
        int count = count(sequence);
        int from = heads.head(sequence);
        int to = rows.allocate(capacity);
        rows.copy(from, to, count);
        rows.free(from, capacity(sequence));
        heads.set(sequence, to, form(count, capacity));
    }

    private void makeLarge(int sequence) {
        int number = freeDirectory;
        if (number == NONE) {
            number = directoryCount++;
            if (number == directories.length) {
                directories = Arrays.copyOf(directories, number * 2);
                nextFreeOf = Arrays.copyOf(nextFreeOf, number * 2);
            }
            directories[number] = new LeafDirectory(rows, leafRows);
            leavesHeld += directories[number].capacity();
        } else {
            freeDirectory = nextFreeOf[number];
        }
        directories[number].begin(heads.head(sequence), count(sequence));
        heads.set(sequence, number, LARGE);
    }

    private int addToLeaf(int sequence, int successor, long at, long meta, long value, long start) {
        LeafDirectory directory = directory(sequence);
        int leaf = successor == NONE ? directory.leafCount() - 1 : successor >>> PLACE_BITS;
        int in = successor == NONE ? directory.count(leaf) : successor & PLACE_MASK;
        if (in == 0 && leaf > 0) {
            leaf--; // behind its last row there may be room, and no first row changes
            in = directory.count(leaf);
        }
        if (directory.isFull(leaf)) {
            boolean atEnd = leaf + 1 == directory.leafCount() && in == leafRows;
            leavesHeld -= directory.capacity();
            directory.split(leaf, atEnd ? leafRows : leafRows / 2);
            leavesHeld += directory.capacity();
            if (in > directory.count(leaf) || atEnd) {
                in -= directory.count(leaf);
                leaf++;
            }
        }
        directory.insert(leaf, in, at, meta, value, start);
        return leaf << PLACE_BITS | in;
    }

    // ---------------------------------------------------------------- removing

    /** Removes all rows before a place; all rows at all for NONE. Transactions without other rows are forgotten. */
    void removeBefore(int sequence, int place) {
        if (heads.isEmpty(sequence)) {
            return;
        }
        if (heads.form(sequence) != LARGE) {
            int count = count(sequence);
            int removed = place == NONE ? count : place;
            release(heads.head(sequence), removed);
            keepFrom(sequence, removed, count);
            return;
        }
        LeafDirectory directory = directory(sequence);
        int leaf = place == NONE ? directory.leafCount() : place >>> PLACE_BITS;
        for (int whole = 0; whole < leaf; whole++) {
            release(directory.block(whole), directory.count(whole));
        }
        directory.removeFirst(leaf);
        if (place != NONE) {
            int removed = place & PLACE_MASK;
            release(directory.block(0), removed);
            directory.shift(removed);
        }
        if (directory.leafCount() <= 1) {
            makeSmall(sequence, directory);
        }
    }

    private void release(int block, int count) {
        rows.release(block, count);
        rowCount -= count;
    }

    private void makeSmall(int sequence, LeafDirectory directory) {
        int number = heads.head(sequence);
        if (directory.leafCount() == 0) {
            heads.empty(sequence);
        } else {
            heads.set(sequence, directory.block(0), form(directory.count(0), leafRows));
        }
        nextFreeOf[number] = freeDirectory;
        freeDirectory = number;
    }

    /** Keeps the rows of a small sequence from one on, in a smaller block where few are left. */
    private void keepFrom(int sequence, int removed, int count) {
        int kept = count - removed;
        if (kept == 0) {
            rows.free(heads.head(sequence), capacity(sequence));
            heads.empty(sequence);
            return;
        }
        rows.shift(heads.head(sequence), removed, kept);
        heads.set(sequence, heads.head(sequence), form(kept, capacity(sequence)));
        if (removed > 0 && kept * 8 <= capacity(sequence)) {
            moveTo(sequence, Math.max(2, capacity(sequence) / 4));
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
