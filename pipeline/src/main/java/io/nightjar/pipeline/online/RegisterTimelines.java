package io.nightjar.pipeline.online;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The versions of every register in the order of commits, which reads and writers are checked against. */
final class RegisterTimelines {

    /*
     * Definitions. The time of a version is its transaction's commit. A read observes the last version strictly before
     * its position, so a transaction never observes its own write. Ties are ordered by class, then id:
     *
     *               snapshot isolation: reads at the start         serial order: reads at the commit
     *   class 0     commit of a transaction that started before    writer: reads, then writes
     *   class 1     start and commit at once: reads, then writes   read-only
     *   class 2     start
     *
     * Layout. Versions have the order of snapshot isolation, for all levels; the serial order differs only within a tie.
     *
     * Algorithm. A new version conflicts (snapshot isolation) with versions back to its own start, and with later
     * versions whose start is before its own commit; each pair is found once, by the version that is placed last. A
     * write removes versions that precede the horizon, except the last: no transaction that commits after the watermark
     * is expected to have started before the horizon.
     *
     * Invariant. Sealed reads are not stored. A row whose verdict, or effect on verdicts, depends on sealed reads or
     * removed versions is left to the check of its segment.
     */

    private static final int START = 1; // columns, after the commit
    private static final int ID = 2;
    private static final int VALUE = 3;
    private static final int WIDTH = 4;
    private static final int NONE = -1;
    private static final int FARTHEST = 1_000; // versions between a read and the writer that it observed
    private static final int NEAR_ENOUGH = 32; // the same if findings are numerous

    private final List<IsolationLevel> levels;
    private final boolean bySnapshots;
    private final boolean[] isSnapshot; // by level
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final ListLogs lists;
    private final SortedRows rows = new SortedRows(WIDTH);
    private long touched; // sum that keeps the compiler from removing unused reads
    private long maxDuration; // from the start of a transaction to its version
    private long watermark = Long.MIN_VALUE;
    private long horizon = Long.MIN_VALUE;

    private long[] block = {}; // set by find, with the row in it
    private int seen;

    RegisterTimelines(List<IsolationLevel> levels, OnlineKeys keys, OnlineFindings findings) {
        this.levels = levels;
        this.bySnapshots = levels.contains(IsolationLevel.SNAPSHOT_ISOLATION);
        this.isSnapshot = new boolean[levels.size()];
        if (bySnapshots) {
            isSnapshot[levels.indexOf(IsolationLevel.SNAPSHOT_ISOLATION)] = true;
        }
        this.keys = keys;
        this.findings = findings;
        this.lists = new ListLogs(keys);
    }

    long byteSize() {
        return rows.byteSize() + lists.byteSize();
    }

    void release() {
        rows.release();
    }

    /** Brings the versions of a transaction's keys into the cache: with many keys, each access is a miss. */
    void touch(OperationBatch batch, int txn) {
        touched += rows.touch(batch.keys(), batch.firstOpOf(txn), batch.firstOpOf(txn + 1));
    }

    /** Resumes after, or advances to, a watermark; {@code lag} is the time for which versions remain after it. */
    void seal(long upTo, long lag) {
        watermark = upTo;
        setHorizon(upTo, lag);
    }

    /** Sets the horizon to a time before a start, which no later row precedes. */
    void setHorizon(long time, long lag) {
        horizon = time < Long.MIN_VALUE + lag ? Long.MIN_VALUE : time - lag;
    }

    // ---------------------------------------------------------------- writes

    /** Places a write. */
    void write(OperationBatch batch, int txn, int op) {
        int key = batch.key(op);
        long commit = batch.commit(txn);
        if (commit <= watermark) {
            findings.leaveToSegment(commit); // later reads may have been sealed
        }
        long[] versions = withoutOld(key);
        int row = insertionRow(versions, batch, txn);
        if (row == 0 && SortedRows.wereRemoved(versions)) {
            if (batch.isOfList(op)) {
                lists.setUnknown(key);
            }
            return;
        }
        if (bySnapshots && batch.start(txn) <= commit) {
            findConflicts(key, versions, row, batch, txn);
        }
        if (batch.isOfList(op)) {
            append(key, row, batch, txn, batch.elements(op));
        } else {
            insert(key, row, commit, batch.start(txn), batch.id(txn), batch.value(op));
        }
    }

    private void append(int key, int row, OperationBatch batch, int txn, long[] elements) {
        long commit = batch.commit(txn);
        int length = row == 0 ? lists.initialLength(key) : (int) rows.get(rows.block(key), row - 1, VALUE);
        lists.append(key, length, elements);
        insert(key, row, commit, batch.start(txn), batch.id(txn), length + elements.length);
        lengthen(key, row + 1, elements.length);
        long[] versions = rows.block(key);
        boolean isMixed = row > 0 && isMixedTie(versions, row - 1) || isMixedTie(versions, row);
        if (isMixed && !(bySnapshots && levels.size() == 1)) {
            lists.setUnknown(key); // the levels differ in its order
        }
    }

    /** Returns whether a version and the next one have the same time, and only one started then. */
    private boolean isMixedTie(long[] versions, int row) {
        long commit = rows.at(versions, row);
        return isTie(versions, row + 1, commit)
                && (rows.get(versions, row, START) == commit) != (rows.get(versions, row + 1, START) == commit);
    }

    /** Adds to the lengths of a list at its versions from a row on. */
    private void lengthen(int key, int from, int more) {
        long[] versions = rows.block(key);
        for (int row = from; more > 0 && row < SortedRows.count(versions); row++) {
            rows.set(versions, row, VALUE, rows.get(versions, row, VALUE) + more);
        }
    }

    ListLogs lists() {
        return lists;
    }

    private void insert(int key, int row, long commit, long start, long id, long value) {
        long[] versions = rows.insert(key, row, commit);
        rows.set(versions, row, START, start);
        rows.set(versions, row, ID, id);
        rows.set(versions, row, VALUE, value);
        maxDuration = Math.max(maxDuration, commit - start);
    }

    /** Removes the versions of a key before the last one up to the horizon, but separates no tie; returns the block. */
    private long[] withoutOld(int key) {
        long[] versions = rows.block(key);
        int last = 0;
        while (last + 1 < SortedRows.count(versions) && rows.at(versions, last + 1) <= horizon) {
            last++;
        }
        while (last > 0 && rows.at(versions, last - 1) == rows.at(versions, last)) {
            last--;
        }
        return last == 0 ? versions : rows.removeBefore(key, last);
    }

    private int insertionRow(long[] versions, OperationBatch batch, int txn) {
        long commit = batch.commit(txn);
        int row = rows.countBefore(versions, commit);
        int rowClass = batch.start(txn) == commit ? 1 : 0;
        while (isTie(versions, row, commit) && isBefore(versions, row, rowClass, batch.id(txn))) {
            row++;
        }
        return row;
    }

    private boolean isTie(long[] versions, int row, long commit) {
        return row < SortedRows.count(versions) && rows.at(versions, row) == commit;
    }

    /** Returns whether a version precedes a row of a class at the same time. */
    private boolean isBefore(long[] versions, int row, int rowClass, long id) {
        int versionClass = rows.get(versions, row, START) == rows.at(versions, row) ? 1 : 0;
        return versionClass == rowClass ? rows.get(versions, row, ID) < id : versionClass < rowClass;
    }

    // ---------------------------------------------------------------- conflicts

    /** Reports every writer that the transaction of a new version overlaps. */
    private void findConflicts(int key, long[] versions, int row, OperationBatch batch, int txn) {
        long start = batch.start(txn);
        long commit = batch.commit(txn);
        int earlier = row - 1;
        while (earlier >= 0 && (rows.at(versions, earlier) > start || rows.at(versions, earlier) == commit)) {
            reportConflict(key, participant(versions, earlier), batch.participant(txn), batch.arrived(txn));
            earlier--;
        }
        if (earlier < 0 && SortedRows.wereRemoved(versions)) {
            findings.leaveToSegment(commit); // it may overlap removed versions as well
        }
        long last = commit > Long.MAX_VALUE - maxDuration ? Long.MAX_VALUE : commit + maxDuration;
        for (int later = row; later < SortedRows.count(versions) && rows.at(versions, later) <= last; later++) {
            if (rows.get(versions, later, START) < commit || rows.at(versions, later) == commit) {
                reportConflict(key, batch.participant(txn), participant(versions, later), batch.arrived(txn));
            }
        }
    }

    private OnlineTxn participant(long[] versions, int row) {
        return new OnlineTxn(rows.get(versions, row, ID), rows.get(versions, row, START), rows.at(versions, row));
    }

    private void reportConflict(int key, OnlineTxn earlier, OnlineTxn later, long arrived) {
        if (earlier.startTs() <= earlier.commitTs() && later.startTs() <= later.commitTs()) {
            findings.addFinal(new OnlineFinding(
                    IsolationLevel.SNAPSHOT_ISOLATION,
                    Anomaly.NOCONFLICT,
                    keys.keyText(key),
                    new OnlineFinding.Parties(earlier, later, null),
                    OnlineFinding.Reading.NONE,
                    arrived,
                    0));
        }
    }

    // ---------------------------------------------------------------- reads

    /** Checks a first read finally at every level: all versions before it are placed. */
    void checkSealed(OperationBatch batch, int txn, int op) {
        int key = batch.key(op);
        for (int level = 0; level < isSnapshot.length; level++) {
            if (batch.isWrong(op, level)) {
                findings.settleRaised();
            }
            if (!isChecked(level, batch, txn)) {
                continue;
            }
            if (!find(level, batch, txn, op) || lists.isUnknown(key)) {
                findings.leaveToSegment(batch.commit(txn));
                continue;
            }
            boolean isNothing = batch.kind(op) == OperationBatch.READ_NOTHING;
            if (isOfList(key) && keys.initials().isOpen(key) && batch.kind(op) != OperationBatch.READ_LOOSE) {
                lengthen(key, 0, lists.learn(key, batch.elements(op), length(key)));
            } else if (!isOfList(key) && seen == NONE && keys.initials().isOpen(key)) {
                keys.hold(batch.value(op));
                keys.initials().learnValue(key, batch.value(op), isNothing);
            }
            if (isWrong(batch, op)) {
                findings.addFinal(finding(level, batch, txn, op, true));
            }
        }
    }

    /** Checks a read, which more rows may affect, at every level, and reports whether its verdict changed. */
    void checkProvisionally(OperationBatch batch, int txn, int op) {
        for (int level = 0; level < isSnapshot.length; level++) {
            if (!isChecked(level, batch, txn) || !find(level, batch, txn, op)) {
                continue;
            }
            boolean wasWrong = batch.isWrong(op, level);
            boolean isWrong = isWrong(batch, op);
            if (isWrong != wasWrong) {
                batch.setWrong(op, level, isWrong);
                boolean isFirst = !batch.isPlaced(op);
                if (isFirst) {
                    findings.countRaised();
                } else {
                    batch.addFlip(op, level);
                    findings.countFlip(isWrong);
                }
            }
            if (isWrong || wasWrong) {
                Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
                findings.notifyListener(change, finding(level, batch, txn, op, false), isWrong);
            }
        }
    }

    /** Withdraws the provisional findings for a read. */
    void withdraw(OperationBatch batch, int txn, int op) {
        for (int level = 0; level < isSnapshot.length; level++) {
            if (batch.isWrong(op, level)) {
                batch.setWrong(op, level, false);
                find(level, batch, txn, op);
                findings.settleRaised();
                findings.notifyListener(Change.WITHDRAWN, finding(level, batch, txn, op, false), false);
            }
        }
    }

    /** Returns whether a level has a position for the reads of a transaction; if not, it has TIMESTAMP-ORDER. */
    private boolean isChecked(int level, OperationBatch batch, int txn) {
        return !isSnapshot[level] || batch.start(txn) <= batch.commit(txn);
    }

    /** Returns the time at which a transaction reads at a level. */
    private long time(int level, OperationBatch batch, int txn) {
        return isSnapshot[level] ? batch.start(txn) : batch.commit(txn);
    }

    /** Finds the version that a read sees, or {@link #NONE}; returns false if the version may have been removed. */
    private boolean find(int level, OperationBatch batch, int txn, int op) {
        block = rows.block(batch.key(op));
        long time = time(level, batch, txn);
        int row = rows.countBefore(block, time);
        if (isSnapshot[level]) {
            int rowClass = time == batch.commit(txn) ? 1 : 2;
            while (isTie(block, row, time) && isBefore(block, row, rowClass, batch.id(txn))) {
                row++;
            }
            seen = row - 1;
        } else {
            seen = lastOfTie(row - 1);
            for (long last = Long.MIN_VALUE; isTie(block, row, time); row++) {
                long id = rows.get(block, row, ID);
                if ((batch.isReadOnly(op) || id < batch.id(txn)) && id >= last) {
                    seen = row;
                    last = id;
                }
            }
        }
        return seen != NONE || !SortedRows.wereRemoved(block);
    }

    /** Returns the last version, in serial order, of a tie that ends with a version. */
    private int lastOfTie(int end) {
        int last = end;
        for (int row = end - 1; row >= 0 && rows.at(block, row) == rows.at(block, end); row--) {
            last = rows.get(block, row, ID) > rows.get(block, last, ID) ? row : last;
        }
        return last;
    }

    /** Returns whether a read differs from the version found. */
    private boolean isWrong(OperationBatch batch, int op) {
        boolean isNothing = batch.kind(op) == OperationBatch.READ_NOTHING;
        int key = batch.key(op);
        if (isOfList(key)) {
            boolean isLoose = batch.kind(op) == OperationBatch.READ_LOOSE;
            return isNothing && seen != NONE || !lists.agrees(key, batch.elements(op), length(key), isLoose);
        }
        return seen == NONE
                ? keys.isWrongInitially(batch.key(op), batch.value(op), isNothing)
                : isNothing || batch.value(op) != rows.get(block, seen, VALUE);
    }

    private boolean isOfList(int key) {
        return keys.modelOf(key) == OnlineKeys.LIST;
    }

    /** Returns the length of a list's log at the version found. */
    private int length(int key) {
        return seen == NONE ? lists.initialLength(key) : (int) rows.get(block, seen, VALUE);
    }

    /** Returns the finding for a read that does not see the version found. */
    private OnlineFinding finding(int level, OperationBatch batch, int txn, int op, boolean withWriter) {
        int key = batch.key(op);
        long value = batch.value(op);
        boolean isNothing = batch.kind(op) == OperationBatch.READ_NOTHING;
        boolean isOfList = isOfList(key);
        boolean hasWriter = withWriter && !isNothing && !isOfList && !keys.isInitial(key, value);
        return new OnlineFinding(
                levels.get(level),
                Anomaly.EXT,
                keys.keyText(key),
                new OnlineFinding.Parties(
                        batch.participant(txn),
                        seen == NONE ? null : writer(seen),
                        hasWriter ? nearestWriter(time(level, batch, txn), batch.id(txn), value) : null),
                isOfList
                        ? new OnlineFinding.Reading(lists.text(key, length(key)), lists.text(batch.elements(op)))
                        : new OnlineFinding.Reading(
                                seen == NONE ? keys.initialText(key) : keys.valueText(rows.get(block, seen, VALUE)),
                                isNothing ? null : keys.valueText(value)),
                batch.arrived(txn),
                batch.flips(op, level));
    }

    private OnlineTxn writer(int row) {
        return new OnlineTxn(rows.get(block, row, ID), OnlineCheck.NO_TIME, rows.at(block, row));
    }

    /**
     * Returns the writer of the value that a read returned: of the stored versions the closest to the read, or null. A
     * version that no snapshot contained is the last choice.
     */
    private @Nullable OnlineTxn nearestWriter(long time, long reader, long value) {
        NearestWriter nearest = new NearestWriter(time, reader);
        int maxDistance = findings.areMany() ? NEAR_ENOUGH : FARTHEST;
        for (int row = seen; row >= Math.max(0, seen - maxDistance); row--) {
            if (rows.get(block, row, VALUE) == value && nearest.offerSeen(writer(row), timeOf(row + 1))) {
                break;
            }
        }
        int end = Math.min(SortedRows.count(block), seen + 1 + maxDistance);
        for (int row = seen + 1; row < end; row++) {
            if (rows.get(block, row, VALUE) == value && nearest.offerUnseen(writer(row), timeOf(row + 1))) {
                break;
            }
        }
        return nearest.writer();
    }

    private long timeOf(int row) {
        return row == SortedRows.count(block) ? Long.MAX_VALUE : rows.at(block, row);
    }

    // ---------------------------------------------------------------- state

    /** Discards a key that is no longer checked. */
    void drop(int key) {
        rows.clear(key);
        lists.drop(key);
    }

    boolean hasVersion(int key) {
        return SortedRows.count(rows.block(key)) > 0;
    }

    /** Returns the value of the last version. */
    long lastValue(int key) {
        long[] versions = rows.block(key);
        return rows.get(versions, SortedRows.count(versions) - 1, VALUE);
    }

    /** Writes the versions of a key. */
    void write(int key, ByteWriter to) {
        long[] versions = withoutOld(key);
        to.putVarint(SortedRows.count(versions));
        to.putByte(SortedRows.wereRemoved(versions) ? 1 : 0);
        for (int row = 0; row < SortedRows.count(versions); row++) {
            to.putSigned(rows.at(versions, row));
            to.putSigned(rows.at(versions, row) - rows.get(versions, row, START));
            to.putSigned(rows.get(versions, row, ID));
            keys.writeValue(rows.get(versions, row, VALUE), to);
        }
        lists.write(key, to);
    }

    void read(int key, ByteReader from) {
        int count = from.getCount();
        boolean wereRemoved = from.getByte() == 1;
        for (int row = 0; row < count; row++) {
            long commit = from.getSigned();
            long start = commit - from.getSigned();
            insert(key, row, commit, start, from.getSigned(), keys.readValue(from));
        }
        if (wereRemoved) {
            rows.setRemoved(key);
        }
        lists.read(key, from);
    }
}
