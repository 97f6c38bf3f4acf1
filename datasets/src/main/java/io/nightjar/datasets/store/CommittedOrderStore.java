package io.nightjar.datasets.store;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/**
 * Answers reads with any version that read committed, read atomic or causal consistency allows if the versions of a key are
 * ordered as they were committed; commits everything.
 */
public final class CommittedOrderStore implements ChoosingStore {

    /*
     * Transactions are numbered as they commit, and that is the order of all versions. The level holds if for each read of x by
     * t3 from t1, every other writer of x that is related to t3 has a smaller number than t1. Related are
     *
     *   rc: those that t3 has read from before;   ra: all that t3 reads from, and the session's earlier ones;
     *   cc: everything in the past of t3 by sessions and reads
     *
     * So a read of x may return the versions from the last related writer of x on (the floor), except, at ra and cc, those
     * that make somebody visible who wrote a key that t3 has read already, with a greater number than the version that was
     * read. The version at the floor is always allowed: it brings nobody new.
     *
     * An open transaction has forced nothing, so one that aborts leaves nothing behind. A read costs a step a session, at cc a
     * step for each earlier read and session.
     */

    private static final int NOBODY = -1;
    private static final int FEW = 16;
    private static final int DRAWS = 16;

    private final FreeVersionsStore.Level level;
    private final Chooser chooser;
    private final int staleness;
    private int sessionCount;

    // committed transactions, by number
    private int txnCount;
    private int[] sessionOf = new int[64];
    private int[] placeOf = new int[64];
    private int[][] keysOf = new int[64][];

    private int[] committed;

    /** At cc: {@code pastOf[session][place]} tells how many of each session are before. */
    private int[][][] pastOf;

    private Versions[] versionsOf;

    private TxnBuffer[] open;
    private int[][] past;
    private boolean[] readsNewest;

    /** At rc and ra: for each open transaction the greatest number of a writer of a key that it has read from. */
    private Int2IntOpenHashMap[] seenThroughReads;

    /** The versions of a key as they were committed. */
    private static final class Versions {

        int count;
        int[] number = new int[2];
        long[] value = new long[2];

        /** For each session the places of its versions here, behind how many there are. */
        int[][] ofSession = new int[0][];

        void add(int session, int txn, long written) {
            if (count == number.length) {
                number = Arrays.copyOf(number, 2 * count);
                value = Arrays.copyOf(value, 2 * count);
            }
            if (session >= ofSession.length) {
                ofSession = Arrays.copyOf(ofSession, session + 1);
            }
            if (ofSession[session] == null) {
                ofSession[session] = new int[2];
            }
            int[] places = ofSession[session];
            if (places[0] + 1 == places.length) {
                places = Arrays.copyOf(places, 2 * places.length);
                ofSession[session] = places;
            }
            places[++places[0]] = count;
            number[count] = txn;
            value[count++] = written;
        }

        /** The place of the last version of the session's first {@code bound} transactions, -1 if none. */
        int lastOfSession(int session, int bound, int[] placeOf) {
            if (bound == 0 || session >= ofSession.length || ofSession[session] == null) {
                return -1;
            }
            int[] places = ofSession[session];
            int low = 0;
            int high = places[0];
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (placeOf[number[places[middle]]] < bound) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low == 0 ? -1 : places[low];
        }

        /** The place of the last version that has at most this number, -1 if none. */
        int lastUpTo(int txn) {
            int place = Arrays.binarySearch(number, 0, count, txn);
            return place >= 0 ? place : -place - 2;
        }
    }

    /** @param staleness how many versions behind the last one a read returns at most, where the level allows a newer one */
    public CommittedOrderStore(FreeVersionsStore.Level level, int sessions, int keys, int staleness, Chooser chooser) {
        this.level = level;
        this.chooser = chooser;
        this.staleness = staleness;
        this.versionsOf = new Versions[keys];
        this.committed = new int[0];
        this.pastOf = new int[0][][];
        this.open = new TxnBuffer[0];
        this.past = new int[0][];
        this.readsNewest = new boolean[0];
        this.seenThroughReads = new Int2IntOpenHashMap[0];
        growSessions(sessions);
    }

    @Override
    public void growSessions(int count) {
        int from = sessionCount;
        if (count <= from) {
            return;
        }
        sessionCount = count;
        committed = Arrays.copyOf(committed, count);
        pastOf = Arrays.copyOf(pastOf, count);
        open = Arrays.copyOf(open, count);
        past = Arrays.copyOf(past, count);
        readsNewest = Arrays.copyOf(readsNewest, count);
        seenThroughReads = Arrays.copyOf(seenThroughReads, count);
        for (int session = 0; session < from; session++) {
            past[session] = Arrays.copyOf(past[session], count);
        }
        for (int session = from; session < count; session++) {
            pastOf[session] = new int[8][];
            open[session] = new TxnBuffer();
            past[session] = new int[count];
            seenThroughReads[session] = new Int2IntOpenHashMap();
            seenThroughReads[session].defaultReturnValue(NOBODY);
        }
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        seenThroughReads[session].clear();
        if (level == FreeVersionsStore.Level.CAUSAL) {
            Arrays.fill(past[session], 0);
            joinOwn(session);
        }
    }

    private void joinOwn(int session) {
        int last = committed[session] - 1;
        if (last >= 0) {
            join(past[session], pastOf[session][last]);
            past[session][session] = last + 1;
        }
    }

    /** Rows of before the number of sessions grew are shorter; what is missing is 0. */
    private static void join(int[] into, int[] addition) {
        for (int i = 0; i < addition.length; i++) {
            into[i] = Math.max(into[i], addition[i]);
        }
    }

    // ---------------------------------------------------------------- reads

    @Override
    public long read(int session, int key) {
        TxnBuffer txn = open[session];
        int own = txn.writeOf(key);
        if (own >= 0) {
            return txn.written[own];
        }
        Versions versions = versions(key);
        return accept(session, key, versions, choose(session, key, versions));
    }

    @Override
    public long readNewest(int session, int key) {
        TxnBuffer txn = open[session];
        int own = txn.writeOf(key);
        if (own >= 0) {
            return txn.written[own];
        }
        Versions versions = versions(key);
        int last = versions.count - 1;
        if (!isAllowed(session, versions, last)) {
            readsNewest[session] = true;
            return ABORTED;
        }
        return accept(session, key, versions, last);
    }

    @Override
    public void readOwnPast(int session, int key) {
        if (open[session].writeOf(key) < 0) {
            Versions versions = versions(key);
            accept(session, key, versions, floor(session, key, versions));
        }
    }

    private long accept(int session, int key, Versions versions, int place) {
        open[session].read(key, place < 0 ? NOBODY : versions.number[place]);
        if (place < 0) {
            return INITIAL;
        }
        int source = versions.number[place];
        if (level == FreeVersionsStore.Level.CAUSAL) {
            int other = sessionOf[source];
            join(past[session], pastOf[other][placeOf[source]]);
            past[session][other] = Math.max(past[session][other], placeOf[source] + 1);
        } else {
            Int2IntOpenHashMap seen = seenThroughReads[session];
            for (int written : keysOf[source]) {
                seen.put(written, Math.max(seen.get(written), source));
            }
        }
        return versions.value[place];
    }

    private int choose(int session, int key, Versions versions) {
        int least = floor(session, key, versions);
        int fresh = Math.max(least, versions.count - 1 - staleness);
        if (readsNewest[session] || fresh == versions.count - 1) {
            return newestAllowed(session, versions, least);
        }
        int chosen = chooseFrom(session, versions, fresh);
        return chosen == Integer.MIN_VALUE ? newestAllowed(session, versions, least) : chosen;
    }

    private int newestAllowed(int session, Versions versions, int least) {
        int place = versions.count - 1;
        while (place > least && !isAllowed(session, versions, place)) {
            place--;
        }
        return place;
    }

    private int chooseFrom(int session, Versions versions, int least) {
        int count = versions.count - least;
        for (int draw = 0; chooser.isUniform() && count > FEW && draw < DRAWS; draw++) {
            int place = least + chooser.below(count);
            if (isAllowed(session, versions, place)) {
                return place;
            }
        }
        int[] allowed = new int[count];
        int allowedCount = 0;
        for (int place = least; place < versions.count; place++) {
            if (isAllowed(session, versions, place)) {
                allowed[allowedCount++] = place;
            }
        }
        return allowedCount == 0 ? Integer.MIN_VALUE : allowed[chooser.below(allowedCount)];
    }

    /** The place of the last version whose writer is related to the reader, -1 for the initial state. */
    private int floor(int session, int key, Versions versions) {
        int greatest = NOBODY;
        if (level == FreeVersionsStore.Level.CAUSAL) {
            for (int other = 0; other < sessionCount; other++) {
                greatest = Math.max(greatest, versions.lastOfSession(other, past[session][other], placeOf));
            }
            return greatest;
        }
        greatest = seenThroughReads[session].get(key);
        if (level == FreeVersionsStore.Level.READ_ATOMIC && committed[session] > 0) {
            int place = versions.lastOfSession(session, committed[session], placeOf);
            greatest = place < 0 ? greatest : Math.max(greatest, versions.number[place]);
        }
        return greatest == NOBODY ? -1 : versions.lastUpTo(greatest);
    }

    /** Whether reading the version makes nobody visible who wrote a newer version of what has been read already. */
    private boolean isAllowed(int session, Versions versions, int place) {
        if (place < 0 || level == FreeVersionsStore.Level.READ_COMMITTED) {
            return true;
        }
        TxnBuffer txn = open[session];
        int source = versions.number[place];
        if (level == FreeVersionsStore.Level.READ_ATOMIC) {
            for (int written : keysOf[source]) {
                int read = txn.versionRead(written, Integer.MAX_VALUE);
                if (read < source && read != Integer.MAX_VALUE) {
                    return false;
                }
            }
            return true;
        }
        int ofSource = sessionOf[source];
        int[] behind = pastOf[ofSource][placeOf[source]];
        for (int read = 0; read < txn.readCount; read++) {
            Versions ofRead = versions(txn.readKey[read]);
            for (int other = 0; other < behind.length || other == ofSource; other++) {
                int bound = other == ofSource ? placeOf[source] + 1 : behind[other];
                if (bound > past[session][other]) {
                    int last = ofRead.lastOfSession(other, bound, placeOf);
                    if (last >= 0 && ofRead.number[last] > txn.readVersion[read]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- writes and ends

    @Override
    public boolean write(int session, int key, long value) {
        open[session].write(key, value);
        return true;
    }

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        int place = committed[session]++;
        if (place == pastOf[session].length) {
            pastOf[session] = Arrays.copyOf(pastOf[session], 2 * place);
        }
        if (txnCount == sessionOf.length) {
            sessionOf = Arrays.copyOf(sessionOf, 2 * txnCount);
            placeOf = Arrays.copyOf(placeOf, 2 * txnCount);
            keysOf = Arrays.copyOf(keysOf, 2 * txnCount);
        }
        sessionOf[txnCount] = session;
        placeOf[txnCount] = place;
        keysOf[txnCount] = Arrays.copyOf(txn.writtenKey, txn.writeCount);
        if (level == FreeVersionsStore.Level.CAUSAL) {
            pastOf[session][place] = past[session].clone();
        }
        for (int write = 0; write < txn.writeCount; write++) {
            versions(txn.writtenKey[write]).add(session, txnCount, txn.written[write]);
        }
        txnCount++;
        readsNewest[session] = false;
        return true;
    }

    @Override
    public void abort(int session) {
        open[session].clear();
    }

    // ---------------------------------------------------------------- what a database asks

    @Override
    public int committedCount(int session) {
        return committed[session];
    }

    @Override
    public int versionCount(int key) {
        return key < versionsOf.length && versionsOf[key] != null ? versionsOf[key].count : 0;
    }

    @Override
    public void noteUnborn(int session, int place, int key) {
        boolean isOpen = place == committed[session];
        if (isOpen && versionCount(key) == 0 && open[session].writeOf(key) < 0) {
            open[session].read(key, NOBODY);
        }
    }

    @Override
    public void unwrite(int session, int key) {
        open[session].unwrite(key);
    }

    @Override
    public void readNewestUntilCommit(int session) {
        readsNewest[session] = true;
    }

    private Versions versions(int key) {
        if (key >= versionsOf.length) {
            versionsOf = Arrays.copyOf(versionsOf, Math.max(key + 1, 2 * versionsOf.length));
        }
        if (versionsOf[key] == null) {
            versionsOf[key] = new Versions();
        }
        return versionsOf[key];
    }
}
