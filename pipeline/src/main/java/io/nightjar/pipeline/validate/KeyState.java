package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.OpKind;

/** Data that {@link KeyProfile} stores for a key. */
final class KeyState {

    /** Upper bound of the bytes per key, including its entry in a table. */
    static final int BYTES = 80;

    // Uses of a key, as bits of uses.
    static final byte SCALAR_READ = 1;
    static final byte LIST_READ = 2;
    static final byte WRITTEN = 4;
    static final byte APPENDED = 8;
    static final byte ADDED = 16;
    static final byte INCREMENTED = 32;

    private static final byte[] USE_OF_KIND = new byte[OpKind.COUNT];

    static {
        USE_OF_KIND[OpKind.READ] = SCALAR_READ;
        USE_OF_KIND[OpKind.UNEQUAL] = SCALAR_READ;
        USE_OF_KIND[OpKind.PRESENT] = SCALAR_READ;
        USE_OF_KIND[OpKind.ABSENT] = SCALAR_READ;
        USE_OF_KIND[OpKind.NEVER] = SCALAR_READ;
        USE_OF_KIND[OpKind.UNLIKE] = SCALAR_READ;
        USE_OF_KIND[OpKind.COMPUTED] = SCALAR_READ;
        USE_OF_KIND[OpKind.ERASE] = WRITTEN;
        USE_OF_KIND[OpKind.READ_LIST] = LIST_READ;
        USE_OF_KIND[OpKind.WRITE] = WRITTEN;
        USE_OF_KIND[OpKind.CONTAINS] = LIST_READ;
        USE_OF_KIND[OpKind.LACKS] = LIST_READ;
        USE_OF_KIND[OpKind.TAKE] = ADDED;
        USE_OF_KIND[OpKind.APPEND] = APPENDED;
        USE_OF_KIND[OpKind.ADD] = ADDED;
        USE_OF_KIND[OpKind.INCREMENT] = INCREMENTED;
    }

    long opCount;
    byte uses;

    /** 0, 1, or 2 for more than one. */
    byte writerCount;

    private long writer;

    /** Returns the use of a key by an operation; reading nothing fits every use. */
    static byte use(byte kind) {
        return USE_OF_KIND[kind];
    }

    void addWriter(long txnId) {
        if (writerCount == 0) {
            writerCount = 1;
            writer = txnId;
        } else if (writer != txnId) {
            writerCount = 2;
        }
    }
}
