package io.nightjar.pipeline.online;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.LongOrdinals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The transactions of every session by position, marked if they precede the commit of their predecessor. */
final class SessionTimelines {

    /*
     * Algorithm. A transaction that arrives is checked against its predecessor, and its successor is checked again.
     * Sealed positions are removed, except the last. A transaction that arrives before a removed position is left to a
     * check of its segment.
     *
     * Layout. A row has the position in the session, start, commit and id of the transaction, and its time of arrival
     * before six bits of marks:
     *
     *   WRONG << level   in the order of levels     SEALED     READ_ONLY
     */

    private static final int WRONG = 1;
    private static final int SEALED = 16;
    private static final int READ_ONLY = 32;
    private static final int START = 1;
    private static final int COMMIT = 2;
    private static final int ID = 3;
    private static final int MARKS = 4;
    private static final int MARK_BITS = 6;
    private static final int WIDTH = 5;

    private final List<IsolationLevel> levels;
    private final OnlineFindings findings;
    private final SortedRows rows;
    private final LongOrdinals sessions = new LongOrdinals();
    private boolean[] isActive = new boolean[64];
    private int[] active = new int[64];
    private int activeCount;
    private int openCount;

    SessionTimelines(Collection<IsolationLevel> levels, OnlineFindings findings) {
        this.levels = new ArrayList<>(levels);
        this.findings = findings;
        this.rows = new SortedRows(WIDTH);
    }

    int sessionCount() {
        return sessions.size();
    }

    /** Returns the number of transactions that are not sealed. */
    int openTxns() {
        return openCount;
    }

    long byteSize() {
        return rows.byteSize() + sessions.byteSize() + 5L * isActive.length;
    }

    void release() {
        rows.release();
    }

    /** Returns the bytes of positions. */
    long rowByteSize() {
        return rows.byteSize();
    }

    /** Returns the ordinal of a session, which is counted whether or not it has positions. */
    int ordinal(long session) {
        int ordinal = sessions.ordinal(session);
        if (ordinal >= isActive.length) {
            isActive = Arrays.copyOf(isActive, isActive.length * 2);
        }
        return ordinal;
    }

    private void activate(int session) {
        if (!isActive[session]) {
            isActive[session] = true;
            if (activeCount == active.length) {
                active = Arrays.copyOf(active, activeCount * 2);
            }
            active[activeCount++] = session;
        }
    }

    /** @param session its ordinal */
    void add(int session, long seq, OnlineTxn txn, long arrived, boolean isReadOnly) {
        activate(session);
        long[] block = rows.block(session);
        int row = rows.countBefore(block, seq);
        if (row == 0 && SortedRows.wereRemoved(block)) {
            findings.leaveToSegment(txn.commitTs()); // its neighbors have left
            return;
        }
        openCount++;
        block = insert(session, row, seq, txn, arrived, isReadOnly ? READ_ONLY : 0);
        if (row > 0) {
            check(block, row);
        }
        if (row + 1 < SortedRows.count(block)) {
            check(block, row + 1);
        }
    }

    private long[] insert(int session, int row, long seq, OnlineTxn txn, long arrived, int marks) {
        long[] block = rows.insert(session, row, seq);
        rows.set(block, row, START, txn.startTs());
        rows.set(block, row, COMMIT, txn.commitTs());
        rows.set(block, row, ID, txn.txnId());
        rows.set(block, row, MARKS, arrived << MARK_BITS | marks);
        return block;
    }

    /** Checks a transaction against its predecessor. */
    private void check(long[] block, int row) {
        for (int level = 0; level < levels.size(); level++) {
            boolean isWrong = isWrong(levels.get(level), block, row);
            boolean wasWrong = has(block, row, WRONG << level);
            if (!isWrong && !wasWrong) {
                continue;
            }
            if (isWrong != wasWrong) {
                rows.set(block, row, MARKS, rows.get(block, row, MARKS) ^ WRONG << level);
            }
            if (has(block, row, SEALED)) {
                findings.leaveToSegment(rows.get(block, row, COMMIT));
            } else if (findings.wantsProvisional()) {
                Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
                findings.notifyListener(change, finding(level, block, row), isWrong);
            }
        }
    }

    private boolean isWrong(IsolationLevel level, long[] block, int row) {
        long commitBefore = rows.get(block, row - 1, COMMIT);
        if (level == IsolationLevel.SNAPSHOT_ISOLATION) {
            return rows.get(block, row, START) < commitBefore;
        }
        long commit = rows.get(block, row, COMMIT);
        return commit < commitBefore || commit == commitBefore && !has(block, row, READ_ONLY);
    }

    private boolean has(long[] block, int row, int mark) {
        return (rows.get(block, row, MARKS) & mark) != 0;
    }

    private OnlineFinding finding(int level, long[] block, int row) {
        return new OnlineFinding(
                levels.get(level),
                Anomaly.SESSION,
                null,
                new OnlineFinding.Parties(txn(block, row), txn(block, row - 1), null),
                OnlineFinding.Reading.NONE,
                rows.get(block, row, MARKS) >> MARK_BITS,
                0);
    }

    private OnlineTxn txn(long[] block, int row) {
        return new OnlineTxn(rows.get(block, row, ID), rows.get(block, row, START), rows.get(block, row, COMMIT));
    }

    // ---------------------------------------------------------------- sealing

    void seal(long watermark) {
        int kept = 0;
        for (int i = 0; i < activeCount; i++) {
            int session = active[i];
            long[] block = sealSession(session, watermark);
            int left = SortedRows.count(block);
            boolean isDone = left == 0 || left == 1 && has(block, 0, SEALED);
            if (isDone) {
                isActive[session] = false;
            } else {
                active[kept++] = session;
            }
        }
        activeCount = kept;
    }

    /** Seals positions up to the first open one: all positions after it must wait. Returns the block. */
    private long[] sealSession(int session, long watermark) {
        long[] block = rows.block(session);
        int row = 0;
        for (; row < SortedRows.count(block) && rows.get(block, row, COMMIT) <= watermark; row++) {
            if (has(block, row, SEALED)) {
                continue;
            }
            rows.set(block, row, MARKS, rows.get(block, row, MARKS) | SEALED);
            openCount--;
            for (int level = 0; level < levels.size(); level++) {
                if (has(block, row, WRONG << level)) {
                    findings.addFinal(finding(level, block, row));
                }
            }
        }
        return row > 1 ? rows.removeBefore(session, row - 1) : block;
    }

    // ---------------------------------------------------------------- state

    long name(int session) {
        return sessions.name(session);
    }

    /** Writes a session and its open positions. */
    void write(int session, ByteWriter to) {
        long[] block = rows.block(session);
        to.putSigned(sessions.name(session));
        to.putByte(SortedRows.wereRemoved(block) ? 1 : 0);
        to.putVarint(SortedRows.count(block));
        for (int row = 0; row < SortedRows.count(block); row++) {
            to.putSigned(rows.at(block, row));
            txn(block, row).write(to);
            long marks = rows.get(block, row, MARKS);
            to.putSigned(marks >> MARK_BITS);
            to.putVarint(marks & (1 << MARK_BITS) - 1);
        }
    }

    void read(ByteReader from) {
        int session = ordinal(from.getSigned());
        activate(session);
        boolean wereRemoved = from.getByte() == 1;
        int count = from.getCount();
        for (int row = 0; row < count; row++) {
            long[] block =
                    insert(session, row, from.getSigned(), OnlineTxn.read(from), from.getSigned(), from.getCount());
            openCount += has(block, row, SEALED) ? 0 : 1;
        }
        if (wereRemoved) {
            rows.setRemoved(session);
        }
    }
}
