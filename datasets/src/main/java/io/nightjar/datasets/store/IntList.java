package io.nightjar.datasets.store;

import java.util.Arrays;

/** Numbers in a row. */
final class IntList {

    int count;
    int[] number = new int[4];

    void add(int position) {
        if (count == number.length) {
            number = Arrays.copyOf(number, 2 * count);
        }
        number[count++] = position;
    }

    int last() {
        return number[count - 1];
    }

    /** Returns the number of smaller elements of an ascending list. */
    int below(int bound) {
        int position = Arrays.binarySearch(number, 0, count, bound);
        return position >= 0 ? position : -position - 1;
    }
}
