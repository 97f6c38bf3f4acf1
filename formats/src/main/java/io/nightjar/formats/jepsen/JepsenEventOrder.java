package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/** Invocations and completions of transactions, and their order in a history of events. */
final class JepsenEventOrder {

    /*
     * Layout. Each transaction has two events: invocation 2 * txn, completion 2 * txn + 1.
     *
     * Algorithm. Events at the same time are sorted by their order in the sessions; among the events that may come
     * first, invocations precede completions, so that as few transactions as possible appear to start after one that
     * ended at the same time.
     */

    static final int NO_OVERLAP = -1;

    private int txnCount;
    private long[] idOf = new long[128];
    private long[] sessionOf = new long[128];
    private long[] seqOf = new long[128];
    private long[] timeOf = new long[256]; // by event; NONE if unknown
    private boolean hasTimes = true;

    /**
     * @param complete NONE if it never completed
     * @param isOpenEnded whether a missing completion is valid
     */
    void add(long id, long session, long seq, long invoke, long complete, boolean isOpenEnded) {
        if (txnCount == sessionOf.length) {
            int capacity = txnCount + (txnCount >> 1);
            idOf = Arrays.copyOf(idOf, capacity);
            sessionOf = Arrays.copyOf(sessionOf, capacity);
            seqOf = Arrays.copyOf(seqOf, capacity);
            timeOf = Arrays.copyOf(timeOf, 2 * capacity);
        }
        hasTimes &= invoke != HistorySlice.NONE && (isOpenEnded || complete != HistorySlice.NONE);
        idOf[txnCount] = id;
        sessionOf[txnCount] = session;
        seqOf[txnCount] = seq;
        timeOf[2 * txnCount] = invoke;
        timeOf[2 * txnCount + 1] = complete;
        txnCount++;
    }

    /** Returns whether times of clients determine the order of events. */
    boolean hasTimes() {
        return hasTimes;
    }

    long txnId(int txn) {
        return idOf[txn];
    }

    long sessionId(int txn) {
        return sessionOf[txn];
    }

    long time(int event) {
        return timeOf[event];
    }

    /**
     * Returns the transactions in the order of rows if that is the order of each session, otherwise session by session.
     */
    int[] txns() {
        int[] txns = ordinals(txnCount);
        int[] bySession = bySession();
        for (int i = 1; i < txnCount; i++) {
            int before = bySession[i - 1];
            int txn = bySession[i];
            if (sessionOf[before] == sessionOf[txn] && before > txn) {
                return bySession;
            }
        }
        return txns;
    }

    /**
     * Returns the events in time order. A transaction that never completed does so when the next one of its session
     * starts; without a next one, its completion has no time and is omitted.
     */
    int[] events() {
        int[] bySession = bySession();
        for (int i = 0; i < txnCount; i++) {
            endBeforeNext(bySession, i);
        }
        int[] events = ordinals(2 * txnCount);
        int[] levelOf = levels(bySession);
        IntArrays.quickSort(events, (left, right) -> compare(left, right, levelOf));
        return events;
    }

    /** Returns, per event, the number of events of its session that precede it at the same time. */
    private int[] levels(int[] bySession) {
        int[] levelOf = new int[2 * txnCount];
        long last = 0;
        for (int i = 0; i < txnCount; i++) {
            int txn = bySession[i];
            boolean isFirst = i == 0 || sessionOf[bySession[i - 1]] != sessionOf[txn];
            int before = isFirst ? -1 : levelOf[2 * bySession[i - 1] + 1];
            int invocation = 2 * txn;
            levelOf[invocation] = !isFirst && timeOf[invocation] == last ? before + 1 : 0;
            levelOf[invocation + 1] = timeOf[invocation + 1] == timeOf[invocation] ? levelOf[invocation] + 1 : 0;
            last = timeOf[invocation + 1];
        }
        return levelOf;
    }

    /**
     * Returns a transaction that cannot be written because it overlaps another one of its session; or {@link
     * #NO_OVERLAP}.
     */
    int findOverlap() {
        int[] bySession = bySession();
        for (int i = 0; i < txnCount; i++) {
            int txn = bySession[i];
            long complete = timeOf[2 * txn + 1];
            if (complete != HistorySlice.NONE && complete < timeOf[2 * txn]) {
                return txn;
            }
            int before = i == 0 ? txn : bySession[i - 1];
            if (before != txn && sessionOf[before] == sessionOf[txn]) {
                long end = Math.max(timeOf[2 * before], timeOf[2 * before + 1]);
                if (timeOf[2 * txn] < end) {
                    return txn;
                }
            }
        }
        return NO_OVERLAP;
    }

    private void endBeforeNext(int[] bySession, int i) {
        int completion = 2 * bySession[i] + 1;
        if (timeOf[completion] == HistorySlice.NONE) {
            boolean isLast = i == txnCount - 1 || sessionOf[bySession[i + 1]] != sessionOf[bySession[i]];
            timeOf[completion] = isLast ? HistorySlice.NONE : timeOf[2 * bySession[i + 1]];
        }
    }

    private int compare(int left, int right, int[] levelOf) {
        int order = Long.compare(timeOf[left], timeOf[right]);
        if (order == 0) {
            order = Integer.compare(levelOf[left], levelOf[right]);
        }
        if (order == 0) {
            order = Integer.compare(left & 1, right & 1);
        }
        return order == 0 ? Integer.compare(left, right) : order;
    }

    private int[] bySession() {
        int[] txns = ordinals(txnCount);
        IntArrays.quickSort(txns, (left, right) -> {
            int order = Long.compare(sessionOf[left], sessionOf[right]);
            return order == 0 ? Long.compare(seqOf[left], seqOf[right]) : order;
        });
        return txns;
    }

    private static int[] ordinals(int count) {
        int[] ordinals = new int[count];
        for (int i = 0; i < count; i++) {
            ordinals[i] = i;
        }
        return ordinals;
    }
}
