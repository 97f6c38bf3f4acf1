package io.nightjar.jobs.watch;

import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A set of numbers: one bit each, in blocks of 256, where numbers are dense. */
final class IdSet {

    /*
     * Open addressing by block, at most half full:
     *
     *   blockOf[slot]                  number >> 8; valid where one of the block's bits is set
     *   bits[4 * slot .. 4 * slot + 4]
     *
     * Blocks that turn out to be mostly empty give way to a plain set.
     */

    private static final long[] NONE = {};
    private static final int FEW_BLOCKS = 1 << 14;
    private static final int FEW_IN_BLOCK = 4;

    private static final int WORDS = 4;

    private long[] blockOf = new long[8];
    private long[] bits = new long[8 * WORDS];
    private int blockCount;
    private long count;
    private @Nullable LongSet scattered; // null while blocks are used

    /** Returns whether the number is new. */
    boolean add(long number) {
        if (scattered != null) {
            return scattered.add(number);
        }
        int slot = slot(number >> 8);
        int word = slot * WORDS + (int) (number >>> 6 & WORDS - 1);
        long bit = 1L << number;
        if ((bits[word] & bit) != 0) {
            return false;
        }
        boolean isNewBlock = isFree(slot);
        blockOf[slot] = number >> 8;
        bits[word] |= bit;
        count++;
        if (isNewBlock && 2 * ++blockCount > blockOf.length) {
            grow();
        }
        return true;
    }

    boolean contains(long number) {
        if (scattered != null) {
            return scattered.contains(number);
        }
        int slot = slot(number >> 8);
        return (bits[slot * WORDS + (int) (number >>> 6 & WORDS - 1)] & 1L << number) != 0;
    }

    long byteSize() {
        return scattered == null ? 8L * (blockOf.length + bits.length) : 12L * scattered.size();
    }

    /** Writes the blocks, or one block for each number without blocks. */
    void write(DataOutputStream out) throws IOException {
        out.writeInt(scattered == null ? blockCount : scattered.size());
        if (scattered != null) {
            for (long number : scattered.toLongArray()) {
                out.writeLong(number >> 8);
                for (int word = 0; word < WORDS; word++) {
                    out.writeLong((number >>> 6 & WORDS - 1) == word ? 1L << number : 0);
                }
            }
            return;
        }
        for (int slot = 0; slot < blockOf.length; slot++) {
            if (!isFree(slot)) {
                out.writeLong(blockOf[slot]);
                for (int word = slot * WORDS; word < (slot + 1) * WORDS; word++) {
                    out.writeLong(bits[word]);
                }
            }
        }
    }

    /** Adds the numbers that another set wrote to this empty set. */
    void read(DataInputStream in) throws IOException {
        for (int blocks = in.readInt(); blocks > 0; blocks--) {
            long block = in.readLong();
            for (int word = 0; word < WORDS; word++) {
                for (long left = in.readLong(); left != 0; left &= left - 1) {
                    add(block << 8 | (long) word << 6 | Long.numberOfTrailingZeros(left));
                }
            }
        }
    }

    private boolean isFree(int slot) {
        int from = slot * WORDS;
        return (bits[from] | bits[from + 1] | bits[from + 2] | bits[from + 3]) == 0;
    }

    private int slot(long block) {
        int mask = blockOf.length - 1;
        int slot = (int) Mix.hash(block) & mask;
        while (blockOf[slot] != block && !isFree(slot)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        if (blockCount > FEW_BLOCKS && count < (long) FEW_IN_BLOCK * blockCount) {
            scatter();
            return;
        }
        long[] oldBlocks = blockOf;
        long[] oldBits = bits;
        blockOf = new long[oldBlocks.length * 2];
        bits = new long[oldBits.length * 2];
        for (int old = 0; old < oldBlocks.length; old++) {
            long[] of = Arrays.copyOfRange(oldBits, old * WORDS, (old + 1) * WORDS);
            if ((of[0] | of[1] | of[2] | of[3]) != 0) {
                int slot = slot(oldBlocks[old]);
                blockOf[slot] = oldBlocks[old];
                System.arraycopy(of, 0, bits, slot * WORDS, WORDS);
            }
        }
    }

    private void scatter() {
        scattered = new LongOpenHashSet((int) Math.min(Integer.MAX_VALUE / 2, 2 * count));
        for (int word = 0; word < bits.length; word++) {
            for (long left = bits[word]; left != 0; left &= left - 1) {
                long inBlock = (word % WORDS << 6) + Long.numberOfTrailingZeros(left);
                scattered.add(blockOf[word / WORDS] << 8 | inBlock);
            }
        }
        blockOf = NONE;
        bits = NONE;
    }
}
