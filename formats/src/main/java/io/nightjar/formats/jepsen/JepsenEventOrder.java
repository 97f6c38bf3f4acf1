package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;

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

    private final LongArrayList idOf = new LongArrayList();
    private final LongArrayList sessionOf = new LongArrayList();
    private final LongArrayList seqOf = new LongArrayList();
    private final LongArrayList timeOf = new LongArrayList(); // by event; NONE if unknown
    private boolean hasTimes = true;

    /**
     * @param complete NONE if it never completed
     * @param isOpenEnded whether a missing completion is valid
     */
    void add(long id, long session, long seq, long invoke, long complete, boolean isOpenEnded) {
        hasTimes &= invoke != HistorySlice.NONE && (isOpenEnded || complete != HistorySlice.NONE);
        idOf.add(id);
        sessionOf.add(session);
        seqOf.add(seq);
        timeOf.add(invoke);
        timeOf.add(complete);
    }

    /** Returns whether times of clients determine the order of events. */
    boolean hasTimes() {
        return hasTimes;
    }

    long txnId(int txn) {
        return idOf.getLong(txn);
    }

    long sessionId(int txn) {
        return sessionOf.getLong(txn);
    }

    long time(int event) {
        return timeOf.getLong(event);
    }

    /**
     * Returns the transactions in the order of rows if that is the order of each session, otherwise session by session.
     */
    int[] txns() {
        int[] txns = ordinals(idOf.size());
        int[] bySession = bySession();
        for (int i = 1; i < idOf.size(); i++) {
            int before = bySession[i - 1];
            int txn = bySession[i];
            if (sessionOf.getLong(before) == sessionOf.getLong(txn) && before > txn) {
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
        for (int i = 0; i < idOf.size(); i++) {
            endBeforeNext(bySession, i);
        }
        int[] events = ordinals(timeOf.size());
        int[] levelOf = levels(bySession);
        IntArrays.quickSort(events, (left, right) -> compare(left, right, levelOf));
        return events;
    }

    /** Returns, per event, the number of events of its session that precede it at the same time. */
    private int[] levels(int[] bySession) {
        int[] levelOf = new int[timeOf.size()];
        long last = 0;
        for (int i = 0; i < idOf.size(); i++) {
            int txn = bySession[i];
            boolean isFirst = i == 0 || sessionOf.getLong(bySession[i - 1]) != sessionOf.getLong(txn);
            int before = isFirst ? -1 : levelOf[2 * bySession[i - 1] + 1];
            int invocation = 2 * txn;
            levelOf[invocation] = !isFirst && timeOf.getLong(invocation) == last ? before + 1 : 0;
            levelOf[invocation + 1] =
                    timeOf.getLong(invocation + 1) == timeOf.getLong(invocation) ? levelOf[invocation] + 1 : 0;
            last = timeOf.getLong(invocation + 1);
        }
        return levelOf;
    }

    /**
     * Returns a transaction that cannot be written because it overlaps another one of its session; or {@link
     * #NO_OVERLAP}.
     */
    int findOverlap() {
        int[] bySession = bySession();
        for (int i = 0; i < idOf.size(); i++) {
            int txn = bySession[i];
            long complete = timeOf.getLong(2 * txn + 1);
            if (complete != HistorySlice.NONE && complete < timeOf.getLong(2 * txn)) {
                return txn;
            }
            int before = i == 0 ? txn : bySession[i - 1];
            if (before != txn && sessionOf.getLong(before) == sessionOf.getLong(txn)) {
                long end = Math.max(timeOf.getLong(2 * before), timeOf.getLong(2 * before + 1));
                if (timeOf.getLong(2 * txn) < end) {
                    return txn;
                }
            }
        }
        return NO_OVERLAP;
    }

    private void endBeforeNext(int[] bySession, int i) {
        int completion = 2 * bySession[i] + 1;
        if (timeOf.getLong(completion) == HistorySlice.NONE) {
            boolean isLast =
                    i == idOf.size() - 1 || sessionOf.getLong(bySession[i + 1]) != sessionOf.getLong(bySession[i]);
            timeOf.set(completion, isLast ? HistorySlice.NONE : timeOf.getLong(2 * bySession[i + 1]));
        }
    }

    private int compare(int left, int right, int[] levelOf) {
        int order = Long.compare(timeOf.getLong(left), timeOf.getLong(right));
        if (order == 0) {
            order = Integer.compare(levelOf[left], levelOf[right]);
        }
        if (order == 0) {
            order = Integer.compare(left & 1, right & 1);
        }
        return order == 0 ? Integer.compare(left, right) : order;
    }

    private int[] bySession() {
        int[] txns = ordinals(idOf.size());
        IntArrays.quickSort(txns, (left, right) -> {
            int order = Long.compare(sessionOf.getLong(left), sessionOf.getLong(right));
            return order == 0 ? Long.compare(seqOf.getLong(left), seqOf.getLong(right)) : order;
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
