package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** The keys that findings concern, found in slices by numbers. Complete before the first slice, any thread may look. */
final class WatchedKeys {

    static final int NONE = -1;

    private final StringPool names = new StringPool(); // the ordinals are the numbers
    private final Long2IntOpenHashMap ofNumbers = new Long2IntOpenHashMap();
    private final List<WatchedKey> keys = new ArrayList<>(); // by their numbers

    WatchedKeys() {
        ofNumbers.defaultReturnValue(NONE);
    }

    WatchedKey of(String text) {
        int key = names.intern(text);
        if (ScalarPool.isNumber(text)) {
            ofNumbers.put(Long.parseLong(text), key);
        }
        if (key == keys.size()) {
            keys.add(new WatchedKey(text, key));
        }
        return keys.get(key);
    }

    List<WatchedKey> all() {
        return keys;
    }

    WatchedKey get(int ordinal) {
        return keys.get(ordinal);
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
