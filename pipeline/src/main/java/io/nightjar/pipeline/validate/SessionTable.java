package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import java.util.Arrays;

/** What {@link SessionRules} keeps of each session, as columns by a dense ordinal. */
final class SessionTable {

    static final int NONE = -1;

    /** Upper bound of what one session takes, slots and room to grow included. */
    static final int BYTES_PER_SESSION = 128;

    private static final int LEAST_CAPACITY = 16;

    int count;
    long[] idOf = new long[LEAST_CAPACITY];
    long[] minSeqOf = new long[LEAST_CAPACITY];
    long[] maxSeqOf = new long[LEAST_CAPACITY];
    long[] rowCountOf = new long[LEAST_CAPACITY];

    /** Commit timestamp of the last committed transaction, or NONE. */
    long[] lastCommitOf = new long[LEAST_CAPACITY];

    /** When the client learned of the last transaction's end, or NONE. */
    long[] lastCompleteOf = new long[LEAST_CAPACITY];

    int[] lateRowCountOf = new int[LEAST_CAPACITY];
    int[] earlyStartCountOf = new int[LEAST_CAPACITY];
    int[] overlapCountOf = new int[LEAST_CAPACITY];

    /** Whether two rows may have one position. */
    boolean[] isSuspect = new boolean[LEAST_CAPACITY];

    private int[] slots = new int[2 * LEAST_CAPACITY]; // ordinal by hash, linear probing

    SessionTable() {
        Arrays.fill(slots, NONE);
    }

    int find(long id) {
        return slots[slotOf(id)];
    }

    /** The ordinal of a session; a new one has no rows. */
    int findOrAdd(long id) {
        int slot = slotOf(id);
        return slots[slot] == NONE ? add(slot, id) : slots[slot];
    }

    /** Forgets the sessions that a class does not hold. */
    void keepOnly(HashClasses classes) {
        int kept = 0;
        for (int session = 0; session < count; session++) {
            if (classes.holds(idOf[session])) {
                move(session, kept++);
            }
        }
        count = kept;
        rehash(slots.length);
    }

    private int slotOf(long id) {
        int mask = slots.length - 1;
        int slot = (int) (HashClasses.hash(id) >>> 32) & mask;
        while (slots[slot] != NONE && idOf[slots[slot]] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int add(int slot, long id) {
        if (count == idOf.length) {
            grow();
        }
        int session = count++;
        idOf[session] = id;
        rowCountOf[session] = 0;
        lastCommitOf[session] = HistorySlice.NONE;
        lastCompleteOf[session] = HistorySlice.NONE;
        lateRowCountOf[session] = 0;
        earlyStartCountOf[session] = 0;
        overlapCountOf[session] = 0;
        isSuspect[session] = false;
        slots[slot] = session;
        if (2 * count > slots.length) {
            rehash(2 * slots.length);
        }
        return session;
    }

    private void grow() {
        int capacity = count + (count >> 1);
        idOf = Arrays.copyOf(idOf, capacity);
        minSeqOf = Arrays.copyOf(minSeqOf, capacity);
        maxSeqOf = Arrays.copyOf(maxSeqOf, capacity);
        rowCountOf = Arrays.copyOf(rowCountOf, capacity);
        lastCommitOf = Arrays.copyOf(lastCommitOf, capacity);
        lastCompleteOf = Arrays.copyOf(lastCompleteOf, capacity);
        lateRowCountOf = Arrays.copyOf(lateRowCountOf, capacity);
        earlyStartCountOf = Arrays.copyOf(earlyStartCountOf, capacity);
        overlapCountOf = Arrays.copyOf(overlapCountOf, capacity);
        isSuspect = Arrays.copyOf(isSuspect, capacity);
    }

    private void move(int from, int to) {
        idOf[to] = idOf[from];
        minSeqOf[to] = minSeqOf[from];
        maxSeqOf[to] = maxSeqOf[from];
        rowCountOf[to] = rowCountOf[from];
        lastCommitOf[to] = lastCommitOf[from];
        lastCompleteOf[to] = lastCompleteOf[from];
        lateRowCountOf[to] = lateRowCountOf[from];
        earlyStartCountOf[to] = earlyStartCountOf[from];
        overlapCountOf[to] = overlapCountOf[from];
        isSuspect[to] = isSuspect[from];
    }

    private void rehash(int slotCount) {
        slots = new int[slotCount];
        Arrays.fill(slots, NONE);
        for (int session = 0; session < count; session++) {
            slots[slotOf(idOf[session])] = session;
        }
    }
}
