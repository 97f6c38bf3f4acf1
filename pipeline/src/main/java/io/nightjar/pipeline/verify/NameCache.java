package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.StringPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cache of lookups for the names of one table, which slices often share: a number per ordinal. */
final class NameCache {

    static final int NOT_LOOKED_UP = -2;

    private @Nullable StringPool pool;
    private int[] found = {};

    /** Returns the numbers for a table, to be read and filled in; of another table than the last they are forgotten. */
    int[] of(StringPool names) {
        int from = found.length;
        if (pool != names) {
            pool = names;
            from = 0;
        }
        if (found.length < names.size()) {
            found = Arrays.copyOf(found, Math.max(names.size(), 2 * found.length));
        }
        if (from < found.length) {
            Arrays.fill(found, from, found.length, NOT_LOOKED_UP);
        }
        return found;
    }
}
