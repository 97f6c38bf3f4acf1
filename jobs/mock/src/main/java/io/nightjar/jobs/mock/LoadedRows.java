package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Initial contents set by a transaction, with the contents that they replaced. */
final class LoadedRows {

    /** @param before the previous content, null if none */
    private record Loaded(RowObject object, @Nullable InitialRow before, ObjectSpace space) {}

    private final MockStore shared;
    private final List<Loaded> loaded = new ArrayList<>();

    LoadedRows(MockStore shared) {
        this.shared = shared;
    }

    void load(ObjectSpace space, RowObject object, @Nullable InitialRow row) {
        loaded.add(new Loaded(object, object.newestRow(), space));
        object.load(row, space.beginLoad(), shared::nextKey);
    }

    int count() {
        return loaded.size();
    }

    /** Restores the previous contents of the objects after the first {@code count}. */
    void restore(int count) {
        while (loaded.size() > count) {
            Loaded last = loaded.remove(loaded.size() - 1);
            last.object().load(last.before(), last.space().beginLoad(), shared::nextKey);
        }
    }

    /**
     * Makes the contents of the objects after the first {@code count} permanent, even if the transaction rolls back.
     */
    void keep(int count) {
        loaded.subList(count, loaded.size()).clear();
    }

    void clear() {
        loaded.clear();
    }
}
