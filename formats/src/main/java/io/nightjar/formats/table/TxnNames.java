package io.nightjar.formats.table;

import io.nightjar.formats.file.InsufficientMemoryException;
import io.nightjar.formats.history.StringPool;
import java.io.IOException;

/** Ids of transactions: the numbers in the table, or ordinals of names in the order of appearance. */
final class TxnNames {

    /** Names may use this fraction of the heap. */
    private static final int SHARE = 4;

    private static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / SHARE;

    private final String uri;
    private final boolean areIntegers;
    private final StringPool names = new StringPool();

    TxnNames(String uri, boolean areIntegers) {
        this.uri = uri;
        this.areIntegers = areIntegers;
    }

    /** Returns the id; throws {@code BadRowException} if the cell has none. */
    long id(Cell cell) {
        return areIntegers ? cell.integer("txn") : 1 + intern(cell, names);
    }

    boolean areIntegers() {
        return areIntegers;
    }

    /** Fails before names exceed their memory limit. */
    void checkMemory() throws IOException {
        if (names.byteSize() > MAX_BYTES) {
            throw new InsufficientMemoryException(
                    uri, "the names of transactions are held in memory; number them", SHARE * 2 * names.byteSize());
        }
    }

    static int intern(Cell cell, StringPool into) {
        byte[] bytes = cell.bytes();
        return into.intern(bytes, cell.from(), cell.length());
    }
}
