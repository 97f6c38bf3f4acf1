package io.nightjar.pipeline.check.weak;

/** Ordinals that stand for no transaction. */
final class TxnConstants {

    /** Stands for no transaction, and not for the initial state. */
    static final int NONE = -2;

    private TxnConstants() {}
}
