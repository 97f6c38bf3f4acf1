package io.nightjar.pipeline.infer;

import io.nightjar.formats.level.Anomaly;

/**
 * Something about a read or a write that no order of transactions can explain, in ordinals of the {@link OperationLog}.
 *
 * @param txn the reader; for a value written twice the later writer
 * @param op what it did
 * @param otherTxn the writer of what was read, another reader, or {@link #NONE}
 * @param otherOp what that one did, or {@link #NONE}
 * @param element of the list that was read, where one is at fault; else {@link #NONE}
 */
public record ReadFault(Anomaly anomaly, int txn, int op, int otherTxn, int otherOp, int element) {

    public static final int NONE = -1;
}
