package io.nightjar.datasets.store;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;

/**
 * Returns for reads any version that read committed, read atomic or causal consistency allows if the versions of a key
 * are ordered as they were committed; commits every transaction.
 */
public final class WeakCommitOrderStore extends AbstractNondeterministicStore {

    /*
     * Transactions are numbered as they commit, and that is the order of all versions. The level holds if for each read
     * of x by t3 from t1, every other writer of x that is related to t3 has a smaller number than t1. Related are
     *
     *   rc: all that t3 has read from before;   ra: all that t3 reads from, and the session's earlier ones;
     *   cc: everything in the past of t3 by sessions and reads
     *
     * So a read of x may return the versions from the last related writer of x on (the floor), except, at ra and cc,
     * versions that make a transaction visible that wrote a key that t3 has read already, with a greater number than
     * the version that was read. The version at the floor is always allowed: it makes no new transaction visible.
     *
     * An open transaction has forced nothing, so one that aborts has no effect. A read costs a step per session, at cc
     * a step for each earlier read and session.
     */

    private final WeakFreeOrderStore.Level level;
    private final int staleness;
    private final CommittedTxns txns = new CommittedTxns();

    /** At cc: {@code pastOf[session][position]} is the number of transactions of each session that are before. */
    private int[][][] pastOf = {};

    private Versions[] versionsOf;
    private int[][] past = {};

    /** At rc and ra: for each open transaction the greatest number of a writer of a key that it has read from. */
    private Int2IntOpenHashMap[] seenThroughReads = {};

    /** The versions of a key as they were committed. */
    private static final class Versions {

        final IntArrayList number = new IntArrayList(2);
        final LongArrayList value = new LongArrayList(2);

        /** The positions of each session's versions in this list. */
        IntArrayList[] ofSession = {};

        int count() {
            return number.size();
        }

        void add(int session, int txn, long written) {
            if (session >= ofSession.length) {
                ofSession = Arrays.copyOf(ofSession, session + 1);
            }
            if (ofSession[session] == null) {
                ofSession[session] = new IntArrayList(4);
            }
            ofSession[session].add(count());
            number.add(txn);
            value.add(written);
        }

        /** Returns the position of the last version of the session's first {@code bound} transactions, -1 if none. */
        int lastOfSession(int session, int bound, int[] positionOf) {
            if (bound == 0 || session >= ofSession.length || ofSession[session] == null) {
                return NONE;
            }
            IntArrayList positions = ofSession[session];
            int low = 0;
            int high = positions.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (positionOf[number.getInt(positions.getInt(middle))] < bound) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low == 0 ? NONE : positions.getInt(low - 1);
        }

        /** Returns the position of the last version that has at most this number, -1 if none. */
        int lastUpTo(int txn) {
            int position = Arrays.binarySearch(number.elements(), 0, count(), txn);
            return position >= 0 ? position : -position - 2;
        }
    }

    /**
     * @param staleness maximum number of versions by which a read is older than the last version, if the level allows a
     * newer one
     */
    public WeakCommitOrderStore(
            WeakFreeOrderStore.Level level, int sessions, int keys, int staleness, Chooser chooser) {
        super(chooser);
        this.level = level;
        this.staleness = staleness;
        this.versionsOf = new Versions[keys];
        growSessions(sessions);
    }

    @Override
    void grow(int from, int count) {
        pastOf = Arrays.copyOf(pastOf, count);
        past = Arrays.copyOf(past, count);
        seenThroughReads = Arrays.copyOf(seenThroughReads, count);
        for (int session = 0; session < from; session++) {
            past[session] = Arrays.copyOf(past[session], count);
        }
        for (int session = from; session < count; session++) {
            pastOf[session] = new int[8][];
            past[session] = new int[count];
            seenThroughReads[session] = new Int2IntOpenHashMap();
            seenThroughReads[session].defaultReturnValue(NONE);
        }
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        seenThroughReads[session].clear();
        if (level == WeakFreeOrderStore.Level.CAUSAL) {
            Arrays.fill(past[session], 0);
            int last = committed[session] - 1;
            if (last >= 0) {
                VectorClocks.joinTxn(past[session], pastOf[session][last], session, last);
            }
        }
    }

    // ---------------------------------------------------------------- reads

    @Override
    long readOfOthers(int session, int key) {
        Versions versions = versions(key);
        return accept(session, key, versions, choose(session, key, versions));
    }

    @Override
    long readLastOfOthers(int session, int key) {
        Versions versions = versions(key);
        int last = versions.count() - 1;
        if (!isAllowed(session, versions, last)) {
            readNewestUntilCommit(session, true);
            return ABORTED;
        }
        return accept(session, key, versions, last);
    }

    private long accept(int session, int key, Versions versions, int position) {
        open[session].read(key, position < 0 ? NONE : versions.number.getInt(position));
        if (position < 0) {
            return INITIAL;
        }
        int source = versions.number.getInt(position);
        if (level == WeakFreeOrderStore.Level.CAUSAL) {
            int other = txns.sessionOf[source];
            VectorClocks.joinTxn(past[session], pastOf[other][txns.positionOf[source]], other, txns.positionOf[source]);
        } else {
            Int2IntOpenHashMap seen = seenThroughReads[session];
            for (int written : txns.keysOf[source]) {
                seen.put(written, Math.max(seen.get(written), source));
            }
        }
        return versions.value.getLong(position);
    }

    private int choose(int session, int key, Versions versions) {
        int minVersion = floor(session, key, versions);
        int fresh = readsNewest(session) ? minVersion : Math.max(minVersion, versions.count() - 1 - staleness);
        int drawn = drawFrom(session, versions, fresh);
        return drawn < fresh ? drawFrom(session, versions, minVersion) : drawn;
    }

    /** Draws one of the allowed versions from a position on; an earlier one if none of these is allowed. */
    private int drawFrom(int session, Versions versions, int minVersion) {
        return minVersion
                + draw(
                        session,
                        versions.count() - minVersion,
                        more -> isAllowed(session, versions, minVersion + more),
                        more -> minVersion + more < 0 ? INITIAL : versions.value.getLong(minVersion + more));
    }

    /** Returns the position of the last version whose writer is related to the reader, -1 for the initial state. */
    private int floor(int session, int key, Versions versions) {
        int greatest = NONE;
        if (level == WeakFreeOrderStore.Level.CAUSAL) {
            for (int other = 0; other < sessionCount; other++) {
                greatest = Math.max(greatest, versions.lastOfSession(other, past[session][other], txns.positionOf));
            }
            return greatest;
        }
        greatest = seenThroughReads[session].get(key);
        if (level == WeakFreeOrderStore.Level.READ_ATOMIC && committed[session] > 0) {
            int position = versions.lastOfSession(session, committed[session], txns.positionOf);
            greatest = position < 0 ? greatest : Math.max(greatest, versions.number.getInt(position));
        }
        return greatest == NONE ? -1 : versions.lastUpTo(greatest);
    }

    /**
     * Returns whether reading the version makes no transaction visible that wrote a newer version of a key than the
     * version already read.
     */
    private boolean isAllowed(int session, Versions versions, int position) {
        if (position < 0 || level == WeakFreeOrderStore.Level.READ_COMMITTED) {
            return true;
        }
        TxnBuffer txn = open[session];
        int source = versions.number.getInt(position);
        if (level == WeakFreeOrderStore.Level.READ_ATOMIC) {
            for (int written : txns.keysOf[source]) {
                int read = txn.versionRead(written, Integer.MAX_VALUE);
                if (read < source && read != Integer.MAX_VALUE) {
                    return false;
                }
            }
            return true;
        }
        int ofSource = txns.sessionOf[source];
        int[] pastOfSource = pastOf[ofSource][txns.positionOf[source]];
        for (int read = 0; read < txn.readCount; read++) {
            Versions ofRead = versions(txn.readKey[read]);
            for (int other = 0; other < pastOfSource.length || other == ofSource; other++) {
                int bound = other == ofSource ? txns.positionOf[source] + 1 : pastOfSource[other];
                if (bound > past[session][other]) {
                    int last = ofRead.lastOfSession(other, bound, txns.positionOf);
                    if (last >= 0 && ofRead.number.getInt(last) > txn.readVersion[read]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- ends

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        int position = committed[session]++;
        if (position == pastOf[session].length) {
            pastOf[session] = Arrays.copyOf(pastOf[session], 2 * position);
        }
        int number = txns.add(session, position, txn);
        if (level == WeakFreeOrderStore.Level.CAUSAL) {
            pastOf[session][position] = past[session].clone();
        }
        for (int write = 0; write < txn.writeCount; write++) {
            versions(txn.writtenKey[write]).add(session, number, txn.written[write]);
        }
        readNewestUntilCommit(session, false);
        return true;
    }

    @Override
    public void abort(int session) {
        open[session].clear();
    }

    // ---------------------------------------------------------------- interface of databases

    @Override
    public int versionCount(int key) {
        return key < versionsOf.length && versionsOf[key] != null ? versionsOf[key].count() : 0;
    }

    @Override
    int initialVersion() {
        return NONE;
    }

    private Versions versions(int key) {
        versionsOf = grownFor(key, versionsOf);
        if (versionsOf[key] == null) {
            versionsOf[key] = new Versions();
        }
        return versionsOf[key];
    }
}
