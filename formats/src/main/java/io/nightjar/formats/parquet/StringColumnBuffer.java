package io.nightjar.formats.parquet;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import java.util.Arrays;

/**
 * Buffer of a string column that is filled with ordinals of other tables: each distinct string costs one lookup per
 * table.
 */
final class StringColumnBuffer {

    private static final int NONE = -1;

    private final ChunkWriter chunk;
    private StringPool words;
    private int generation;
    private int[] ordinalOf = new int[0];

    StringColumnBuffer(ChunkWriter chunk) {
        this.chunk = chunk;
    }

    /** Sets the table of the following ordinals. */
    @SetsFields
    void words(StringPool pool) {
        words = pool;
        forget();
    }

    void value(int word) {
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
