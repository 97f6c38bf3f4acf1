package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** Initial contents that a transaction has given, and what was there before. */
final class LoadedRows {

    private record Loaded(RowObject object, Object before) {}

    private final List<Loaded> loaded = new ArrayList<>();

    void load(RowObject object, Object content, int freshNumber) {
        loaded.add(new Loaded(object, object.newestContent()));
        object.load(content, freshNumber);
    }

    int count() {
        return loaded.size();
    }

    /** Takes back all but the first. */
    void restore(int count) {
        while (loaded.size() > count) {
            Loaded last = loaded.remove(loaded.size() - 1);
            last.object().load(last.before(), last.object().number());
        }
    }

    void clear() {
        loaded.clear();
    }
}
