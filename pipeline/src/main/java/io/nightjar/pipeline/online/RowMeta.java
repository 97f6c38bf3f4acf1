package io.nightjar.pipeline.online;

/** What a row knows beside its time and value, in one long. */
final class RowMeta {

    /*
     *   slot of its transaction (32 bits) | flips (16) | marks (14) | class (2)
     */

    private static final int CLASS_MASK = 3;
    private static final int MARKS_SHIFT = 2;
    private static final int MARKS_MASK = 0x3FFF;
    private static final int FLIP_SHIFT = 16;
    private static final long ONE_FLIP = 1L << FLIP_SHIFT;
    private static final long FLIPS = 0xFFFFL << FLIP_SHIFT;
    private static final int SLOT_SHIFT = 32;
    private static final long AFTER_SLOT = (1L << SLOT_SHIFT) - 1;

    private RowMeta() {}

    static long of(int slot, int marks, int rowClass) {
        return (long) slot << SLOT_SHIFT | (long) marks << MARKS_SHIFT | rowClass;
    }

    static int slot(long meta) {
        return (int) (meta >>> SLOT_SHIFT);
    }

    static long withoutSlot(long meta) {
        return meta & AFTER_SLOT;
    }

    /** Returns the number with a slot, which it lacks. */
    static long withSlot(long meta, int slot) {
        return meta | (long) slot << SLOT_SHIFT;
    }

    static int rowClass(long meta) {
        return (int) meta & CLASS_MASK;
    }

    static int marks(long meta) {
        return (int) meta >>> MARKS_SHIFT & MARKS_MASK;
    }

    static boolean has(long meta, int mark) {
        return (marks(meta) & mark) != 0;
    }

    static long withMark(long meta, int mark, boolean isSet) {
        long bit = (long) mark << MARKS_SHIFT;
        return isSet ? meta | bit : meta & ~bit;
    }

    static int flips(long meta) {
        return (int) ((meta & FLIPS) >>> FLIP_SHIFT);
    }

    /** Returns the number with one more flip, up to as many as fit. */
    static long flipped(long meta) {
        return (meta & FLIPS) == FLIPS ? meta : meta + ONE_FLIP;
    }
}
