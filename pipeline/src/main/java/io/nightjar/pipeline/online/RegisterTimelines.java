package io.nightjar.pipeline.online;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** The versions and reads of every register in the order of time for one level, and which reads are wrong. */
final class RegisterTimelines {

    /*
     * Definitions. The time of a version is its transaction's commit, that of a read its snapshot; ties are ordered by
     * class, then id:
     *
     *               snapshot isolation                            serial order
     *   class 0     commit of a transaction that started before   writer: reads, then writes
     *   class 1     start and commit at once: reads, then writes  read-only
     *   class 2     start
     *
     * A read observes the last version strictly before it, so a transaction never observes its own write. The base of a
     * key is its last removed version.
     *
     * Algorithm. Versions and reads of a key are separate sequences. A new row has these effects:
     *
     *   read        it is compared with the version before it
     *   version     the reads between it and the next version are compared again; other verdicts do not change
     *   conflicts   (snapshot isolation) with versions back to the own start, and with later versions whose start is
     *               before the own commit; each pair is found once, by the later arrival
     *
     * Invariant. Sealed reads are removed. A version is removed when no transaction that commits after the watermark
     * can have started before it. A row whose verdict, or effect on verdicts, depends on removed rows is left to the
     * check of its segment.
     */

    private static final int WRONG = 1;
    private static final int NOTHING = 2;

    private static final int AFTER_ALL = 3; // classes
    private static final int NONE = SortedRows.NONE;

    private final IsolationLevel level;
    private final boolean bySnapshots;
    private final WindowTxns txns;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final SortedRows versions;
    private final SortedRows reads;
    private final LastVersions bases;
    private final VersionConflicts conflicts;
    private final WriterSearch writers;

    private final OpenKeys open = new OpenKeys();
    private final int[] due = new int[OnlineCheck.TOUCHED_TOGETHER];
    private final int[] duePositions = new int[OnlineCheck.TOUCHED_TOGETHER]; // among open keys
    private long touched; // sum that keeps the compiler from removing unused reads
    private long watermark = Long.MIN_VALUE;
    private long lag; // time for which versions stay after the watermark

    // the version that a read sees, set by findSeen
    private boolean seesVersion;
    private long seenAt;
    private long seenId;
    private long seenValue;

    RegisterTimelines(
            IsolationLevel level, WindowTxns txns, OnlineKeys keys, OnlineFindings findings, KeyPageCache keyCache) {
        this.level = level;
        this.bySnapshots = level == IsolationLevel.SNAPSHOT_ISOLATION;
        this.txns = txns;
        this.keys = keys;
        this.findings = findings;
        this.versions = new SortedRows(txns, true);
        this.reads = new SortedRows(txns, false);
        this.bases = new LastVersions(keyCache);
        this.conflicts = new VersionConflicts(level, txns, keys, findings, versions, bases);
        this.writers = new WriterSearch(txns, findings, versions);
    }

    /** Records that a key has an open row, so that a seal visits it. */
    private void recordOpen(int key, long at) {
        int position = bases.openPosition(key);
        if (position == OpenKeys.NONE) {
            bases.setOpenPosition(key, open.add(key, at));
        } else {
            open.recordRow(position, at);
        }
    }

    long rowCount() {
        return versions.rowCount() + reads.rowCount();
    }

    /** Returns the bytes of rows. */
    long rowByteSize() {
        return versions.byteSize() + reads.byteSize();
    }

    long byteSize() {
        return versions.byteSize() + reads.byteSize() + bases.byteSize() + open.byteSize();
    }

    /** Brings the rows of keys into the cache: with many keys, each access is a miss. */
    void touch(int[] some, int count) {
        touched += bases.touch(some, count) + versions.touch(some, count) + reads.touch(some, count);
    }

    /** Brings the versions of keys into the cache. */
    void touchVersions(int[] some, int count) {
        touched += bases.touch(some, count) + versions.touch(some, count);
    }

    // ---------------------------------------------------------------- arrivals

    /** Places a write. */
    void write(int key, int slot, long value) {
        long start = txns.start(slot);
        long commit = txns.commit(slot);
        int rowClass = bySnapshots && start == commit ? 1 : 0;
        if (commit <= watermark) {
            findings.leaveToSegment(commit); // later reads may have been removed
        }
        if (isBeforeBase(key, commit, rowClass, txns.id(slot))) {
            return;
        }
        recordOpen(key, withLag(commit));
        int successor = versions.notBefore(key, commit, rowClass, txns.id(slot));
        if (bySnapshots && start <= commit) {
            conflicts.find(key, slot, successor);
        }
        int position = versions.addBefore(key, successor, commit, RowMeta.of(slot, 0, rowClass), value, start);
        checkReadsOf(key, position, commit, rowClass, txns.id(slot), value);
    }

    /**
     * Places a first read.
     *
     * @param isNothing whether it returned null
     */
    void read(int key, int slot, long value, boolean isNothing, boolean isReadOnly) {
        long at = bySnapshots ? txns.start(slot) : txns.commit(slot);
        if (bySnapshots && at > txns.commit(slot)) {
            return; // reported as TIMESTAMP-ORDER
        }
        int rowClass = readClass(slot, isReadOnly);
        if (isBeforeBase(key, at, rowClass, txns.id(slot))) {
            findings.leaveToSegment(txns.commit(slot));
            return;
        }
        recordOpen(key, at);
        findSeen(key, at, rowClass, txns.id(slot));
        boolean isWrong = isWrong(key, value, isNothing);
        if (!seesVersion && !isNothing && keys.initials().isOpen(key)) {
            keys.hold(value); // it may be the initial value
        }
        int marks = (isWrong ? WRONG : 0) | (isNothing ? NOTHING : 0);
        long meta = RowMeta.of(slot, marks, rowClass);
        reads.add(key, at, meta, value, 0);
        if (isWrong) {
            findings.countRaised();
            report(Change.RAISED, key, meta, value, true);
        }
    }

    /** Checks a first read finally: all versions before it are placed. */
    void checkSealedRead(int key, int slot, long value, boolean isNothing, boolean isReadOnly) {
        long at = bySnapshots ? txns.start(slot) : txns.commit(slot);
        if (bySnapshots && at > txns.commit(slot)) {
            return; // reported as TIMESTAMP-ORDER
        }
        int rowClass = readClass(slot, isReadOnly);
        if (isBeforeBase(key, at, rowClass, txns.id(slot))) {
            findings.leaveToSegment(txns.commit(slot));
            return;
        }
        findSeen(key, at, rowClass, txns.id(slot));
        if (isWrong(key, value, isNothing)) {
            long meta = RowMeta.of(slot, isNothing ? NOTHING : 0, rowClass);
            findings.addFinal(finding(key, meta, value, true));
        } else if (!isNothing && keys.isInitial(key, value)) {
            keys.recordForgottenRead(key);
        }
    }

    private int readClass(int slot, boolean isReadOnly) {
        if (bySnapshots) {
            return txns.start(slot) == txns.commit(slot) ? 1 : 2;
        }
        return isReadOnly ? 1 : 0;
    }

    private boolean isWrong(int key, long value, boolean isNothing) {
        if (!seesVersion) {
            return keys.isWrongInitially(key, value, isNothing);
        }
        return isNothing || value != seenValue;
    }

    private void findSeen(int key, long at, int rowClass, long id) {
        int position = versions.lastBefore(key, at, rowClass, id);
        if (position != NONE) {
            see(true, versions.at(key, position), txns.id(RowMeta.slot(versions.meta(key, position))));
            seenValue = versions.value(key, position);
        } else {
            see(bases.has(key), bases.at(key), bases.id(key));
            seenValue = bases.value(key);
        }
    }

    /** Returns whether versions after a position were removed, so that the version before it is unknown. */
    private boolean isBeforeBase(int key, long at, int rowClass, long id) {
        return bases.has(key) && !bases.isBefore(key, at, rowClass, id);
    }

    private long withLag(long at) {
        return at > Long.MAX_VALUE - lag ? Long.MAX_VALUE : at + lag;
    }

    private void see(boolean isVersion, long at, long id) {
        seesVersion = isVersion;
        seenAt = at;
        seenId = id;
    }

    /** Compares the reads after a new version, up to the next version, with it. */
    private void checkReadsOf(int key, int position, long at, int rowClass, long id, long value) {
        int next = versions.next(key, position);
        long nextAt = next == NONE ? Long.MAX_VALUE : versions.at(key, next);
        long nextMeta = next == NONE ? 0 : versions.meta(key, next);
        for (int read = reads.notBefore(key, at, rowClass, id); read != NONE; read = reads.next(key, read)) {
            long readAt = reads.at(key, read);
            if (next != NONE && readAt >= nextAt && !isBefore(key, read, readAt, nextAt, nextMeta)) {
                return;
            }
            long meta = reads.meta(key, read);
            boolean isOwn = readAt == at && RowMeta.rowClass(meta) == rowClass && isOf(meta, id);
            if (!isOwn) {
                see(true, at, id);
                seenValue = value;
                check(key, read, isNothing(meta) || reads.value(key, read) != value);
            }
        }
    }

    /** Returns whether a read at a version's time is before the version, or of its transaction. */
    private boolean isBefore(int key, int read, long readAt, long at, long versionMeta) {
        if (readAt != at) {
            return readAt < at;
        }
        long meta = reads.meta(key, read);
        int readClass = RowMeta.rowClass(meta);
        int versionClass = RowMeta.rowClass(versionMeta);
        if (readClass != versionClass) {
            return readClass < versionClass;
        }
        return txns.id(RowMeta.slot(meta)) <= txns.id(RowMeta.slot(versionMeta));
    }

    private boolean isOf(long meta, long id) {
        return txns.id(RowMeta.slot(meta)) == id;
    }

    private static boolean isNothing(long meta) {
        return RowMeta.has(meta, NOTHING);
    }

    /** Changes the verdict of a read, according to the version that was set as seen. */
    private void check(int key, int read, boolean isWrong) {
        long meta = reads.meta(key, read);
        boolean wasWrong = RowMeta.has(meta, WRONG);
        if (!isWrong && !wasWrong) {
            return;
        }
        if (isWrong != wasWrong) {
            meta = RowMeta.withMark(RowMeta.flipped(meta), WRONG, isWrong);
            reads.setMeta(key, read, meta);
        }
        if (isWrong != wasWrong) {
            findings.countFlip(isWrong);
        }
        Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
        report(change, key, meta, reads.value(key, read), isWrong);
    }

    private void report(Change change, int key, long meta, long value, boolean isWrong) {
        if (findings.wantsProvisional()) {
            findings.notifyListener(change, finding(key, meta, value, false), isWrong);
        }
    }

    /** Returns the finding for a read that does not see the version set as seen. */
    private OnlineFinding finding(int key, long meta, long value, boolean withWriter) {
        int slot = RowMeta.slot(meta);
        OnlineTxn other = seesVersion ? new OnlineTxn(seenId, OnlineCheck.NO_TIME, seenAt) : null;
        OnlineTxn observed = null;
        if (withWriter && !isNothing(meta) && !keys.isInitial(key, value)) {
            long at = bySnapshots ? txns.start(slot) : txns.commit(slot);
            observed = writers.nearest(key, at, RowMeta.rowClass(meta), txns.id(slot), value);
        }
        return new OnlineFinding(
                level,
                Anomaly.EXT,
                keys.keyText(key),
                new OnlineFinding.Parties(txns.participant(slot), other, observed),
                new OnlineFinding.Reading(
                        seesVersion ? keys.valueText(seenValue) : keys.initialText(key),
                        isNothing(meta) ? null : keys.valueText(value)),
                txns.arrived(slot),
                RowMeta.flips(meta));
    }

    // ---------------------------------------------------------------- sealing

    void release() {
        versions.release();
        reads.release();
        bases.release();
    }

    /**
     * Makes verdicts up to the watermark final, since all commits up to there have arrived.
     *
     * @param versionLag time for which versions remain after the watermark
     */
    void seal(long upTo, long versionLag) {
        watermark = upTo;
        lag = versionLag;
        long versionsTo = upTo < Long.MIN_VALUE + lag ? Long.MIN_VALUE : upTo - lag;
        int count = open.findDue(0, upTo, duePositions);
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                due[i] = open.key(duePositions[i]);
            }
            touch(due, count);
            for (int i = 0; i < count; i++) {
                seal(due[i], duePositions[i], versionsTo);
            }
            count = open.findDue(duePositions[count - 1] + 1, upTo, duePositions);
        }
    }

    /** Resumes after a watermark up to which another check has sealed. */
    void resume(long sealedTo) {
        watermark = sealedTo;
    }

    private void seal(int key, int position, long versionsTo) {
        sealKey(key, versionsTo);
        if (isOpen(key)) {
            open.setDue(position, firstDue(key));
        } else {
            open.remove(position);
            bases.setOpenPosition(key, OpenKeys.NONE);
        }
    }

    private long firstDue(int key) {
        int version = versions.first(key);
        int read = reads.first(key);
        return Math.min(
                version == NONE ? Long.MAX_VALUE : withLag(versions.at(key, version)),
                read == NONE ? Long.MAX_VALUE : reads.at(key, read));
    }

    private void sealKey(int key, long versionsTo) {
        int firstRead = reads.first(key);
        if (firstRead != NONE && reads.at(key, firstRead) <= watermark) {
            int end = reads.notBefore(key, watermark, AFTER_ALL, Long.MAX_VALUE);
            for (int read = firstRead; read != end; read = reads.next(key, read)) {
                sealRead(key, read);
            }
            reads.removeBefore(key, end);
        }
        int firstVersion = versions.first(key);
        if (firstVersion != NONE && versions.at(key, firstVersion) <= versionsTo) {
            int end = versions.notBefore(key, versionsTo, AFTER_ALL, Long.MAX_VALUE);
            int last = end == NONE ? versions.last(key) : versions.previous(key, end);
            long meta = versions.meta(key, last);
            keys.recordChanged(key);
            bases.set(
                    key,
                    versions.at(key, last),
                    txns.id(RowMeta.slot(meta)),
                    versions.value(key, last),
                    RowMeta.rowClass(meta));
            versions.removeBefore(key, end);
        }
    }

    private void sealRead(int key, int read) {
        if (keys.initials().isLearning() && !bases.has(key)) {
            checkInitially(key, read);
        }
        long meta = reads.meta(key, read);
        if (RowMeta.has(meta, WRONG)) {
            findSeen(key, reads.at(key, read), RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
            findings.settleRaised();
            findings.addFinal(finding(key, meta, reads.value(key, read), true));
        } else if (!isNothing(meta) && keys.isInitial(key, reads.value(key, read))) {
            keys.recordForgottenRead(key);
        }
    }

    /** Learns the initial state of a key from a read, or checks the read against it. */
    private void checkInitially(int key, int read) {
        long meta = reads.meta(key, read);
        findSeen(key, reads.at(key, read), RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
        if (!seesVersion) {
            if (keys.initials().isOpen(key)) {
                keys.initials().learnValue(key, reads.value(key, read), isNothing(meta));
                keys.recordChanged(key);
            }
            check(key, read, isWrong(key, reads.value(key, read), isNothing(meta)));
        }
    }

    // ---------------------------------------------------------------- late information

    /** Records the first write of the initial value: reads of it from the initial state were wrong. */
    void initialWasWritten(int key) {
        if (bases.has(key) || keys.initials().isValue(key) || keys.initials().isOpen(key)) {
            return; // no read in the window saw the initial state, or it was right for another reason
        }
        int first = versions.first(key);
        long firstAt = first == NONE ? 0 : versions.at(key, first);
        long firstMeta = first == NONE ? 0 : versions.meta(key, first);
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            if (first != NONE && !isBefore(key, read, reads.at(key, read), firstAt, firstMeta)) {
                break;
            }
            long meta = reads.meta(key, read);
            if (!RowMeta.has(meta, WRONG) && !isNothing(meta)) {
                see(false, 0, 0);
                check(key, read, true);
            }
        }
    }

    /** Discards a key that is no longer checked. */
    void drop(int key) {
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            long meta = reads.meta(key, read);
            if (RowMeta.has(meta, WRONG)) {
                findSeen(key, reads.at(key, read), RowMeta.rowClass(meta), txns.id(RowMeta.slot(meta)));
                findings.settleRaised();
                report(Change.WITHDRAWN, key, meta, reads.value(key, read), false);
            }
        }
        forget(key);
    }

    /** Passes on the null reads of a key that has no other rows and is found to be a list. */
    void giveNullReads(int key, NullReadTaker to) {
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            long meta = reads.meta(key, read);
            int slot = RowMeta.slot(meta);
            to.take(reads.at(key, read), RowMeta.rowClass(meta), txns.participant(slot), txns.arrived(slot));
        }
        forget(key);
    }

    /** Consumer of null reads of a list. */
    @FunctionalInterface
    interface NullReadTaker {
        void take(long at, int rowClass, OnlineTxn txn, long arrived);
    }

    private void forget(int key) {
        reads.removeBefore(key, NONE);
        versions.removeBefore(key, NONE);
        bases.clear(key);
    }

    // ---------------------------------------------------------------- state

    /** Returns whether a version of a key was sealed. */
    boolean hasBase(int key) {
        return bases.has(key);
    }

    /** Returns the value of the last sealed version. */
    long baseValue(int key) {
        return bases.value(key);
    }

    /** Returns whether a key has open rows. */
    boolean isOpen(int key) {
        return versions.first(key) != NONE || reads.first(key) != NONE;
    }

    void writeBase(int key, ByteWriter to) {
        bases.write(key, keys, to);
    }

    /** Writes the open rows of a key. */
    void writeKey(int key, ByteWriter to) {
        versions.write(key, keys, to);
        reads.write(key, keys, to);
    }

    void readBase(int key, ByteReader from) {
        bases.read(key, keys, from);
    }

    void readKey(int key, ByteReader from) {
        boolean isAny = versions.read(key, keys, from);
        if (reads.read(key, keys, from) | isAny) {
            recordOpen(key, Long.MIN_VALUE);
        }
    }
}
