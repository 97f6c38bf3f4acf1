package io.nightjar.pipeline.check.timestamp;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.partition.KeyHashes;
import io.nightjar.pipeline.partition.KeyRange;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.Mix;
import java.util.ArrayList;
import java.util.List;

/** Estimate of the memory required to check a lane or a range of it, counted in its chunks before it is built. */
public final class LaneSize {

    /*
     * Layout. The range of keys is cut into CLASSES of equal width, and each counts the data of its keys:
     *
     *   opsOf       operations
     *   txnsOf      transactions with any of them
     *   bytesOf     names and elements that writes bring along
     *   firstOf     hash of the first key; isSeveral is set if a second key occurred
     *
     * Algorithm. Distinct keys are estimated by linear counting: each sets a bit of isSeen by its hash.
     */

    private static final int CLASSES = 1 << 12;
    private static final int SEEN_BITS = 1 << 21;
    private static final int SEGMENT = 1 << 17;
    private static final int LARGEST_DIRECT = 1 << 22;

    private static final int BYTES_PER_TXN = 48;
    private static final int BYTES_PER_TXN_IN_COLUMNS = 29;
    private static final int BYTES_PER_OP_IN_COLUMNS = 13;
    private static final int BYTES_PER_KEY = 48 + 2 + 12 + 16;
    private static final int BYTES_PER_NAME = 22;
    private static final int BYTES_PER_ELEMENT = 12;

    private final KeyRange range;
    private final long classWidth;
    private final int classCount;
    private final long[] opsOf;
    private final long[] txnsOf;
    private final long[] bytesOf;
    private final long[] firstOf;
    private final boolean[] isSeveral;
    private final long[] isSeen = new long[SEEN_BITS / Long.SIZE];
    private final long[] lastTxnOf;
    private final KeyHashes hashes = new KeyHashes();
    private double distinctKeys;
    private long txnNumber;
    private long txnCount;
    private long opCount;
    private long nameBytes;
    private long largestDirect;

    /** @param range range of the counted keys; other keys are skipped */
    public LaneSize(KeyRange range) {
        this.range = range;
        classWidth = Math.max(1, range.width() / CLASSES);
        classCount = (int) ((range.width() + classWidth - 1) / classWidth);
        opsOf = new long[classCount];
        txnsOf = new long[classCount];
        bytesOf = new long[classCount];
        firstOf = new long[classCount];
        isSeveral = new boolean[classCount];
        lastTxnOf = new long[classCount];
    }

    /**
     * Keys that are checked together.
     *
     * @param fits whether they fit into memory according to the counts
     * @param isOneKey whether the range is indivisible
     */
    public record PlannedRange(KeyRange range, boolean fits, boolean isOneKey) {

        /** Returns the two halves of a range that turned out to be too large. */
        public List<PlannedRange> halves() {
            long middle = range.from() + range.width() / 2;
            return List.of(
                    new PlannedRange(new KeyRange(range.from(), middle), true, false),
                    new PlannedRange(new KeyRange(middle, range.to()), true, false));
        }

        /** Returns whether further ranges may be smaller. */
        public boolean isDivisible() {
            return !isOneKey && range.width() > 1;
        }
    }

    /** Counts a chunk. */
    public void add(LaneChunk chunk) {
        hashes.begin(chunk);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            txnNumber++;
            boolean isOpen = false;
            for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
                long hash = hashes.of(chunk.key[op]);
                long position = KeyRange.positionOf(hash);
                if (range.contains(position)) {
                    add((int) ((position - range.from()) / classWidth), hash, chunk, op);
                    isOpen = true;
                }
            }
            txnCount += isOpen ? 1 : 0;
        }
    }

    private void add(int of, long hash, LaneChunk chunk, int op) {
        if (opsOf[of] == 0) {
            firstOf[of] = hash;
        }
        isSeveral[of] |= firstOf[of] != hash;
        opsOf[of]++;
        opCount++;
        txnsOf[of] += lastTxnOf[of] == txnNumber ? 0 : 1;
        lastTxnOf[of] = txnNumber;
        bytesOf[of] += bytesOfValue(chunk, op);
        int bit = (int) Mix.hash(hash) & (SEEN_BITS - 1);
        if ((isSeen[bit >> 6] & 1L << bit) == 0) {
            isSeen[bit >> 6] |= 1L << bit;
            recordKey(chunk, chunk.key[op]);
        }
    }

    /** Adds the memory of a key in addition to its table entry: its name, or its cell in an array of small numbers. */
    private void recordKey(LaneChunk chunk, long key) {
        if (chunk.keyType == ValueType.STRING) {
            nameBytes += BYTES_PER_NAME + requireNonNull(chunk.keyNames).length((int) key) * 3L / 2;
        } else if (key >= 0 && key < LARGEST_DIRECT) {
            largestDirect = Math.max(largestDirect, key);
        }
    }

    /** Returns the bytes of a written value; reads share the values of writes. */
    private static long bytesOfValue(LaneChunk chunk, int op) {
        byte kind = chunk.kind[op];
        if (!LaneOp.isEffective(kind)) {
            return 0;
        }
        StringPool names = chunk.valueType == ValueType.STRING ? chunk.valueNames : null;
        long ofName = names == null ? 0 : BYTES_PER_NAME + names.length((int) chunk.value[op]) * 3L / 2;
        return ofName + (kind == LaneOp.WRITE ? 0 : BYTES_PER_ELEMENT);
    }

    // ---------------------------------------------------------------- answers

    /**
     * Divides the range into as few ranges as possible, each within the given memory; a key that exceeds it is a
     * separate range.
     */
    public List<PlannedRange> ranges(long maxBytes) {
        distinctKeys = distinctKeys();
        long allBytes = 0;
        for (long bytes : bytesOf) {
            allBytes += bytes;
        }
        if (bytes(txnCount, opCount, allBytes, 1) <= maxBytes) {
            return List.of(new PlannedRange(range, true, false));
        }
        List<PlannedRange> ranges = new ArrayList<>();
        int first = 0;
        while (first < classCount) {
            int end = first;
            long txns = 0;
            long ops = 0;
            long extra = 0;
            do {
                txns += txnsOf[end];
                ops += opsOf[end];
                extra += bytesOf[end];
                end++;
            } while (end < classCount
                    && fits(txns + txnsOf[end], ops + opsOf[end], extra + bytesOf[end], end + 1 - first, maxBytes));
            if (ops > 0) {
                boolean fits = fits(txns, ops, extra, end - first, maxBytes);
                boolean isOneKey = end - first == 1 && !isSeveral[first];
                ranges.add(new PlannedRange(rangeOf(first, end), fits, isOneKey));
            }
            first = end;
        }
        return ranges;
    }

    private boolean fits(long txns, long ops, long extra, int classes, long maxBytes) {
        return bytes(Math.min(txns, txnCount), ops, extra, (double) classes / classCount) <= maxBytes;
    }

    private long bytes(long txns, long ops, long extra, double shareOfKeys) {
        double keys = Math.min(ops, distinctKeys * shareOfKeys + 1);
        double ofNames = nameBytes * Math.min(1, keys / Math.max(1, distinctKeys));
        return capacity(txns) * BYTES_PER_TXN_IN_COLUMNS
                + txns * BYTES_PER_TXN
                + capacity(ops) * BYTES_PER_OP_IN_COLUMNS
                + (long) (keys * BYTES_PER_KEY + ofNames)
                + extra
                + 4 * Math.min(2 * largestDirect, Math.min(LARGEST_DIRECT, 512 * ((long) keys + 4096)));
    }

    /** Returns the number of allocated entries of a column. */
    private static long capacity(long entries) {
        if (entries > SEGMENT) {
            return (entries + SEGMENT - 1) / SEGMENT * SEGMENT;
        }
        long capacity = 64;
        while (capacity < entries) {
            capacity *= 4;
        }
        return Math.min(SEGMENT, capacity);
    }

    private double distinctKeys() {
        long zeros = SEEN_BITS;
        for (long word : isSeen) {
            zeros -= Long.bitCount(word);
        }
        return -SEEN_BITS * Math.log(Math.max(1, zeros) / (double) SEEN_BITS);
    }

    private KeyRange rangeOf(int first, int end) {
        long from = range.from() + first * classWidth;
        return new KeyRange(from, end == classCount ? range.to() : range.from() + end * classWidth);
    }
}
