package io.nightjar.formats.parquet;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;

/** The distinct numbers of a chunk in order of appearance, while the dictionary is smaller than the plain numbers. */
final class NumberDictionary {

    private static final int LARGEST = 1 << 16;
    private static final int NONE = -1;

    private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
    private long[] numbers = new long[64];
    private int count;

    NumberDictionary() {
        ordinalOf.defaultReturnValue(NONE);
    }

    int size() {
        return count;
    }

    long number(int ordinal) {
        return numbers[ordinal];
    }

    /**
     * Encodes the numbers of one page; adds new numbers.
     *
     * @return false if the page has too many new numbers; the dictionary is then unchanged and may only be
     *     written
     */
    boolean encode(long[] page, int pageCount, int[] ordinals) {
        int before = count;
        int largest = Math.min(LARGEST, before + pageCount / 2);
        for (int i = 0; i < pageCount; i++) {
            int ordinal = ordinalOf.get(page[i]);
            if (ordinal == NONE) {
                if (count == largest) {
                    count = before;
                    return false;
                }
                ordinal = add(page[i]);
            }
            ordinals[i] = ordinal;
        }
        return true;
    }

    private int add(long number) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
        }
        numbers[count] = number;
        ordinalOf.put(number, count);
        return count++;
    }
}
