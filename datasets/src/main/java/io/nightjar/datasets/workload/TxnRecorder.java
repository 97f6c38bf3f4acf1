package io.nightjar.datasets.workload;

import java.io.IOException;

/** Writes down what clients saw, one transaction at a time. */
public interface TxnRecorder {

    /** Takes a transaction that has ended; what is in it must be copied. */
    void record(RecordedTxn txn) throws IOException;

    /** All transactions have been recorded. */
    void finish() throws IOException;
}
