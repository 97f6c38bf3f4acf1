package io.nightjar.formats.history;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * The lists of a slice whose prefixes are list reads.
 *
 * <pre>
 *   elements:       [ 3 7 9 | 4 | 3 8 ]
 *   firstElementOf: [ 0       3   4     6 ]      one entry more than lists
 * </pre>
 *
 * Elements are longs, or ordinals of the slice's value names if values are strings.
 */
public final class ListPool {

    private long[] elements;
    private int[] firstElementOf;
    private int count;

    public ListPool() {
        this(new long[16], new int[9], 0);
    }

    /** Creates a table that uses these arrays; {@code firstElementOf} has {@code count + 1} valid entries. */
    public ListPool(long[] elements, int[] firstElementOf, int count) {
        this.elements = elements;
        this.firstElementOf = firstElementOf;
        this.count = count;
    }

    public int size() {
        return count;
    }

    public int length(int list) {
        return firstElementOf[list + 1] - firstElementOf[list];
    }

    public long element(int list, int position) {
        return elements[firstElementOf[list] + position];
    }

    /** Returns the array that contains every list; list {@code l} begins at {@link #firstElement}{@code (l)}. */
    public long[] elements() {
        return elements;
    }

    public int firstElement(int list) {
        return firstElementOf[list];
    }

    /** Returns the total number of elements. */
    public int elementCount() {
        return firstElementOf[count];
    }

    /** Returns the memory in bytes. */
    long byteSize() {
        return (long) elements.length * Long.BYTES + (long) firstElementOf.length * Integer.BYTES;
    }

    void replaceElements(LongUnaryOperator replacement) {
        for (int i = 0; i < firstElementOf[count]; i++) {
            elements[i] = replacement.applyAsLong(elements[i]);
        }
    }

    /** Returns a separate table that begins with the same lists. */
    public ListPool copy() {
        return new ListPool(elements.clone(), firstElementOf.clone(), count);
    }

    public int add(long[] from, int offset, int length) {
        int first = firstElementOf[count];
        int end = Math.addExact(first, length);
        if (end > elements.length) {
            elements = Arrays.copyOf(elements, Growth.newCapacity(elements.length, end));
        }
        System.arraycopy(from, offset, elements, first, length);
        if (count + 2 > firstElementOf.length) {
            firstElementOf = Arrays.copyOf(firstElementOf, Growth.newCapacity(firstElementOf.length, count + 2));
        }
        firstElementOf[count + 1] = end;
        return count++;
    }
}
