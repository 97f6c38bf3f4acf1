package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Numbers for some keys, by which operations on them are found in slices. Complete before the first slice, any thread may look. */
final class SoughtKeys {

    static final int NONE = -1;

    private final StringPool names = new StringPool(); // the ordinals are the numbers
    private final Long2IntOpenHashMap ofNumbers = new Long2IntOpenHashMap();

    SoughtKeys() {
        ofNumbers.defaultReturnValue(NONE);
    }

    /** Returns the number of a key, the next one for a key that is new. */
    int add(String text) {
        int key = names.intern(text);
        if (ScalarPool.isNumber(text)) {
            ofNumbers.put(Long.parseLong(text), key);
        }
        return key;
    }

    int count() {
        return names.size();
    }

    Finder newFinder() {
        return new Finder();
    }

    /** Looks keys up for one thread. */
    final class Finder {

        private final NameCache cache = new NameCache();

        /** Returns the number of an operation's key, or {@link #NONE} if it is not sought. */
        int find(HistorySlice slice, int op) {
            if (slice.keyType == ValueType.LONG) {
                return ofNumbers.get(slice.key[op]);
            }
            if (slice.keyType != ValueType.STRING) {
                return NONE;
            }
            int name = (int) slice.key[op];
            int[] cached = cache.of(slice.keyNames);
            if (cached[name] == NameCache.NOT_LOOKED_UP) {
                StringPool of = slice.keyNames;
                cached[name] = names.find(of.bytes(), of.firstByte(name), of.length(name));
            }
            return cached[name];
        }
    }
}
