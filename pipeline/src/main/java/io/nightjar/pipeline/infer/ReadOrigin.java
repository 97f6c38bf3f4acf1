package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.TxnStatus;

/** Origin of a value that was read, as far as its writer is known: one of these codes. */
public final class ReadOrigin {

    /** No transaction wrote it. */
    public static final byte NOWHERE = 0;

    /** The reader itself wrote it, sooner or later. */
    public static final byte OWN = 1;

    /** Its writer aborted. */
    public static final byte ABORTED = 2;

    /** Several transactions that did not abort wrote it. */
    public static final byte SEVERAL = 3;

    /** Its writer wrote the key again afterwards. */
    public static final byte INTERMEDIATE = 4;

    /** Its writer left it. */
    public static final byte FINAL = 5;

    private ReadOrigin() {}

    /**
     * @param writer a transaction, or the constant of {@link Versions} if the value has no single writer
     * @param isReplaced whether it wrote the key again
     */
    static byte of(OperationLog log, int writer, boolean isReplaced, int reader) {
        if (writer == Versions.SEVERAL) {
            return SEVERAL;
        }
        if (writer < 0) {
            return NOWHERE;
        }
        if (writer == reader) {
            return OWN;
        }
        return log.status[writer] == TxnStatus.ABORTED ? ABORTED : isReplaced ? INTERMEDIATE : FINAL;
    }
}
