package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.infer.ClientHistory;
import org.jspecify.annotations.Nullable;

/** The transactions that write each key: {@code writers[firstWriterOf[key]]} up to the next key's first. */
final class WritersByKey {

    final int[] firstWriterOf;
    final int[] writers;

    private WritersByKey(int[] firstWriterOf, int[] writers) {
        this.firstWriterOf = firstWriterOf;
        this.writers = writers;
    }

    /**
     * @param order all transactions, which determine the order of the writers of a key; null for the order of their
     *     numbers
     */
    static WritersByKey of(ClientHistory history, int @Nullable [] order) {
        int[] first = new int[history.keyCount + 2];
        for (int write = 0; write < history.writeCount; write++) {
            first[history.keyOfWrite[write] + 2]++;
        }
        for (int key = 0; key < history.keyCount; key++) {
            first[key + 2] += first[key + 1];
        }
        int[] writers = new int[history.writeCount];
        for (int i = 0; i < history.txnCount; i++) { // first[key + 1] is the index of the key's next writer
            int txn = order == null ? i : order[i];
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                writers[first[history.keyOfWrite[write] + 1]++] = txn;
            }
        }
        return new WritersByKey(first, writers);
    }
}
