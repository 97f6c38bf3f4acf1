package io.nightjar.jobs.watch;

import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
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

    /**
     * The numbers of a set.
     *
     * @param blocks the blocks with any number; without bits, the numbers themselves
     * @param bits of the blocks
     */
    record State(long[] blocks, long[] bits) {}

    State state() {
        if (scattered != null) {
            return new State(scattered.toLongArray(), NONE);
        }
        State state = new State(new long[blockCount], new long[WORDS * blockCount]);
        int count = 0;
        for (int slot = 0; slot < blockOf.length; slot++) {
            if (!isFree(slot)) {
                state.blocks[count] = blockOf[slot];
                System.arraycopy(bits, WORDS * slot, state.bits, WORDS * count++, WORDS);
            }
        }
        return state;
    }

    void addAll(State state) {
        for (int block = 0; block < state.blocks.length; block++) {
            if (state.bits.length == 0) {
                add(state.blocks[block]);
            }
            for (int word = 0; word < WORDS && state.bits.length > 0; word++) {
                for (long left = state.bits[WORDS * block + word]; left != 0; left &= left - 1) {
                    add(state.blocks[block] << 8 | (long) word << 6 | Long.numberOfTrailingZeros(left));
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
