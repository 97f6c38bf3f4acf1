package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The last versions of every key, while a history is read in the order of its commits. */
final class KeyVersions {

    /*
     * Versions of a key are numbered from 1, number 0 is the initial state. Of each key the last KEPT versions are
     * stored; version n of key k is at slot k * KEPT + n % KEPT.
     *
     * A state is a value for registers and a length for lists.
     */

    static final int UNKNOWN = -1;
    static final int INITIAL = 0;
    static final int NO_OP = -1;

    private static final int KEPT = 4;

    private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
    private int keyCount;

    private long[] keyIdOf = new long[0];
    private int[] versionCountOf = new int[0];

    /** The greatest commit timestamp of the transactions that read the key, 0 if no transaction did. */
    private long[] lastReaderCommitOf = new long[0];

    /** The last write of an aborted transaction to the key, valid if {@link #abortedWriterOf} is not 0. */
    private long[] abortedValueOf = new long[0];

    private long[] abortedWriterOf = new long[0];

    private long[] commitOf = new long[0];
    private long[] writerOf = new long[0];
    private long[] stateOf = new long[0];

    /** The state that the same transaction overwrote; NONE if it wrote the key once. */
    private long[] overwrittenOf = new long[0];

    /** The last read before the writer's first write of the key, see {@link KeyAccesses}. */
    private int[] readBeforeOf = new int[0];

    private FaultSite[] siteOf = new FaultSite[0];

    KeyVersions() {
        ordinalOf.defaultReturnValue(UNKNOWN);
    }

    int ordinal(long keyId) {
        int key = ordinalOf.get(keyId);
        if (key == UNKNOWN) {
            key = keyCount++;
            ordinalOf.put(keyId, key);
            if (key == keyIdOf.length) {
                grow();
            }
            keyIdOf[key] = keyId;
        }
        return key;
    }

    long keyId(int key) {
        return keyIdOf[key];
    }

    String keyText(int key) {
        return Long.toString(keyIdOf[key]);
    }

    int latestVersion(int key) {
        return versionCountOf[key];
    }

    /** Returns the version that a snapshot at {@code start} shows, {@link #UNKNOWN} if it is too old to be stored. */
    int versionAt(int key, long start) {
        int version = versionCountOf[key];
        int oldestKept = Math.max(1, version - KEPT + 1);
        while (version >= oldestKept && commitOf[slot(key, version)] > start) {
            version--;
        }
        return version >= oldestKept || version == INITIAL ? version : UNKNOWN;
    }

    boolean isKept(int key, int version) {
        return version > versionCountOf[key] - KEPT;
    }

    /** Returns the commit of a version; 0 for the initial state. */
    long commit(int key, int version) {
        return version == INITIAL ? 0 : commitOf[slot(key, version)];
    }

    long writer(int key, int version) {
        return writerOf[slot(key, version)];
    }

    long state(int key, int version, boolean isList) {
        if (version == INITIAL) {
            return isList ? 0 : HistorySlice.NONE;
        }
        return stateOf[slot(key, version)];
    }

    long overwritten(int key, int version) {
        return overwrittenOf[slot(key, version)];
    }

    int readBefore(int key, int version) {
        return readBeforeOf[slot(key, version)];
    }

    /** Returns the site that moves this version's commit; null if none does. */
    FaultSite site(int key, int version) {
        return siteOf[slot(key, version)];
    }

    void add(
            int key, long commit, long writer, long state, long overwritten, int readBefore, @Nullable FaultSite site) {
        int slot = slot(key, ++versionCountOf[key]);
        commitOf[slot] = commit;
        writerOf[slot] = writer;
        stateOf[slot] = state;
        overwrittenOf[slot] = overwritten;
        readBeforeOf[slot] = readBefore;
        siteOf[slot] = site;
    }

    long lastReaderCommit(int key) {
        return lastReaderCommitOf[key];
    }

    void setLastReaderCommit(int key, long commit) {
        lastReaderCommitOf[key] = commit;
    }

    boolean hasAbortedWrite(int key) {
        return abortedWriterOf[key] != 0;
    }

    long abortedValue(int key) {
        return abortedValueOf[key];
    }

    long abortedWriter(int key) {
        return abortedWriterOf[key];
    }

    void setAbortedWrite(int key, long value, long writer) {
        abortedValueOf[key] = value;
        abortedWriterOf[key] = writer;
    }

    private static int slot(int key, int version) {
        return key * KEPT + version % KEPT;
    }

    private void grow() {
        int capacity = Math.max(1024, keyIdOf.length + (keyIdOf.length >> 1));
        keyIdOf = Arrays.copyOf(keyIdOf, capacity);
        versionCountOf = Arrays.copyOf(versionCountOf, capacity);
        lastReaderCommitOf = Arrays.copyOf(lastReaderCommitOf, capacity);
        abortedValueOf = Arrays.copyOf(abortedValueOf, capacity);
        abortedWriterOf = Arrays.copyOf(abortedWriterOf, capacity);
        int slots = Math.multiplyExact(capacity, KEPT);
        commitOf = Arrays.copyOf(commitOf, slots);
        writerOf = Arrays.copyOf(writerOf, slots);
        stateOf = Arrays.copyOf(stateOf, slots);
        overwrittenOf = Arrays.copyOf(overwrittenOf, slots);
        readBeforeOf = Arrays.copyOf(readBeforeOf, slots);
        siteOf = Arrays.copyOf(siteOf, slots);
    }
}
