package io.nightjar.datasets.store;

import io.nightjar.formats.history.SetsFields;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Returns for a read any version that prefix consistency, snapshot isolation or serializability allows if the versions
 * of a key are ordered as they were committed. At snapshot isolation and serializability, a transaction that leaves no
 * order is aborted.
 */
public final class StrongCommitOrderStore extends AbstractNondeterministicStore {

    /*
     * Each transaction t has a node R(t) for its snapshot and a node W(t) for its commit, R before W; at ser they are
     * one. The level holds if these edges have no cycle:
     *
     *   session   W -> R of the next one
     *   wr        W of the writer -> R of the reader
     *   ww        W of a version -> W of the next version (pc), -> R of its writer (si, ser)
     *   rw        R of a reader -> W of the next version
     *
     * A row contains, for each session, the number of its commits that are before a node; sessions are in order, so
     * these are all of them. snapshotRow[s][i] and commitRow[s][i] belong to the i-th committed transaction of session
     * s. An open transaction has a row, the predecessors of its snapshot, and a front, the position of the first commit
     * of each session that its snapshot must precede. It has no position left once a commit of its front is in its row.
     *
     * The versions of a key are ordered by their rows, so an open transaction may read the versions of one interval:
     * not older than the last writer in its row, and not so new that a commit of its front is before the version. Two
     * open transactions may each be possible and both not: p precedes q if a commit of p's front is in q's row, and
     * that must have no cycle either. At ser a transaction also follows the open transactions that read a version that
     * it overwrites.
     *
     * The edges of a transaction are inserted when it commits; so one that aborts has no effect. After an abort a
     * session reads the newest versions that are allowed, so that repeating the transaction ends.
     */

    /** The level that holds for all histories. */
    public enum Level {
        PREFIX,
        SNAPSHOT_ISOLATION,
        SERIALIZABLE
    }

    private static final int NEVER = Integer.MAX_VALUE;

    private final Level level;
    private final int staleness;
    private int[][][] snapshotRow = {};
    private int[][][] commitRow = {};

    private Versions[] versionsOf;

    private boolean[] isOpen = {};
    private int[][] row = {};
    private int[][] front = {};

    /** Receives which snapshots precede which commits; null if not needed. */
    private final @Nullable SnapshotOrderListener listener;

    private int[] trialRow;
    private int[] trialFront;

    /** The versions of a key, the initial state before the first, and the committed readers of the last of them. */
    private static final class Versions {

        final IntArrayList session = new IntArrayList(4);
        final IntArrayList position = new IntArrayList(4);
        final LongArrayList value = new LongArrayList(4);
        final IntArrayList readerSession = new IntArrayList(4);
        final IntArrayList readerPosition = new IntArrayList(4);

        int count() {
            return session.size();
        }

        int readerCount() {
            return readerSession.size();
        }

        void add(int ofSession, int txnAt, long of) {
            session.add(ofSession);
            position.add(txnAt);
            value.add(of);
            readerSession.clear();
            readerPosition.clear();
        }

        void addReader(int ofSession, int txnAt) {
            boolean isKnown =
                    !readerSession.isEmpty() && readerSession.topInt() == ofSession && readerPosition.topInt() == txnAt;
            if (!isKnown) {
                readerSession.add(ofSession);
                readerPosition.add(txnAt);
            }
        }
    }

    public StrongCommitOrderStore(Level level, int sessions, int keys, Chooser chooser) {
        this(level, sessions, keys, Integer.MAX_VALUE, chooser, null);
    }

    /**
     * @param staleness maximum number of versions by which a read is older than the last version, if the level allows a
     * newer one
     * @param listener receives the constraints that a witness order of the transactions must keep; null for none
     */
    public StrongCommitOrderStore(
            Level level,
            int sessions,
            int keys,
            int staleness,
            Chooser chooser,
            @Nullable SnapshotOrderListener listener) {
        super(chooser);
        this.level = level;
        this.staleness = staleness;
        this.listener = listener;
        this.versionsOf = new Versions[keys];
        growSessions(sessions);
    }

    @Override
    @SetsFields
    void grow(int from, int count) {
        snapshotRow = Arrays.copyOf(snapshotRow, count);
        commitRow = Arrays.copyOf(commitRow, count);
        isOpen = Arrays.copyOf(isOpen, count);
        row = Arrays.copyOf(row, count);
        front = Arrays.copyOf(front, count);
        trialRow = new int[count];
        trialFront = new int[count];
        for (int session = 0; session < from; session++) {
            row[session] = Arrays.copyOf(row[session], count);
            front[session] = Arrays.copyOf(front[session], count);
            Arrays.fill(front[session], from, count, NEVER);
            VectorClocks.widen(snapshotRow[session], committed[session], count);
            if (level == Level.SERIALIZABLE) {
                System.arraycopy(snapshotRow[session], 0, commitRow[session], 0, committed[session]);
            } else {
                VectorClocks.widen(commitRow[session], committed[session], count);
            }
        }
        for (int session = from; session < count; session++) {
            snapshotRow[session] = new int[8][];
            commitRow[session] = new int[8][];
            row[session] = new int[count];
            front[session] = new int[count];
        }
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        isOpen[session] = true;
        Arrays.fill(front[session], NEVER);
        Arrays.fill(row[session], 0);
        int last = committed[session] - 1;
        if (last >= 0) {
            System.arraycopy(commitRow[session][last], 0, row[session], 0, sessionCount);
            row[session][session] = last + 1;
        }
    }

    // ---------------------------------------------------------------- reads

    @Override
    long readOfOthers(int session, int key) {
        Versions versions = versions(key);
        int minVersion = lastInRow(versions, row[session]);
        int maxVersion = lastWithinFront(versions, minVersion, front[session]);
        int fresh =
                Math.min(maxVersion, Math.max(minVersion, versions.count() - Math.min(staleness, versions.count())));
        int version = drawBetween(session, versions, fresh, maxVersion);
        if (version < fresh && fresh > minVersion) {
            fresh = minVersion;
            version = drawBetween(session, versions, minVersion, maxVersion);
        }
        return accept(session, key, versions, version < fresh ? NONE : version);
    }

    /** Draws one of the allowed versions between two positions; an earlier one if none of these is allowed. */
    private int drawBetween(int session, Versions versions, int minVersion, int maxVersion) {
        return minVersion
                + draw(
                        session,
                        maxVersion - minVersion + 1,
                        more -> tryVersion(session, versions, minVersion + more),
                        more -> minVersion + more == 0 ? INITIAL : versions.value.getLong(minVersion + more - 1));
    }

    @Override
    long readLastOfOthers(int session, int key) {
        Versions versions = versions(key);
        int last = versions.count();
        return accept(session, key, versions, tryVersion(session, versions, last) ? last : NONE);
    }

    private long accept(int session, int key, Versions versions, int version) {
        if (version == NONE) {
            abandon(session);
            return ABORTED;
        }
        tryVersion(session, versions, version);
        System.arraycopy(trialRow, 0, row[session], 0, sessionCount);
        System.arraycopy(trialFront, 0, front[session], 0, sessionCount);
        open[session].read(key, version);
        return version == 0 ? INITIAL : versions.value.getLong(version - 1);
    }

    /** Versions are numbered from 1, 0 is the initial state. */
    private static int lastInRow(Versions versions, int[] ofRow) {
        int low = 0;
        int high = versions.count();
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (versions.position.getInt(middle - 1) < ofRow[versions.session.getInt(middle - 1)]) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private int lastWithinFront(Versions versions, int minVersion, int[] ofFront) {
        int low = minVersion;
        int high = versions.count();
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (isAfter(versions, middle, ofFront)) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private boolean isAfter(Versions versions, int version, int[] ofFront) {
        int session = versions.session.getInt(version - 1);
        int position = versions.position.getInt(version - 1);
        return ofFront[session] <= position || meets(ofFront, commitRow[session][position]);
    }

    /** Returns whether a commit of a front is in a row. */
    private static boolean meets(int[] ofFront, int[] ofRow) {
        for (int session = 0; session < ofRow.length; session++) {
            if (ofFront[session] < ofRow[session]) {
                return true;
            }
        }
        return false;
    }

    private boolean tryVersion(int session, Versions versions, int version) {
        System.arraycopy(row[session], 0, trialRow, 0, sessionCount);
        System.arraycopy(front[session], 0, trialFront, 0, sessionCount);
        if (version > 0) {
            joinCommit(trialRow, versions.session.getInt(version - 1), versions.position.getInt(version - 1));
        }
        if (version < versions.count()) {
            int next = versions.session.getInt(version);
            trialFront[next] = Math.min(trialFront[next], versions.position.getInt(version));
        }
        return isPossible(session);
    }

    /**
     * Returns whether the trial leaves the session's open transaction a position among the committed and the open ones.
     */
    private boolean isPossible(int session) {
        if (meets(trialFront, trialRow)) {
            return false;
        }
        int[] next = new int[sessionCount];
        boolean[] isReached = new boolean[sessionCount];
        int count = 0;
        for (int other = 0; other < sessionCount; other++) {
            if (other != session && isOpen[other] && meets(trialFront, row[other])) {
                isReached[other] = true;
                next[count++] = other;
            }
        }
        for (int i = 0; i < count; i++) {
            int[] reached = front[next[i]];
            if (meets(reached, trialRow) || level == Level.SERIALIZABLE && overwrites(open[session], open[next[i]])) {
                return false;
            }
            for (int other = 0; other < sessionCount; other++) {
                if (other != session && isOpen[other] && !isReached[other] && meets(reached, row[other])) {
                    isReached[other] = true;
                    next[count++] = other;
                }
            }
        }
        return true;
    }

    /** Returns whether the writer has written a key of which the reader has read the last version. */
    private boolean overwrites(TxnBuffer writer, TxnBuffer reader) {
        for (int write = 0; write < writer.writeCount; write++) {
            int key = writer.writtenKey[write];
            if (hasRead(reader, key, versions(key).count())) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- writes

    @Override
    public boolean write(int session, int key, long value) {
        open[session].write(key, value);
        if (level != Level.PREFIX && !followLastWriter(session, key)) {
            abandon(session);
            return false;
        }
        return true;
    }

    /** Moves the snapshot after the last version of a key and, if snapshot and commit are one, after its readers. */
    private boolean followLastWriter(int session, int key) {
        Versions versions = versions(key);
        System.arraycopy(row[session], 0, trialRow, 0, sessionCount);
        System.arraycopy(front[session], 0, trialFront, 0, sessionCount);
        joinLast(trialRow, versions);
        for (int reader = 0; level == Level.SERIALIZABLE && reader < versions.readerCount(); reader++) {
            joinCommit(trialRow, versions.readerSession.getInt(reader), versions.readerPosition.getInt(reader));
        }
        if (!isPossible(session)) {
            return false;
        }
        System.arraycopy(trialRow, 0, row[session], 0, sessionCount);
        return true;
    }

    private void joinLast(int[] into, Versions versions) {
        if (versions.count() > 0) {
            joinCommit(
                    into,
                    versions.session.getInt(versions.count() - 1),
                    versions.position.getInt(versions.count() - 1));
        }
    }

    private void joinCommit(int[] into, int session, int position) {
        VectorClocks.joinTxn(into, commitRow[session][position], session, position);
    }

    // ---------------------------------------------------------------- ends

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        for (int write = 0; level != Level.PREFIX && write < txn.writeCount; write++) {
            if (!followLastWriter(session, txn.writtenKey[write])) {
                abandon(session);
                return false;
            }
        }
        isOpen[session] = false;
        readNewestUntilCommit(session, false);
        int position = committed[session]++;
        if (position == commitRow[session].length) {
            snapshotRow[session] = Arrays.copyOf(snapshotRow[session], 2 * position);
            commitRow[session] = Arrays.copyOf(commitRow[session], 2 * position);
        }
        int[] snapshot = row[session].clone();
        snapshotRow[session][position] = snapshot;
        commitRow[session][position] = level == Level.SERIALIZABLE ? snapshot : commitRowOf(snapshot, txn);
        putBeforeFront(session, snapshot);
        if (listener != null) {
            for (int other = 0; other < sessionCount; other++) {
                if (front[session][other] != NEVER) {
                    listener.snapshotBeforeCommit(session, position, other, front[session][other]);
                }
            }
        }
        for (int read = 0; read < txn.readCount; read++) {
            Versions versions = versions(txn.readKey[read]);
            if (txn.readVersion[read] == versions.count()) {
                versions.addReader(session, position);
            }
        }
        for (int write = 0; write < txn.writeCount; write++) {
            install(session, position, txn.writtenKey[write], txn.written[write]);
        }
        return true;
    }

    /**
     * Returns the clock row of the predecessors of a commit: its snapshot, the versions that it replaces, and the
     * snapshots of their readers.
     */
    private int[] commitRowOf(int[] snapshot, TxnBuffer txn) {
        int[] before = snapshot.clone();
        for (int write = 0; write < txn.writeCount; write++) {
            Versions versions = versions(txn.writtenKey[write]);
            joinLast(before, versions);
            for (int reader = 0; reader < versions.readerCount(); reader++) {
                VectorClocks.join(
                        before,
                        snapshotRow[versions.readerSession.getInt(reader)][versions.readerPosition.getInt(reader)]);
            }
        }
        return before;
    }

    /**
     * Adds the predecessors of the snapshot to the rows of everything after the front, at ser the transaction itself
     * too.
     */
    private void putBeforeFront(int session, int[] snapshot) {
        int[] addition = snapshot.clone();
        if (level == Level.SERIALIZABLE) {
            addition[session] = committed[session];
        }
        for (int other = 0; other < sessionCount; other++) {
            if (front[session][other] != NEVER) {
                joinIntoLater(other, front[session][other], addition);
            }
        }
    }

    /** Joins an addition into a commit's row and into the rows of all that the commit is before. */
    private void joinIntoLater(int session, int position, int[] addition) {
        VectorClocks.join(commitRow[session][position], addition);
        for (int other = 0; other < sessionCount; other++) {
            int next = VectorClocks.firstThatKnows(commitRow[other], committed[other], session, position);
            for (boolean grows = true; grows && next < committed[other]; next++) {
                boolean snapshotGrows = snapshotRow[other][next][session] > position
                        && VectorClocks.join(snapshotRow[other][next], addition);
                grows = VectorClocks.join(commitRow[other][next], addition) | snapshotGrows;
            }
            if (isOpen[other] && row[other][session] > position) {
                VectorClocks.join(row[other], addition);
            }
        }
    }

    private void install(int session, int position, int key, long value) {
        Versions versions = versions(key);
        for (int reader = 0; listener != null && reader < versions.readerCount(); reader++) {
            listener.snapshotBeforeCommit(
                    versions.readerSession.getInt(reader), versions.readerPosition.getInt(reader), session, position);
        }
        for (int other = 0; other < sessionCount; other++) {
            if (isOpen[other] && other != session && hasRead(open[other], key, versions.count())) {
                front[other][session] = Math.min(front[other][session], position);
            }
        }
        versions.add(session, position, value);
    }

    private static boolean hasRead(TxnBuffer txn, int key, int version) {
        return txn.versionRead(key, NONE) == version;
    }

    @Override
    public void abort(int session) {
        isOpen[session] = false;
    }

    // ---------------------------------------------------------------- interface of databases

    @Override
    public int versionCount(int key) {
        return key < versionsOf.length && versionsOf[key] != null ? versionsOf[key].count() : 0;
    }

    @Override
    public void recordUnborn(int session, int position, int key) {
        if (position < committed[session] && versionCount(key) == 0) {
            versions(key).addReader(session, position);
        } else if (isOpen[session]) {
            super.recordUnborn(session, position, key);
        }
    }

    @Override
    int initialVersion() {
        return 0;
    }

    /**
     * Returns, by session, the number of transactions that must have committed before the snapshot of a committed
     * transaction.
     */
    public int[] beforeSnapshot(int session, int position) {
        return snapshotRow[session][position].clone();
    }

    /** Returns, by session, the number of transactions that must have committed before a committed transaction does. */
    public int[] beforeCommit(int session, int position) {
        return commitRow[session][position].clone();
    }

    private void abandon(int session) {
        isOpen[session] = false;
        readNewestUntilCommit(session, true);
    }

    private Versions versions(int key) {
        versionsOf = grownFor(key, versionsOf);
        if (versionsOf[key] == null) {
            versionsOf[key] = new Versions();
        }
        return versionsOf[key];
    }
}
