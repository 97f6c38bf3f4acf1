package io.nightjar.pipeline.verify;

import java.util.ArrayList;
import java.util.List;

/** The keys that findings speak of, found in slices by numbers. Closed before the first slice, any thread may look. */
final class WatchedKeys {

    static final int NONE = SoughtKeys.NONE;

    private final SoughtKeys sought = new SoughtKeys();
    private final List<WatchedKey> keys = new ArrayList<>(); // by their numbers

    WatchedKey of(String text) {
        int key = sought.add(text);
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

    SoughtKeys.Finder newFinder() {
        return sought.newFinder();
    }
}
