package io.nightjar.jobs.mock;

import io.nightjar.datasets.store.SnapshotOrderListener;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Computes start and commit timestamps under which every answer of a store comes from the newest snapshot. */
final class WitnessTimestamps implements SnapshotOrderListener {

    /*
     * Algorithm. Snapshots and commits are put into one order: repeatedly, for each session in turn, the next event
     * with all required predecessors already ordered. The store stores the commits that must precede each snapshot and
     * each commit, as a number of commits per session; it reports the snapshots that must precede a commit as they
     * occur.
     *
     * Invariant. A next event always exists, as the store keeps these relations acyclic.
     */

    private final boolean isSerial;
    private final List<List<Long>> txnsOf = new ArrayList<>();
    private final Long2ObjectOpenHashMap<IntArrayList> commitsAfter = new Long2ObjectOpenHashMap<>();
    private final Long2IntOpenHashMap snapshotsAhead = new Long2IntOpenHashMap();

    /** @param isSerial whether snapshot and commit coincide */
    WitnessTimestamps(boolean isSerial) {
        this.isSerial = isSerial;
    }

    @Override
    public void snapshotBeforeCommit(int session, int position, int otherSession, int otherPosition) {
        IntArrayList commits = commitsAfter.computeIfAbsent(node(session, position), key -> new IntArrayList(2));
        commits.add(otherSession);
        commits.add(otherPosition);
        snapshotsAhead.addTo(node(otherSession, otherPosition), 1);
    }

    private static long node(int session, int position) {
        return (long) session << 32 | position;
    }

    /** Records the commit of the session's next transaction. */
    void committed(int session, long txnId) {
        while (txnsOf.size() <= session) {
            txnsOf.add(new ArrayList<>());
        }
        txnsOf.get(session).add(txnId);
    }

    /** Returns start and commit timestamp by transaction. */
    Long2ObjectOpenHashMap<long[]> compute(StrongCommitOrderStore store) {
        Long2ObjectOpenHashMap<long[]> timestamps = new Long2ObjectOpenHashMap<>();
        int sessions = txnsOf.size();
        int[] done = new int[sessions];
        boolean[] isStarted = new boolean[sessions];
        long clock = 0;
        boolean isProgressing = true;
        while (isProgressing) {
            isProgressing = false;
            for (int session = 0; session < sessions; session++) {
                while (done[session] < txnsOf.get(session).size()) {
                    int position = done[session];
                    long txnId = txnsOf.get(session).get(position);
                    if (!isStarted[session]) {
                        if (!isReady(store.beforeSnapshot(session, position), session, position, done)
                                || isSerial
                                        && !isReady(store.beforeCommit(session, position), session, position, done)) {
                            break;
                        }
                        isStarted[session] = true;
                        isProgressing = true;
                        timestamps.put(txnId, new long[] {++clock, 0});
                        releaseAfter(session, position);
                    }
                    if (snapshotsAhead.get(node(session, position)) > 0
                            || !isReady(store.beforeCommit(session, position), session, position, done)) {
                        break;
                    }
                    timestamps.get(txnId)[1] = ++clock;
                    isStarted[session] = false;
                    done[session]++;
                    isProgressing = true;
                }
            }
        }
        for (int session = 0; session < sessions; session++) {
            if (done[session] < txnsOf.get(session).size()) {
                throw new AssertionError("no order of snapshots: session=" + session + " position=" + done[session]);
            }
        }
        return timestamps;
    }

    private void releaseAfter(int session, int position) {
        IntArrayList commits = commitsAfter.get(node(session, position));
        for (int i = 0; commits != null && i < commits.size(); i += 2) {
            snapshotsAhead.addTo(node(commits.getInt(i), commits.getInt(i + 1)), -1);
        }
    }

    private static boolean isReady(int[] before, int session, int position, int[] done) {
        for (int other = 0; other < before.length; other++) {
            int have = other < done.length ? done[other] : 0;
            if (other != session && before[other] > have || other == session && before[other] > position) {
                return false;
            }
        }
        return true;
    }
}
