package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.OpKind;
import java.util.Arrays;

/** Data that {@link KeyProfile} stores per key, as columns by a dense ordinal. */
final class KeyColumns extends IdColumns {

    /** Upper bound of the bytes per key, including slots and spare capacity. */
    static final int BYTES_PER_KEY = 80;

    // Uses of a key, as bits of usesOf.
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

    private static final int MIN_CAPACITY = 64;

    long[] opCountOf = new long[MIN_CAPACITY];
    byte[] usesOf = new byte[MIN_CAPACITY];

    /** 0, 1, or 2 for more than one. */
    byte[] writerCountOf = new byte[MIN_CAPACITY];

    private long[] writerOf = new long[MIN_CAPACITY];

    KeyColumns() {
        super(MIN_CAPACITY);
    }

    /** Returns the use of a key by an operation; reading nothing fits every use. */
    static byte use(byte kind) {
        return USE_OF_KIND[kind];
    }

    void addWriter(int key, long txnId) {
        if (writerCountOf[key] == 0) {
            writerCountOf[key] = 1;
            writerOf[key] = txnId;
        } else if (writerOf[key] != txnId) {
            writerCountOf[key] = 2;
        }
    }

    @Override
    void grow(int capacity) {
        opCountOf = Arrays.copyOf(opCountOf, capacity);
        usesOf = Arrays.copyOf(usesOf, capacity);
        writerCountOf = Arrays.copyOf(writerCountOf, capacity);
        writerOf = Arrays.copyOf(writerOf, capacity);
    }

    @Override
    void clear(int key) {
        opCountOf[key] = 0;
        usesOf[key] = 0;
        writerCountOf[key] = 0;
    }

    @Override
    void move(int from, int to) {
        opCountOf[to] = opCountOf[from];
        usesOf[to] = usesOf[from];
        writerCountOf[to] = writerCountOf[from];
        writerOf[to] = writerOf[from];
    }
}
