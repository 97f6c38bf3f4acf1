package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.SliceBuilder;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import org.jspecify.annotations.Nullable;

/** Lists that readers returned, as prefixes of each other where they are, until the whole history was seen. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
final class ListStore {

    private static final int NOT_COMPARED = -1;

    private @Nullable SliceBuilder builder = new SliceBuilder("");
    private HistorySlice lists;
    private final Int2IntOpenHashMap agreeing = new Int2IntOpenHashMap(); // elements in common with the log, by list
    private AppendLog.Ordered agreeingWith;

    ListStore() {
        agreeing.defaultReturnValue(NOT_COMPARED);
    }

    /** Keeps a list read of a slice; returns its number. */
    int keep(int key, HistorySlice slice, long ref, ScalarTable values) {
        SliceBuilder to = requireNonNull(builder);
        to.beginList();
        for (int i = 0; i < ListRef.length(ref); i++) {
            to.element(values.intern(slice.valueNames, slice.lists.element(ListRef.list(ref), i)));
        }
        to.listRead(key);
        return to.opCount() - 1;
    }

    void close() {
        lists = requireNonNull(builder).build();
        builder = null;
    }

    long element(int stored, int place) {
        return lists.lists.element(ListRef.list(lists.value[stored]), place);
    }

    /** How many elements from the first on are those of the log's list. */
    int agreement(int stored, AppendLog.Ordered log) {
        if (log != agreeingWith) {
            agreeing.clear();
            agreeingWith = log;
        }
        int list = ListRef.list(lists.value[stored]);
        int known = agreeing.get(list);
        if (known == NOT_COMPARED) {
            known = 0;
            int limit = Math.min(lists.lists.length(list), log.size());
            while (known < limit && lists.lists.element(list, known) == log.element(known)) {
                known++;
            }
            agreeing.put(list, known);
        }
        return Math.min(known, ListRef.length(lists.value[stored]));
    }
}
