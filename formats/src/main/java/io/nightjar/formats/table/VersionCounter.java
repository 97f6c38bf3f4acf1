package io.nightjar.formats.table;

import io.nightjar.formats.history.StringPool;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** Counts the versions of each key in the order of writes, from 1. */
public final class VersionCounter {

    private final Long2LongOpenHashMap ofNumbers = new Long2LongOpenHashMap();
    private final StringPool names = new StringPool();
    private final LongArrayList ofNames = new LongArrayList();

    long next(long key) {
        return ofNumbers.addTo(key, 1) + 1;
    }

    long next(byte[] utf8, int from, int length) {
        int name = names.intern(utf8, from, length);
        if (name == ofNames.size()) {
            ofNames.add(0);
        }
        ofNames.set(name, ofNames.getLong(name) + 1);
        return ofNames.getLong(name);
    }
}
