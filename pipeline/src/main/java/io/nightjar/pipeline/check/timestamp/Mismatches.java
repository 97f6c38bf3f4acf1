package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.primitive.IntColumn;

/** Reads that did not return their snapshot's state, in sweep order: all are counted, the first ones are stored. */
final class Mismatches {

    private final int limit;
    private long count;
    private final IntColumn reader = new IntColumn();
    private final IntColumn read = new IntColumn();
    private final IntColumn expectedWriter = new IntColumn();
    private final IntColumn expectedLength = new IntColumn();

    Mismatches(int limit) {
        this.limit = limit;
    }

    /**
     * @param txn the reader
     * @param op its read
     * @param writer the transaction whose write its snapshot shows last, or {@link Lane#NONE}
     * @param length how many elements the snapshot's list has; 0 for registers
     */
    void add(int txn, int op, int writer, int length) {
        count++;
        if (count <= limit) {
            reader.add(txn);
            read.add(op);
            expectedWriter.add(writer);
            expectedLength.add(length);
        }
    }

    long count() {
        return count;
    }

    int kept() {
        return reader.size();
    }

    int reader(int i) {
        return reader.get(i);
    }

    int read(int i) {
        return read.get(i);
    }

    int expectedWriter(int i) {
        return expectedWriter.get(i);
    }

    int expectedLength(int i) {
        return expectedLength.get(i);
    }
}
