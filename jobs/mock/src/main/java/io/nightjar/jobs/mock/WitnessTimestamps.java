package io.nightjar.jobs.mock;

import io.nightjar.datasets.store.SnapshotOrderListener;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Computes start and commit timestamps under which every answer of a store is what the newest snapshot held. */
final class WitnessTimestamps implements SnapshotOrderListener {

    /*
     * Snapshots and commits are put into one order: of each session in turn, whatever has all before it that must be. The
     * store knows which commits must be before each snapshot and each commit, as a number of commits of each session;
     * which snapshots must be before which commits it has told as it went. There is always a next one, as the store
     * keeps these relations without a cycle.
     */

    private final boolean isSerial;
    private final List<List<Long>> txnsOf = new ArrayList<>();
    private final Long2ObjectOpenHashMap<IntArrayList> commitsBehind = new Long2ObjectOpenHashMap<>();
    private final Long2IntOpenHashMap snapshotsAhead = new Long2IntOpenHashMap();

    /** @param isSerial whether snapshot and commit are one */
    WitnessTimestamps(boolean isSerial) {
        this.isSerial = isSerial;
    }

    @Override
    public void snapshotBeforeCommit(int session, int place, int otherSession, int otherPlace) {
        IntArrayList behind = commitsBehind.computeIfAbsent(node(session, place), key -> new IntArrayList(2));
        behind.add(otherSession);
        behind.add(otherPlace);
        snapshotsAhead.addTo(node(otherSession, otherPlace), 1);
    }

    private static long node(int session, int place) {
        return (long) session << 32 | place;
    }

    /** The session's next transaction has committed. */
    void committed(int session, long txnId) {
        while (txnsOf.size() <= session) {
            txnsOf.add(new ArrayList<>());
        }
        txnsOf.get(session).add(txnId);
    }

    /** Start and commit by transaction. */
    Long2ObjectOpenHashMap<long[]> compute(StrongCommitOrderStore store) {
        Long2ObjectOpenHashMap<long[]> timestamps = new Long2ObjectOpenHashMap<>();
        int sessions = txnsOf.size();
        int[] done = new int[sessions];
        boolean[] isStarted = new boolean[sessions];
        long clock = 0;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (int session = 0; session < sessions; session++) {
                while (done[session] < txnsOf.get(session).size()) {
                    int place = done[session];
                    long txnId = txnsOf.get(session).get(place);
                    if (!isStarted[session]) {
                        if (!isReady(store.beforeSnapshot(session, place), session, place, done)
                                || isSerial && !isReady(store.beforeCommit(session, place), session, place, done)) {
                            break;
                        }
                        isStarted[session] = true;
                        goesOn = true;
                        timestamps.put(txnId, new long[] {++clock, 0});
                        releaseBehind(session, place);
                    }
                    if (snapshotsAhead.get(node(session, place)) > 0
                            || !isReady(store.beforeCommit(session, place), session, place, done)) {
                        break;
                    }
                    timestamps.get(txnId)[1] = ++clock;
                    isStarted[session] = false;
                    done[session]++;
                    goesOn = true;
                }
            }
        }
        for (int session = 0; session < sessions; session++) {
            if (done[session] < txnsOf.get(session).size()) {
                throw new AssertionError("no order of snapshots: session=" + session + " place=" + done[session]);
            }
        }
        return timestamps;
    }

    private void releaseBehind(int session, int place) {
        IntArrayList behind = commitsBehind.get(node(session, place));
        for (int i = 0; behind != null && i < behind.size(); i += 2) {
            snapshotsAhead.addTo(node(behind.getInt(i), behind.getInt(i + 1)), -1);
        }
    }

    private static boolean isReady(int[] before, int session, int place, int[] done) {
        for (int other = 0; other < before.length; other++) {
            int have = other < done.length ? done[other] : 0;
            if (other != session && before[other] > have || other == session && before[other] > place) {
                return false;
            }
        }
        return true;
    }
}
