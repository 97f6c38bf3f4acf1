package io.nightjar.formats.parquet;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.Utf8;
import java.util.BitSet;

/** Maps strings to ordinals of a table that is replaced for each slice. */
final class NameMap implements StringEncoder {

    private final boolean isChecked;
    private StringPool pool = new StringPool();
    private BitSet malformed = new BitSet();

    NameMap() {
        this(true);
    }

    /** @param isChecked whether invalid UTF-8 is unacceptable */
    NameMap(boolean isChecked) {
        this.isChecked = isChecked;
    }

    /** Starts a new table. */
    void begin() {
        pool = new StringPool();
        malformed = new BitSet();
    }

    StringPool pool() {
        return pool;
    }

    @Override
    public int map(byte[] bytes, int offset, int length) {
        int before = pool.size();
        int ordinal = pool.intern(bytes, offset, length);
        if (isChecked && ordinal == before && !Utf8.isWellFormed(bytes, offset, length)) {
            malformed.set(ordinal);
        }
        return malformed.get(ordinal) ? UNACCEPTABLE : ordinal;
    }
}
