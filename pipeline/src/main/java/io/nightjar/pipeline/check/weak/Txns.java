package io.nightjar.pipeline.check.weak;

/** Ordinals that stand for no transaction. */
final class Txns {

    /** Not a transaction, nor the initial state. */
    static final int NONE = -2;

    private Txns() {}
}
