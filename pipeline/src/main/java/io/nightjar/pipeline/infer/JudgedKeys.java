package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;

/** How each key is used, and so whether its reads tell whom they are from. */
final class JudgedKeys {

    private static final byte REGISTER = 1;
    private static final byte LIST = 2;
    private static final byte OTHER = 4;

    private final byte[] usesOf;
    private int unjudged;

    JudgedKeys(OperationLog log) {
        usesOf = new byte[log.keyCount];
        for (int op = 0; op < log.opCount; op++) {
            usesOf[log.key[op]] |= switch (log.kind[op]) {
                case OpKind.READ, OpKind.WRITE -> REGISTER;
                case OpKind.READ_LIST, OpKind.APPEND -> LIST;
                case OpKind.READ_NOTHING -> 0;
                default -> OTHER;
            };
        }
        for (int key = 0; key < log.keyCount; key++) {
            unjudged += isJudged(key) ? 0 : 1;
        }
    }

    boolean isRegister(int key) {
        return usesOf[key] == REGISTER;
    }

    boolean isList(int key) {
        return usesOf[key] == LIST;
    }

    /** Whether a key is a register, or a list, or nobody can tell and it does not matter. */
    boolean isJudged(int key) {
        byte uses = usesOf[key];
        return uses == 0 || uses == REGISTER || uses == LIST;
    }

    /** Keys used as sets, as counters or in two ways. */
    int unjudgedCount() {
        return unjudged;
    }
}
