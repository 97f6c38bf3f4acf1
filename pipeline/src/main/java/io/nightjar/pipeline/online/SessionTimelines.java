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
import java.util.function.LongConsumer;

/** The transactions of every session by position, and which of them come before their predecessor has committed. */
final class SessionTimelines {

    /*
     * A transaction that arrives is judged against the one before it, and the one behind it is judged again. Sealed
     * positions go to the attic but for the last; one that arrives before that brings them back, from its predecessor
     * on.
     *
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
    private final SealedRowStore attic;
    private final int room;
    private final SortedRows rows;
    private final LongOrdinals sessions = new LongOrdinals();
    private final SealedRow row = new SealedRow();
    private long[] sealedTo = new long[64]; // no position in the attic is behind this one
    private long[] forgottenTo = new long[64]; // positions up to this one may have left the attic
    private boolean[] isActive = new boolean[64];
    private int[] active = new int[64];
    private int activeCount;
    private int openCount;
    private boolean keepsNothing;

    SessionTimelines(
            Collection<IsolationLevel> levels,
            WindowTxns txns,
            OnlineFindings findings,
            SealedRowStore attic,
            int capacity,
            int leafRows) {
        this.levels = new ArrayList<>(levels);
        this.txns = txns;
        this.findings = findings;
        this.attic = attic;
        this.room = capacity;
        this.rows = new SortedRows(txns, false, leafRows);
        Arrays.fill(sealedTo, Long.MIN_VALUE);
        Arrays.fill(forgottenTo, Long.MIN_VALUE);
    }

    int sessionCount() {
        return sessions.size();
    }

    /** Transactions that are not sealed. */
    int openTxns() {
        return openCount;
    }

    long byteSize() {
        return rows.byteSize() + sessions.byteSize() + 21L * sealedTo.length;
    }

    /** Stops putting away what is sealed: it is not asked for again. */
    void keepNothing() {
        keepsNothing = true;
    }

    void letGo() {
        rows.letGo();
    }

    /** Bytes that positions take. */
    long usedByteSize() {
        return rows.usedByteSize();
    }

    long freeByteSize() {
        return rows.freeByteSize();
    }

    private int ordinal(long session) {
        int ordinal = sessions.ordinal(session);
        if (ordinal >= sealedTo.length) {
            int before = sealedTo.length;
            sealedTo = Arrays.copyOf(sealedTo, before * 2);
            Arrays.fill(sealedTo, before, before * 2, Long.MIN_VALUE);
            forgottenTo = Arrays.copyOf(forgottenTo, before * 2);
            Arrays.fill(forgottenTo, before, before * 2, Long.MIN_VALUE);
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

    /** Returns false if what stood around the position is not part of the state that this goes on from. */
    boolean add(long sessionId, long seq, int slot, boolean isReadOnly) {
        int session = ordinal(sessionId);
        if (seq <= forgottenTo[session]) {
            return false;
        }
        int first = rows.first(session);
        boolean isInFront = first == NONE || seq < rows.at(session, first);
        if (isInFront && sealedTo[session] != Long.MIN_VALUE) {
            bringBack(session, seq);
        }
        openCount++;
        int place = rows.add(session, seq, RowMeta.of(slot, isReadOnly ? READ_ONLY : 0, 0), 0, 0);
        int before = rows.previous(session, place);
        if (before != NONE) {
            check(session, place, before);
        }
        int next = rows.next(session, place);
        if (next != NONE) {
            check(session, next, place);
        }
        return true;
    }

    private void check(int session, int place, int before) {
        for (int i = 0; i < levels.size(); i++) {
            boolean isWrong = isWrong(levels.get(i), rows.meta(session, place), rows.meta(session, before));
            turn(session, place, before, i, isWrong);
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

    private void turn(int session, int place, int before, int level, boolean isWrong) {
        long meta = rows.meta(session, place);
        int mark = WRONG << level;
        boolean wasWrong = (marks(meta) & mark) != 0;
        if (!isWrong && !wasWrong) {
            return;
        }
        long turned = isWrong == wasWrong ? meta : meta ^ (long) mark << 2;
        rows.setMeta(session, place, turned);
        OnlineFinding finding = finding(level, turned, rows.meta(session, before));
        if ((marks(meta) & SEALED) == 0) {
            if (findings.wantsProvisional()) {
                Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
                findings.notifyListener(change, finding, isWrong);
            }
        } else if (isWrong && !wasWrong) {
            findings.addFinal(finding);
        } else if (isWrong) {
            findings.addCorrected(finding, true);
        } else {
            findings.withdraw(finding);
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

    /** Seals positions up to the first one that is open: whatever stands behind it waits for it. */
    private void sealSession(int session, long watermark) {
        int lastSealed = NONE;
        for (int place = rows.first(session); place != NONE; place = rows.next(session, place)) {
            long meta = rows.meta(session, place);
            if (txns.commit(RowMeta.slot(meta)) > watermark) {
                break;
            }
            if ((marks(meta) & SEALED) == 0) {
                rows.setMeta(session, place, meta | (long) SEALED << 2);
                openCount--;
                for (int level = 0; level < levels.size(); level++) {
                    if ((marks(meta) & WRONG << level) != 0) {
                        findings.addFinal(finding(level, meta, rows.meta(session, lastSealed)));
                    }
                }
            }
            lastSealed = place;
        }
        if (lastSealed != NONE && lastSealed != rows.first(session)) {
            int first = keepsNothing ? lastSealed : rows.first(session);
            for (int place = first; place != lastSealed; place = rows.next(session, place)) {
                long meta = rows.meta(session, place);
                row.set(rows.at(session, place), meta, 0);
                row.setTxn(txns, RowMeta.slot(meta));
                attic.append(room, session, row);
                sealedTo[session] = row.at;
            }
            rows.removeBefore(session, lastSealed);
        }
    }

    /** The attic has no room for a position any more. */
    void forgot(int session, SealedRow position) {
        forgottenTo[session] = Math.max(forgottenTo[session], position.at);
    }

    /** Whether what stood around a position has been forgotten. */
    boolean isForgotten(long sessionId, long seq) {
        int session = sessions.find(sessionId);
        return session >= 0 && seq <= forgottenTo[session];
    }

    private void bringBack(int session, long seq) {
        boolean isThere = attic.lastBefore(room, session, seq, row);
        long from = isThere ? row.at : Long.MIN_VALUE;
        attic.removeFrom(room, session, from, old -> {
            int slot = txns.open(old.id, old.start, old.commit, old.arrived);
            rows.add(session, old.at, old.meta(slot), 0, 0);
            txns.release(slot);
        });
        sealedTo[session] = isThere && from > Long.MIN_VALUE ? from - 1 : Long.MIN_VALUE;
    }

    // ---------------------------------------------------------------- state

    long name(int session) {
        return sessions.name(session);
    }

    /** Writes a session and its open positions. */
    void write(int session, ByteWriter to) {
        to.putSigned(sessions.name(session));
        to.putByte(sealedTo[session] == Long.MIN_VALUE && forgottenTo[session] == Long.MIN_VALUE ? 0 : 1);
        rows.write(session, NO_VALUES, to);
    }

    /** Shows the transactions at a session's open positions. */
    void forEachTxn(int session, LongConsumer to) {
        for (int place = rows.first(session); place != NONE; place = rows.next(session, place)) {
            to.accept(txns.id(RowMeta.slot(rows.meta(session, place))));
        }
    }

    void read(ByteReader from) {
        int session = ordinal(from.getSigned());
        boolean hasSealed = from.getByte() == 1;
        rows.read(session, NO_VALUES, from);
        for (int place = rows.first(session); place != NONE; place = rows.next(session, place)) {
            openCount += (marks(rows.meta(session, place)) & SEALED) == 0 ? 1 : 0;
        }
        if (hasSealed && rows.first(session) != NONE) {
            forgottenTo[session] = rows.at(session, rows.first(session)) - 1;
        }
    }
}
