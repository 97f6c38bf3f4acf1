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
     * Layout.
     *   marks   WRONG << level   in the order of levels     SEALED     READ_ONLY
     */

    private static final int WRONG = 1;
    private static final int SEALED = 16;
    private static final int READ_ONLY = 32;
    private static final int NONE = SortedRows.NONE;
    private static final OnlineKeys NO_VALUES = new OnlineKeys(null);

    private final List<IsolationLevel> levels;
    private final WindowTxns txns;
    private final OnlineFindings findings;
    private final SortedRows rows;
    private final LongOrdinals sessions = new LongOrdinals();
    private boolean[] haveLeft = new boolean[64]; // sealed positions of a session
    private boolean[] isActive = new boolean[64];
    private int[] active = new int[64];
    private int activeCount;
    private int openCount;

    SessionTimelines(Collection<IsolationLevel> levels, WindowTxns txns, OnlineFindings findings) {
        this.levels = new ArrayList<>(levels);
        this.txns = txns;
        this.findings = findings;
        this.rows = new SortedRows(txns, false);
    }

    int sessionCount() {
        return sessions.size();
    }

    /** Returns the number of transactions that are not sealed. */
    int openTxns() {
        return openCount;
    }

    long byteSize() {
        return rows.byteSize() + sessions.byteSize() + 6L * haveLeft.length;
    }

    void release() {
        rows.release();
    }

    /** Returns the bytes of positions. */
    long rowByteSize() {
        return rows.byteSize();
    }

    private int ordinal(long session) {
        int ordinal = sessions.ordinal(session);
        if (ordinal >= haveLeft.length) {
            int before = haveLeft.length;
            haveLeft = Arrays.copyOf(haveLeft, before * 2);
            isActive = Arrays.copyOf(isActive, before * 2);
        }
        if (!isActive[ordinal]) {
            isActive[ordinal] = true;
            if (activeCount == active.length) {
                active = Arrays.copyOf(active, activeCount * 2);
            }
            active[activeCount++] = ordinal;
        }
        return ordinal;
    }

    void add(long sessionId, long seq, int slot, boolean isReadOnly) {
        int session = ordinal(sessionId);
        int first = rows.first(session);
        boolean isInFront = first == NONE || seq < rows.at(session, first);
        if (isInFront && haveLeft[session]) {
            findings.leaveToSegment(txns.commit(slot)); // its neighbors have left
            return;
        }
        openCount++;
        int position = rows.add(session, seq, RowMeta.of(slot, isReadOnly ? READ_ONLY : 0, 0), 0, 0);
        int before = rows.previous(session, position);
        if (before != NONE) {
            check(session, position, before);
        }
        int next = rows.next(session, position);
        if (next != NONE) {
            check(session, next, position);
        }
    }

    private void check(int session, int position, int before) {
        for (int i = 0; i < levels.size(); i++) {
            boolean isWrong = isWrong(levels.get(i), rows.meta(session, position), rows.meta(session, before));
            turn(session, position, before, i, isWrong);
        }
    }

    private boolean isWrong(IsolationLevel level, long meta, long before) {
        int slot = RowMeta.slot(meta);
        long commitBefore = txns.commit(RowMeta.slot(before));
        if (level == IsolationLevel.SNAPSHOT_ISOLATION) {
            return txns.start(slot) < commitBefore;
        }
        boolean isReadOnly = (marks(meta) & READ_ONLY) != 0;
        return txns.commit(slot) < commitBefore || txns.commit(slot) == commitBefore && !isReadOnly;
    }

    private void turn(int session, int position, int before, int level, boolean isWrong) {
        long meta = rows.meta(session, position);
        int mark = WRONG << level;
        boolean wasWrong = (marks(meta) & mark) != 0;
        if (!isWrong && !wasWrong) {
            return;
        }
        long turned = isWrong == wasWrong ? meta : meta ^ (long) mark << 2;
        rows.setMeta(session, position, turned);
        if ((marks(meta) & SEALED) != 0) {
            findings.leaveToSegment(txns.commit(RowMeta.slot(meta)));
        } else if (findings.wantsProvisional()) {
            Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
            findings.notifyListener(change, finding(level, turned, rows.meta(session, before)), isWrong);
        }
    }

    private OnlineFinding finding(int level, long meta, long before) {
        int slot = RowMeta.slot(meta);
        return new OnlineFinding(
                levels.get(level),
                Anomaly.SESSION,
                null,
                new OnlineFinding.Parties(txns.participant(slot), txns.participant(RowMeta.slot(before)), null),
                OnlineFinding.Reading.NONE,
                txns.arrived(slot),
                0);
    }

    private static int marks(long meta) {
        return (int) meta >>> 2 & 0x3FFF;
    }

    // ---------------------------------------------------------------- sealing

    void seal(long watermark) {
        int kept = 0;
        for (int i = 0; i < activeCount; i++) {
            int session = active[i];
            sealSession(session, watermark);
            int first = rows.first(session);
            boolean isDone = first != NONE
                    && rows.next(session, first) == NONE
                    && (marks(rows.meta(session, first)) & SEALED) != 0;
            if (isDone) {
                isActive[session] = false;
            } else {
                active[kept++] = session;
            }
        }
        activeCount = kept;
    }

    /** Seals positions up to the first open one: all positions after it must wait. */
    private void sealSession(int session, long watermark) {
        int lastSealed = NONE;
        for (int position = rows.first(session); position != NONE; position = rows.next(session, position)) {
            long meta = rows.meta(session, position);
            if (txns.commit(RowMeta.slot(meta)) > watermark) {
                break;
            }
            if ((marks(meta) & SEALED) == 0) {
                rows.setMeta(session, position, meta | (long) SEALED << 2);
                openCount--;
                for (int level = 0; level < levels.size(); level++) {
                    if ((marks(meta) & WRONG << level) != 0) {
                        findings.addFinal(finding(level, meta, rows.meta(session, lastSealed)));
                    }
                }
            }
            lastSealed = position;
        }
        if (lastSealed != NONE && lastSealed != rows.first(session)) {
            haveLeft[session] = true;
            rows.removeBefore(session, lastSealed);
        }
    }

    // ---------------------------------------------------------------- state

    long name(int session) {
        return sessions.name(session);
    }

    /** Writes a session and its open positions. */
    void write(int session, ByteWriter to) {
        to.putSigned(sessions.name(session));
        to.putByte(haveLeft[session] ? 1 : 0);
        rows.write(session, NO_VALUES, to);
    }

    void read(ByteReader from) {
        int session = ordinal(from.getSigned());
        haveLeft[session] = from.getByte() == 1;
        rows.read(session, NO_VALUES, from);
        for (int position = rows.first(session); position != NONE; position = rows.next(session, position)) {
            openCount += (marks(rows.meta(session, position)) & SEALED) == 0 ? 1 : 0;
        }
    }
}
