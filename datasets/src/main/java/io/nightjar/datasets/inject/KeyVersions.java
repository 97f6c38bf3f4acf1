package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last versions of every key, while a history is read in the order of its commits. */
final class KeyVersions {

    /*
     * Versions of a key are numbered from 1, number 0 is the initial state. Of each key the last KEPT versions are
     * stored; version n is at n % KEPT.
     *
     * A state is a value for registers and a length for lists.
     */

    static final int UNKNOWN = -1;
    static final int INITIAL = 0;
    static final int NO_OP = -1;

    private static final int KEPT = 4;

    /**
     * A committed version of a key.
     *
     * @param overwritten the state that the same transaction overwrote; NONE if it wrote the key once
     * @param readBefore the last read before the writer's first write of the key, see {@link KeyAccesses}
     * @param site the site that moves its commit; null if none does
     */
    private record Version(
            long commit, long writer, long state, long overwritten, int readBefore, @Nullable FaultSite site) {}

    private static final class Key {

        private final long id;
        private final Version[] kept = new Version[KEPT];
        private int versionCount;

        /** The greatest commit timestamp of the transactions that read the key, 0 if no transaction did. */
        private long lastReaderCommit;

        /** The last write of an aborted transaction to the key, valid if its writer is not 0. */
        private long abortedValue;

        private long abortedWriter;

        private Key(long id) {
            this.id = id;
        }

        private Version version(int version) {
            return kept[version % KEPT];
        }
    }

    private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
    private final List<Key> keys = new ArrayList<>();

    KeyVersions() {
        ordinalOf.defaultReturnValue(UNKNOWN);
    }

    int ordinal(long keyId) {
        int key = ordinalOf.get(keyId);
        if (key == UNKNOWN) {
            key = keys.size();
            ordinalOf.put(keyId, key);
            keys.add(new Key(keyId));
        }
        return key;
    }

    long keyId(int key) {
        return keys.get(key).id;
    }

    String keyText(int key) {
        return Long.toString(keyId(key));
    }

    int latestVersion(int key) {
        return keys.get(key).versionCount;
    }

    /** Returns the version that a snapshot at {@code start} shows, {@link #UNKNOWN} if it is too old to be stored. */
    int versionAt(int key, long start) {
        int version = latestVersion(key);
        int oldestKept = Math.max(1, version - KEPT + 1);
        while (version >= oldestKept && commit(key, version) > start) {
            version--;
        }
        return version >= oldestKept || version == INITIAL ? version : UNKNOWN;
    }

    boolean isKept(int key, int version) {
        return version > latestVersion(key) - KEPT;
    }

    /** Returns the commit of a version; 0 for the initial state. */
    long commit(int key, int version) {
        return version == INITIAL ? 0 : keys.get(key).version(version).commit;
    }

    long writer(int key, int version) {
        return keys.get(key).version(version).writer;
    }

    long state(int key, int version, boolean isList) {
        if (version == INITIAL) {
            return isList ? 0 : HistorySlice.NONE;
        }
        return keys.get(key).version(version).state;
    }

    long overwritten(int key, int version) {
        return keys.get(key).version(version).overwritten;
    }

    int readBefore(int key, int version) {
        return keys.get(key).version(version).readBefore;
    }

    /** Returns the site that moves this version's commit; null if none does. */
    @Nullable
    FaultSite site(int key, int version) {
        return keys.get(key).version(version).site;
    }

    void add(
            int key, long commit, long writer, long state, long overwritten, int readBefore, @Nullable FaultSite site) {
        Key written = keys.get(key);
        written.kept[++written.versionCount % KEPT] = new Version(commit, writer, state, overwritten, readBefore, site);
    }

    long lastReaderCommit(int key) {
        return keys.get(key).lastReaderCommit;
    }

    void setLastReaderCommit(int key, long commit) {
        keys.get(key).lastReaderCommit = commit;
    }

    boolean hasAbortedWrite(int key) {
        return keys.get(key).abortedWriter != 0;
    }

    long abortedValue(int key) {
        return keys.get(key).abortedValue;
    }

    long abortedWriter(int key) {
        return keys.get(key).abortedWriter;
    }

    void setAbortedWrite(int key, long value, long writer) {
        keys.get(key).abortedValue = value;
        keys.get(key).abortedWriter = writer;
    }
}
