package io.nightjar.pipeline.partition;

import java.util.Arrays;

/** The ordinals of a table that occur, numbered in the order in which they first do. */
final class UsedOrdinals {

    private static final int UNUSED = -1;

    private int[] numberOf = new int[0]; // by ordinal; UNUSED for ordinals that do not occur
    private int[] ordinalOf = new int[64]; // by number
    private int count;

    /** Clears the used ordinals, at a cost proportional to their number, and allocates a table of the given size. */
    void begin(int poolSize) {
        for (int number = 0; number < count; number++) {
            numberOf[ordinalOf[number]] = UNUSED;
        }
        count = 0;
        if (numberOf.length < poolSize) {
            numberOf = new int[Math.max(poolSize, numberOf.length * 2)];
            Arrays.fill(numberOf, UNUSED);
        }
    }

    int number(int ordinal) {
        int number = numberOf[ordinal];
        return number != UNUSED ? number : add(ordinal);
    }

    int count() {
        return count;
    }

    int ordinalOf(int number) {
        return ordinalOf[number];
    }

    private int add(int ordinal) {
        if (count == ordinalOf.length) {
            ordinalOf = Arrays.copyOf(ordinalOf, count * 2);
        }
        ordinalOf[count] = ordinal;
        numberOf[ordinal] = count;
        return count++;
    }
}
