package io.nightjar.formats.parquet;

import io.nightjar.formats.history.StringPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of a column that is filled with numbers, or with ordinals of strings in other tables: each distinct string
 * costs one lookup per table.
 */
final class ColumnBuffer {

    private static final int NONE = -1;

    private final ChunkWriter chunk;
    private final boolean isString;
    private StringPool words = new StringPool();
    private int generation;
    private int[] ordinalOf = new int[0];

    ColumnBuffer(ChunkWriter chunk) {
        this.chunk = chunk;
        this.isString = chunk.leaf.type == PhysicalType.BYTE_ARRAY;
    }

    /** Sets the table of the following ordinals; null if none follow. */
    void words(@Nullable StringPool pool) {
        if (isString && pool != null) {
            words = pool;
            forget();
        }
    }

    /** Adds a null, or a list without elements. */
    void entry(int rep, int def) {
        chunk.entry(rep, def);
    }

    void value(int rep, int def, long value) {
        chunk.entry(rep, def);
        if (isString) {
            string((int) value);
        } else {
            chunk.value(value);
        }
    }

    private void string(int word) {
        if (generation != chunk.stringsGeneration()) {
            forget();
        }
        int ordinal = ordinalOf[word];
        if (ordinal == NONE) {
            ordinal = chunk.intern(words.bytes(), words.firstByte(word), words.length(word));
            ordinalOf[word] = ordinal;
        }
        chunk.value(ordinal);
    }

    private void forget() {
        generation = chunk.stringsGeneration();
        if (ordinalOf.length < words.size()) {
            ordinalOf = new int[words.size()];
        }
        Arrays.fill(ordinalOf, NONE);
    }
}
