package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys that findings speak of, found in slices by numbers. Closed before the first slice, any thread may look. */
final class WatchedKeys {

    static final int NONE = -1;

    private final Map<String, WatchedKey> keyByText = new HashMap<>();
    private final List<WatchedKey> keys = new ArrayList<>(); // by ordinal
    private final StringTable names = new StringTable(); // the same ordinals
    private final Long2IntOpenHashMap numbers = new Long2IntOpenHashMap();

    WatchedKeys() {
        numbers.defaultReturnValue(NONE);
    }

    WatchedKey of(String text) {
        WatchedKey known = keyByText.get(text);
        if (known != null) {
            return known;
        }
        WatchedKey key = new WatchedKey(text, keys.size());
        keyByText.put(text, key);
        keys.add(key);
        names.intern(text);
        if (Scalars.isNumber(text)) {
            numbers.put(Long.parseLong(text), key.ordinal);
        }
        return key;
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

        /** The ordinal of an operation's key, or {@link #NONE} if nothing was asked about it. */
        int find(HistorySlice slice, int op) {
            if (slice.keyType == ValueType.LONG) {
                return numbers.get(slice.key[op]);
            }
            if (slice.keyType != ValueType.STRING) {
                return NONE;
            }
            int name = (int) slice.key[op];
            int[] cached = cache.of(slice.keyNames);
            if (cached[name] == NameCache.NOT_LOOKED_UP) {
                StringTable of = slice.keyNames;
                cached[name] = names.find(of.bytes(), of.firstByte(name), of.length(name));
            }
            return cached[name];
        }
    }
}
