package io.nightjar.pipeline.check.weak;

/** Ordinals that represent no transaction. */
final class TxnConstants {

    /** Represents no transaction, as distinct from the initial state. */
    static final int NONE = -2;

    private TxnConstants() {}
}
