package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;

/** Some writers, each with a column of bits, and which columns write a key. Filled again and again. */
final class WriterBlock {

    /*
     * Layout.
     *
     *   column   0 .. size     a writer
     *   columns of a key       column(firstColumn(key)) .. column(endOfColumns(key) - 1), ascending
     *   the same as bits       maskWord(key, 0) .. maskWord(key, words - 1), only for keys with more columns than words
     */

    private final ClientHistory history;
    private final int words;
    private final int[] txnOf;
    private int size;

    /** Number of times the block was filled; marks the valid entries by key. */
    private int round;

    private final int[] indexedIn;
    private final int[] firstColumnOf;
    private final int[] columnCountOf;
    private int[] columns = new int[0];
    private final int[] firstMaskWordOf;
    private long[] masks = new long[0];

    WriterBlock(ClientHistory history, int words) {
        this.history = history;
        this.words = words;
        this.txnOf = new int[words * Long.SIZE];
        this.indexedIn = new int[history.keyCount];
        this.firstColumnOf = new int[history.keyCount];
        this.columnCountOf = new int[history.keyCount];
        this.firstMaskWordOf = new int[history.keyCount];
    }

    void clear() {
        size = 0;
    }

    boolean isFull() {
        return size == txnOf.length;
    }

    int size() {
        return size;
    }

    void add(int txn) {
        txnOf[size++] = txn;
    }

    int txn(int column) {
        return txnOf[column];
    }

    int firstColumn(int key) {
        return indexedIn[key] == round ? firstColumnOf[key] : 0;
    }

    int endOfColumns(int key) {
        return indexedIn[key] == round ? firstColumnOf[key] + columnCountOf[key] : 0;
    }

    int column(int index) {
        return columns[index];
    }

    /** Returns whether enough of the writers write a key to make processing them as bits worthwhile. */
    boolean hasMask(int key) {
        return indexedIn[key] == round && columnCountOf[key] > words;
    }

    long maskWord(int key, int word) {
        return masks[firstMaskWordOf[key] + word];
    }

    /** Returns, by word, the bits without a writer. */
    long[] unusedBits() {
        long[] unused = new long[words];
        Arrays.fill(unused, -1L);
        for (int column = 0; column < size; column++) {
            unused[column >> 6] &= ~(1L << column);
        }
        return unused;
    }

    /** Makes the block ready for questions when the last writer is in. */
    void index() {
        round++;
        IntColumn keys = new IntColumn();
        int count = 0;
        for (int column = 0; column < size; column++) {
            int txn = txnOf[column];
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                if (indexedIn[key] != round) {
                    indexedIn[key] = round;
                    columnCountOf[key] = 0;
                    keys.add(key);
                }
                columnCountOf[key]++;
                count++;
            }
        }
        if (columns.length < count) {
            columns = new int[count];
        }
        int first = 0;
        for (int i = 0; i < keys.size(); i++) {
            firstColumnOf[keys.get(i)] = first;
            first += columnCountOf[keys.get(i)];
            columnCountOf[keys.get(i)] = 0;
        }
        for (int column = 0; column < size; column++) {
            int txn = txnOf[column];
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                columns[firstColumnOf[key] + columnCountOf[key]++] = column;
            }
        }
        indexMasks(keys);
    }

    private void indexMasks(IntColumn keys) {
        int count = 0;
        for (int i = 0; i < keys.size(); i++) {
            if (hasMask(keys.get(i))) {
                firstMaskWordOf[keys.get(i)] = count;
                count += words;
            }
        }
        masks = new long[count];
        for (int i = 0; i < keys.size(); i++) {
            int key = keys.get(i);
            for (int column = firstColumn(key); hasMask(key) && column < endOfColumns(key); column++) {
                masks[firstMaskWordOf[key] + (columns[column] >> 6)] |= 1L << columns[column];
            }
        }
    }
}
