package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A history renumbered chain by chain, with the readers and writers of each key side by side. */
final class ChainedHistory {

    /*
     * Definitions. A chain is a sequence of transactions totally ordered by session order and reads: one session, or
     * several.
     *
     * Layout.
     *
     *   slot     0 .. txnCount      transactions, chain by chain: firstOf[chain] .. firstOf[chain + 1]
     *   version  0 .. versionCount  a key's writers, by slot: firstVersionOf[key] .. firstVersionOf[key + 1]
     *   read     reads of one slot: firstReadOf[slot] .. firstReadOf[slot + 1]; excludes reads of the initial state
     *   touch    all operations on a key, by slot, reads before the write: firstTouchOf[key] .. firstTouchOf[key + 1];
     *            versionOfTouch is the version that was read, or ~version of the version that was written
     *
     * Of the readers of a version only the last one of each chain is stored: a transaction after it is after the
     * others.
     */

    static final int INITIAL = ClientHistory.INITIAL;

    final ClientHistory source;

    final int chainCount;
    final int[] firstOf;

    final int txnCount;
    final int[] chainOf;
    final int[] txnOf;
    final int[] slotOf;

    final int versionCount;
    final int[] firstVersionOf;
    final int[] writerOfVersion;
    final int[] keyOfVersion;

    final int[] firstWriteOf;
    final int[] versionOfWrite;

    final int[] firstReadOf;
    final int[] versionOfRead;

    final int[] firstReaderOf;
    final int[] reader;

    /** By key, the readers of the initial state. */
    final int[] firstInitialReaderOf;

    final int[] initialReader;

    final int[] firstTouchOf;
    final int[] slotOfTouch;
    final int[] versionOfTouch;

    /** Null if each read has one writer. */
    final @Nullable CandidateVersions candidates;

    /** Makes a history whose chains are its sessions. */
    ChainedHistory(ClientHistory source) {
        this(source, source.sessionCount, source.firstTxnOf, null);
    }

    /**
     * @param firstOf where chains begin
     * @param txnOf the transactions, chain by chain; null if they are the history's own order
     */
    ChainedHistory(ClientHistory source, int chainCount, int[] firstOf, int @Nullable [] txnOf) {
        this.source = source;
        this.chainCount = chainCount;
        this.firstOf = firstOf;
        this.txnCount = source.txnCount;
        this.txnOf = txnOf == null ? identity(txnCount) : txnOf;
        this.slotOf = txnOf == null ? this.txnOf : inverse(txnOf, txnCount);
        this.chainOf = new int[txnCount];
        for (int chain = 0; chain < chainCount; chain++) {
            Arrays.fill(chainOf, firstOf[chain], firstOf[chain + 1], chain);
        }

        this.versionCount = source.writeCount;
        this.firstVersionOf = new int[source.keyCount + 1];
        this.writerOfVersion = new int[versionCount];
        this.keyOfVersion = new int[versionCount];
        this.firstWriteOf = new int[txnCount + 1];
        this.versionOfWrite = new int[versionCount];
        numberVersions();

        int[] versionRead = versionsRead();
        this.firstReadOf = new int[txnCount + 1];
        this.versionOfRead = readsBySlot(versionRead);
        this.firstReaderOf = new int[versionCount + 1];
        this.reader = lastReaders();
        this.firstInitialReaderOf = new int[source.keyCount + 1];
        this.initialReader = lastInitialReaders();
        this.firstTouchOf = new int[source.keyCount + 1];
        int touches = countTouches();
        this.slotOfTouch = new int[touches];
        this.versionOfTouch = new int[touches];
        fillTouches();
        this.candidates = source.observations == null ? null : new CandidateVersions(this, source.observations);
    }

    int positionOf(int slot) {
        return slot - firstOf[chainOf[slot]];
    }

    /** Returns whether another transaction read the version. */
    boolean isRead(int version) {
        return firstReaderOf[version] < firstReaderOf[version + 1];
    }

    /** Returns the version of a key that a slot writes, or -1. */
    int versionOf(int slot, int key) {
        if (firstWriteOf[slot + 1] - firstWriteOf[slot] <= 16) {
            for (int write = firstWriteOf[slot]; write < firstWriteOf[slot + 1]; write++) {
                if (keyOfVersion[versionOfWrite[write]] == key) {
                    return versionOfWrite[write];
                }
            }
            return -1;
        }
        int version = Arrays.binarySearch(writerOfVersion, firstVersionOf[key], firstVersionOf[key + 1], slot);
        return version < 0 ? -1 : version;
    }

    private void numberVersions() {
        for (int write = 0; write < source.writeCount; write++) {
            firstVersionOf[source.keyOfWrite[write] + 1]++;
        }
        CountingSort.addUp(firstVersionOf);
        int[] next = Arrays.copyOf(firstVersionOf, source.keyCount);
        int count = 0;
        for (int slot = 0; slot < txnCount; slot++) {
            int txn = txnOf[slot];
            firstWriteOf[slot] = count;
            for (int write = source.firstWriteOf[txn]; write < source.firstWriteOf[txn + 1]; write++) {
                int key = source.keyOfWrite[write];
                int version = next[key]++;
                writerOfVersion[version] = slot;
                keyOfVersion[version] = key;
                versionOfWrite[count++] = version;
            }
        }
        firstWriteOf[txnCount] = count;
    }

    /** Returns, by read of the source, its version or INITIAL; {@code NOT_OF_A_KEY} where only the writer is known. */
    private int[] versionsRead() {
        int[] versions = new int[source.readCount];
        for (int read = 0; read < source.readCount; read++) {
            int writer = source.writerOf[read];
            int key = source.keyOfRead[read];
            if (key == ClientHistory.NO_KEY) {
                versions[read] = NOT_OF_A_KEY;
            } else if (writer == INITIAL) {
                versions[read] = INITIAL;
            } else {
                versions[read] = versionOf(slotOf[writer], key);
                if (versions[read] < 0) {
                    throw new IllegalArgumentException("read from a transaction that does not write the key: writer="
                            + source.txnIdOf[writer] + " key=" + key);
                }
            }
        }
        return versions;
    }

    private static final int NOT_OF_A_KEY = -2;

    private int[] readsBySlot(int[] versionRead) {
        int[] bySlot = new int[source.readCount];
        int count = 0;
        for (int slot = 0; slot < txnCount; slot++) {
            int txn = txnOf[slot];
            firstReadOf[slot] = count;
            for (int read = source.firstReadOf[txn]; read < source.firstReadOf[txn + 1]; read++) {
                if (versionRead[read] >= 0 && !contains(bySlot, firstReadOf[slot], count, versionRead[read])) {
                    bySlot[count++] = versionRead[read];
                }
            }
        }
        firstReadOf[txnCount] = count;
        return count == bySlot.length ? bySlot : Arrays.copyOf(bySlot, count);
    }

    /** Searches only a few entries backwards: a duplicate read does no harm. */
    private static boolean contains(int[] column, int from, int to, int value) {
        for (int i = Math.max(from, to - 16); i < to; i++) {
            if (column[i] == value) {
                return true;
            }
        }
        return false;
    }

    private int[] lastReaders() {
        int[] lastChainOf = new int[versionCount];
        Arrays.fill(lastChainOf, -1);
        for (int slot = 0; slot < txnCount; slot++) {
            for (int read = firstReadOf[slot]; read < firstReadOf[slot + 1]; read++) {
                int version = versionOfRead[read];
                if (lastChainOf[version] != chainOf[slot]) {
                    lastChainOf[version] = chainOf[slot];
                    firstReaderOf[version + 1]++;
                }
            }
        }
        CountingSort.addUp(firstReaderOf);
        int[] readers = new int[firstReaderOf[versionCount]];
        int[] next = Arrays.copyOf(firstReaderOf, versionCount);
        for (int slot = 0; slot < txnCount; slot++) {
            for (int read = firstReadOf[slot]; read < firstReadOf[slot + 1]; read++) {
                next[versionOfRead[read]] =
                        putLast(readers, firstReaderOf[versionOfRead[read]], next[versionOfRead[read]], slot);
            }
        }
        return readers;
    }

    private int[] lastInitialReaders() {
        int[] lastChainOf = new int[source.keyCount];
        Arrays.fill(lastChainOf, -1);
        for (int slot = 0; slot < txnCount; slot++) {
            int txn = txnOf[slot];
            for (int read = source.firstReadOf[txn]; read < source.firstReadOf[txn + 1]; read++) {
                int key = source.keyOfRead[read];
                if (isOfInitialState(read) && lastChainOf[key] != chainOf[slot]) {
                    lastChainOf[key] = chainOf[slot];
                    firstInitialReaderOf[key + 1]++;
                }
            }
        }
        CountingSort.addUp(firstInitialReaderOf);
        int[] readers = new int[firstInitialReaderOf[source.keyCount]];
        int[] next = Arrays.copyOf(firstInitialReaderOf, source.keyCount);
        for (int slot = 0; slot < txnCount; slot++) {
            int txn = txnOf[slot];
            for (int read = source.firstReadOf[txn]; read < source.firstReadOf[txn + 1]; read++) {
                if (isOfInitialState(read)) {
                    int key = source.keyOfRead[read];
                    next[key] = putLast(readers, firstInitialReaderOf[key], next[key], slot);
                }
            }
        }
        return readers;
    }

    private boolean isOfInitialState(int read) {
        return source.writerOf[read] == INITIAL && source.keyOfRead[read] != ClientHistory.NO_KEY;
    }

    /** Appends a slot, or replaces the last slot if it belongs to the same chain; returns the new end. */
    private int putLast(int[] slots, int first, int end, int slot) {
        if (end > first && chainOf[slots[end - 1]] == chainOf[slot]) {
            slots[end - 1] = slot;
            return end;
        }
        slots[end] = slot;
        return end + 1;
    }

    private int countTouches() {
        for (int read = 0; read < firstReadOf[txnCount]; read++) {
            firstTouchOf[keyOfVersion[versionOfRead[read]] + 1]++;
        }
        for (int version = 0; version < versionCount; version++) {
            firstTouchOf[keyOfVersion[version] + 1]++;
        }
        CountingSort.addUp(firstTouchOf);
        return firstTouchOf[source.keyCount];
    }

    private void fillTouches() {
        int[] next = Arrays.copyOf(firstTouchOf, source.keyCount);
        for (int slot = 0; slot < txnCount; slot++) {
            for (int read = firstReadOf[slot]; read < firstReadOf[slot + 1]; read++) {
                int touch = next[keyOfVersion[versionOfRead[read]]]++;
                slotOfTouch[touch] = slot;
                versionOfTouch[touch] = versionOfRead[read];
            }
            for (int write = firstWriteOf[slot]; write < firstWriteOf[slot + 1]; write++) {
                int touch = next[keyOfVersion[versionOfWrite[write]]]++;
                slotOfTouch[touch] = slot;
                versionOfTouch[touch] = ~versionOfWrite[write];
            }
        }
    }

    private static int[] identity(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i;
        }
        return numbers;
    }

    private static int[] inverse(int[] permutation, int count) {
        int[] inverse = new int[count];
        for (int i = 0; i < count; i++) {
            inverse[permutation[i]] = i;
        }
        return inverse;
    }
}
