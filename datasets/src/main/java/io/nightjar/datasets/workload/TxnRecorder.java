package io.nightjar.datasets.workload;

import java.io.IOException;

/** Records the observations of clients, one transaction at a time. */
public interface TxnRecorder {

    /** Accepts a transaction that has ended; its content must be copied. */
    void record(RecordedTxn txn) throws IOException;

    /** Completes the recording: all transactions have been recorded. */
    void finish() throws IOException;
}
