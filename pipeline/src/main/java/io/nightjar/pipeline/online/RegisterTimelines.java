package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Arrays;

/** For one level, the versions and reads of every register in the order of time, and which reads are wrong. */
final class RegisterTimelines {

    /*
     * A version stands at its transaction's commit, a read at its snapshot; at one timestamp classes decide, then ids:
     *
     *               snapshot isolation                            serial order
     *   class 0     commit of a transaction that started before   writer: reads, then writes
     *   class 1     start and commit at once: reads, then writes  read-only
     *   class 2     start
     *
     * A read sees the last version strictly before it, so that a transaction that reads and writes at one place does not see
     * itself. Versions and reads of a key are sequences of their own, and a new row changes only this:
     *
     *   a read       is compared with the version before it
     *   a version    is what reads see between it and the next version; nobody else's verdict changes
     *   conflicts    (snapshots) lie among versions backwards to the own start, and forwards where a start is before the own
     *                commit; each pair is met once, by whoever comes last
     *
     * Sealed rows go to the attic. Of a key stays the last sealed version:
     *
     *   bases     of each key the last sealed version; none in the initial state
     *   sealedTo  no row in the attic is behind this time
     *   floors    of each key the last version that the attic has forgotten
     *
     * What is placed at or before sealedTo brings back the rows of the key from the last version before it. Rows that come
     * back keep their marks, so that a changed verdict is known to correct a final one.
     */

    private static final int WRONG = 1;
    private static final int SEALED = 2;
    private static final int NOTHING = 4;

    private static final byte NO_BASE = -1;
    private static final int FARTHEST_WRITER = 1_000;
    private static final int NEAR_ENOUGH = 32;
    private static final int NONE = SortedRows.NONE;

    private final IsolationLevel level;
    private final boolean bySnapshots;
    private final WindowTxns txns;
    private final WindowKeys keys;
    private final OnlineFindings findings;
    private final Attic attic;
    private final int versionRoom;
    private final int readRoom;
    private final SortedRows versions;
    private final SortedRows reads;
    private final AtticRow row = new AtticRow();

    private final LastVersions bases;
    private final LastVersions floors;
    private int[] active = new int[64];
    private int activeCount;
    private boolean keepsNothing;

    // the version that a read sees, set by findSeen
    private boolean seesVersion;
    private long seenAt;
    private long seenId;
    private long seenValue;

    RegisterTimelines(
            IsolationLevel level,
            WindowTxns txns,
            WindowKeys keys,
            OnlineFindings findings,
            Attic attic,
            KeyRoom room,
            int firstRoom,
            int leafRows) {
        this.bases = new LastVersions(room);
        this.floors = new LastVersions(room);
        this.level = level;
        this.bySnapshots = level == IsolationLevel.SNAPSHOT_ISOLATION;
        this.txns = txns;
        this.keys = keys;
        this.findings = findings;
        this.attic = attic;
        this.versionRoom = firstRoom;
        this.readRoom = firstRoom + 1;
        this.versions = new SortedRows(txns, true, leafRows);
        this.reads = new SortedRows(txns, false, leafRows);
    }

    private void activate(int key) {
        if (!bases.isActive(key)) {
            bases.setActive(key, true);
            if (activeCount == active.length) {
                active = Arrays.copyOf(active, activeCount * 2);
            }
            active[activeCount++] = key;
        }
    }

    long rowCount() {
        return versions.rowCount() + reads.rowCount();
    }

    /** Bytes that rows take. */
    long usedByteSize() {
        return versions.usedByteSize() + reads.usedByteSize();
    }

    long freeByteSize() {
        return versions.freeByteSize() + reads.freeByteSize();
    }

    long byteSize() {
        return versions.byteSize() + reads.byteSize() + bases.byteSize() + floors.byteSize();
    }

    // ---------------------------------------------------------------- arrivals

    /** Places a write. */
    void write(int key, int slot, long value) {
        activate(key);
        long start = txns.start(slot);
        long commit = txns.commit(slot);
        int rowClass = bySnapshots && start == commit ? 1 : 0;
        if (commit <= bases.sealedTo(key)) {
            bringBack(key, commit);
        }
        int behind = versions.notBefore(key, commit, rowClass, txns.id(slot));
        if (bySnapshots && start <= commit) {
            findConflicts(key, slot, behind);
        }
        int place = versions.addBefore(key, behind, commit, SortedRows.meta(slot, 0, rowClass), value, start);
        judgeReadsOf(key, place, commit, rowClass, txns.id(slot), value);
    }

    /**
     * Places a first read.
     *
     * @param isNothing whether it returned null
     */
    void read(int key, int slot, long value, boolean isNothing, boolean isReadOnly) {
        long at = bySnapshots ? txns.start(slot) : txns.commit(slot);
        boolean isAtOnce = txns.start(slot) == txns.commit(slot);
        if (bySnapshots && at > txns.commit(slot)) {
            return; // which is a fault of its own
        }
        activate(key);
        int rowClass = bySnapshots ? isAtOnce ? 1 : 2 : isReadOnly ? 1 : 0;
        findSeen(key, at, rowClass, txns.id(slot));
        boolean isWrong = isWrong(key, value, isNothing);
        if (!seesVersion && !isNothing && keys.initials().isOpen(key)) {
            keys.hold(value); // which may be what the key held
        }
        int marks = (isWrong ? WRONG : 0) | (isNothing ? NOTHING : 0);
        long meta = SortedRows.meta(slot, marks, rowClass);
        reads.add(key, at, meta, value, 0);
        if (isWrong) {
            findings.countRaised();
            tell(Change.RAISED, key, meta, value, true);
        }
    }

    private boolean isWrong(int key, long value, boolean isNothing) {
        if (!seesVersion) {
            return keys.isWrongInitially(key, value, isNothing);
        }
        return isNothing || value != seenValue;
    }

    private void findSeen(int key, long at, int rowClass, long id) {
        int place = versions.lastBefore(key, at, rowClass, id);
        if (place == NONE && bases.has(key) && !bases.isBefore(key, at, rowClass, id)) {
            bringBack(key, at);
            place = versions.lastBefore(key, at, rowClass, id);
        }
        if (place != NONE) {
            see(true, versions.at(key, place), txns.id(SortedRows.slot(versions.meta(key, place))));
            seenValue = versions.value(key, place);
        } else {
            see(bases.has(key), bases.at(key), bases.id(key));
            seenValue = bases.value(key);
        }
    }

    private void see(boolean isVersion, long at, long id) {
        seesVersion = isVersion;
        seenAt = at;
        seenId = id;
    }

    /** Compares the reads behind a new version, up to the next one, with it. */
    private void judgeReadsOf(int key, int place, long at, int rowClass, long id, long value) {
        int next = versions.next(key, place);
        long nextAt = next == NONE ? Long.MAX_VALUE : versions.at(key, next);
        long nextMeta = next == NONE ? 0 : versions.meta(key, next);
        for (int read = reads.notBefore(key, at, rowClass, id); read != NONE; read = reads.next(key, read)) {
            long readAt = reads.at(key, read);
            if (next != NONE && readAt >= nextAt && !isNotBehind(key, read, readAt, nextAt, nextMeta)) {
                return;
            }
            long meta = reads.meta(key, read);
            boolean isOwn = readAt == at && SortedRows.rowClass(meta) == rowClass && isOf(meta, id);
            if (!isOwn) {
                see(true, at, id);
                seenValue = value;
                judge(key, read, isNothing(meta) || reads.value(key, read) != value);
            }
        }
    }

    /** Whether a read at a version's time stands before the version, or belongs to its transaction. */
    private boolean isNotBehind(int key, int read, long readAt, long at, long versionMeta) {
        if (readAt != at) {
            return readAt < at;
        }
        long meta = reads.meta(key, read);
        int readClass = SortedRows.rowClass(meta);
        int versionClass = SortedRows.rowClass(versionMeta);
        if (readClass != versionClass) {
            return readClass < versionClass;
        }
        return txns.id(SortedRows.slot(meta)) <= txns.id(SortedRows.slot(versionMeta));
    }

    private boolean isOf(long meta, long id) {
        return txns.id(SortedRows.slot(meta)) == id;
    }

    private static boolean isNothing(long meta) {
        return (marks(meta) & NOTHING) != 0;
    }

    private static int marks(long meta) {
        return (int) meta >>> 2 & 0x3FFF;
    }

    private static long withMark(long meta, int mark, boolean isSet) {
        return isSet ? meta | (long) mark << 2 : meta & ~((long) mark << 2);
    }

    /** Gives a read another verdict, by the version that was set as seen. */
    private void judge(int key, int read, boolean isWrong) {
        long meta = reads.meta(key, read);
        boolean wasWrong = (marks(meta) & WRONG) != 0;
        boolean isSealed = (marks(meta) & SEALED) != 0;
        if (!isWrong && !wasWrong) {
            return;
        }
        if (isWrong != wasWrong) {
            meta = withMark(SortedRows.flipped(meta), WRONG, isWrong);
            reads.setMeta(key, read, meta);
        }
        if (isSealed) {
            OnlineFinding finding = finding(key, meta, reads.value(key, read), true);
            if (isWrong) {
                findings.addCorrected(finding, wasWrong);
            } else {
                findings.takeBack(finding);
            }
            return;
        }
        if (isWrong != wasWrong) {
            findings.countFlip(isWrong);
        }
        Change change = !isWrong ? Change.WITHDRAWN : wasWrong ? Change.CHANGED : Change.RAISED;
        tell(change, key, meta, reads.value(key, read), isWrong);
    }

    private void tell(Change change, int key, long meta, long value, boolean isWrong) {
        if (findings.wantsProvisional()) {
            findings.tell(change, finding(key, meta, value, false), isWrong);
        }
    }

    /** The finding for a read that does not see the version set as seen. */
    private OnlineFinding finding(int key, long meta, long value, boolean withWriter) {
        int slot = SortedRows.slot(meta);
        Participant other = seesVersion ? new Participant(seenId, null, OnlineCheck.NO_TIME, seenAt) : null;
        Participant observed =
                withWriter && !isNothing(meta) && !keys.isInitial(key, value) ? nearestWriter(key, meta, value) : null;
        return new OnlineFinding(
                level,
                Anomaly.EXT,
                keys.keyText(key),
                txns.participant(slot),
                other,
                observed,
                seesVersion ? keys.valueText(seenValue) : keys.initialText(key),
                isNothing(meta) ? null : keys.valueText(value),
                txns.arrived(slot),
                SortedRows.flips(meta));
    }

    // ---------------------------------------------------------------- who wrote what was read

    /**
     * The writer of a value whose version stood nearest to a read. One that never stood alone is taken only where no other
     * is known.
     */
    private Participant nearestWriter(int key, long meta, long value) {
        int slot = SortedRows.slot(meta);
        long id = txns.id(slot);
        long at = bySnapshots ? txns.start(slot) : txns.commit(slot);
        int unseen = versions.notBefore(key, at, SortedRows.rowClass(meta), id);
        NearestWriter nearest = new NearestWriter(at, id);
        long following = unseen == NONE ? Long.MAX_VALUE : versions.at(key, unseen);
        int most = findings.areMany() ? NEAR_ENOUGH : FARTHEST_WRITER;
        int steps = 0;
        int place = unseen == NONE ? versions.last(key) : versions.previous(key, unseen);
        for (; place != NONE && steps++ < most; place = versions.previous(key, place)) {
            long writer = txns.id(SortedRows.slot(versions.meta(key, place)));
            long from = versions.at(key, place);
            if (versions.value(key, place) == value && nearest.offerSeen(writer, from, following)) {
                break;
            }
            following = from;
        }
        if (place == NONE && !nearest.isStale() && !findings.areMany()) {
            lookInAttic(key, value, following, nearest);
        }
        steps = 0;
        for (place = unseen; place != NONE && steps++ < most; place = versions.next(key, place)) {
            int next = versions.next(key, place);
            long writer = txns.id(SortedRows.slot(versions.meta(key, place)));
            long until = next == NONE ? Long.MAX_VALUE : versions.at(key, next);
            if (versions.value(key, place) == value && nearest.offerUnseen(writer, versions.at(key, place), until)) {
                break;
            }
        }
        return nearest.writer();
    }

    private void lookInAttic(int key, long value, long behind, NearestWriter nearest) {
        long[] following = {behind};
        attic.lookBack(versionRoom, key, Long.MAX_VALUE, version -> {
            boolean isFound = version.value == value && nearest.offerSeen(version.id, version.at, following[0]);
            following[0] = version.at;
            return isFound;
        });
    }

    // ---------------------------------------------------------------- conflicts

    private void findConflicts(int key, int slot, int behind) {
        long start = txns.start(slot);
        long commit = txns.commit(slot);
        int place = behind == NONE ? versions.last(key) : versions.previous(key, behind);
        while (place != NONE && overlaps(versions.at(key, place), start, commit)) {
            conflict(key, SortedRows.slot(versions.meta(key, place)), slot);
            place = versions.previous(key, place);
        }
        if (place == NONE && bases.has(key) && overlaps(bases.at(key), start, commit)) {
            attic.scan(versionRoom, key, start, old -> {
                if (old.start <= old.commit && overlaps(old.at, start, commit)) {
                    Participant earlier = new Participant(old.id, null, old.start, old.commit);
                    conflict(key, earlier, txns.participant(slot), txns.arrived(slot));
                }
            });
        }
        long before = commit == Long.MAX_VALUE ? commit : commit + 1;
        place = versions.nextOpenBefore(key, behind, before);
        while (place != NONE) {
            if (versions.start(key, place) < commit || versions.at(key, place) == commit) {
                conflict(key, slot, SortedRows.slot(versions.meta(key, place)));
            }
            place = versions.nextOpenBefore(key, versions.next(key, place), before);
        }
    }

    /** Whether a commit no later than the own one comes after the own start, or at the own commit. */
    private static boolean overlaps(long otherCommit, long start, long commit) {
        return otherCommit > start || otherCommit == commit;
    }

    private void conflict(int key, int earlier, int later) {
        boolean areJudged = txns.start(earlier) <= txns.commit(earlier) && txns.start(later) <= txns.commit(later);
        if (areJudged) {
            conflict(
                    key,
                    txns.participant(earlier),
                    txns.participant(later),
                    Math.max(txns.arrived(earlier), txns.arrived(later)));
        }
    }

    private void conflict(int key, Participant earlier, Participant later, long arrived) {
        findings.addFinal(new OnlineFinding(
                level, Anomaly.NOCONFLICT, keys.keyText(key), earlier, later, null, null, null, arrived, 0));
    }

    // ---------------------------------------------------------------- sealing

    /** From here on nothing that is sealed is put away: nobody asks for it any more. */
    void keepNothing() {
        keepsNothing = true;
    }

    void letGo() {
        versions.letGo();
        reads.letGo();
        bases.letGo();
        floors.letGo();
    }

    /** All commits up to the watermark have arrived: verdicts up to there are final, and their rows leave memory. */
    void seal(long watermark) {
        int kept = 0;
        for (int i = 0; i < activeCount; i++) {
            int key = active[i];
            sealKey(key, watermark);
            attic.makeRoom();
            if (reads.first(key) == NONE && versions.first(key) == NONE) {
                bases.setActive(key, false);
            } else {
                active[kept++] = key;
            }
        }
        activeCount = kept;
    }

    private void sealKey(int key, long watermark) {
        int firstRead = reads.first(key);
        if (firstRead != NONE && reads.at(key, firstRead) <= watermark) {
            int end = reads.notBefore(key, watermark, 3, Long.MAX_VALUE);
            for (int read = firstRead; read != end; read = reads.next(key, read)) {
                sealRead(key, read);
                if (!keepsNothing) {
                    putAway(reads, readRoom, key, read);
                }
            }
            noteSealed(key);
            reads.removeBefore(key, end);
        }
        int firstVersion = versions.first(key);
        if (firstVersion != NONE && versions.at(key, firstVersion) <= watermark) {
            int end = versions.notBefore(key, watermark, 3, Long.MAX_VALUE);
            for (int version = firstVersion; !keepsNothing && version != end; version = versions.next(key, version)) {
                putAway(versions, versionRoom, key, version);
            }
            noteSealed(key);
            if (keepsNothing) {
                setRow(versions, key, end == NONE ? versions.last(key) : versions.previous(key, end));
            }
            setBase(key);
            versions.removeBefore(key, end);
        }
    }

    private void sealRead(int key, int read) {
        if ((marks(reads.meta(key, read)) & SEALED) == 0) {
            if (keys.initials().isLearning() && !bases.has(key)) {
                judgeInitially(key, read);
            }
            long meta = reads.meta(key, read);
            reads.setMeta(key, read, withMark(meta, SEALED, true));
            if ((marks(meta) & WRONG) != 0) {
                int slot = SortedRows.slot(meta);
                findSeen(key, reads.at(key, read), SortedRows.rowClass(meta), txns.id(slot));
                findings.settleRaised();
                findings.addFinal(finding(key, meta, reads.value(key, read), true));
            }
        }
    }

    /** Learns of a read what its key held, or judges it by what was learned of another. */
    private void judgeInitially(int key, int read) {
        long meta = reads.meta(key, read);
        findSeen(key, reads.at(key, read), SortedRows.rowClass(meta), txns.id(SortedRows.slot(meta)));
        if (!seesVersion) {
            if (keys.initials().isOpen(key)) {
                keys.initials().learnValue(key, reads.value(key, read), isNothing(meta));
                keys.noteChanged(key);
            }
            judge(key, read, isWrong(key, reads.value(key, read), isNothing(meta)));
        }
    }

    private void putAway(SortedRows rows, int room, int key, int place) {
        setRow(rows, key, place);
        attic.put(room, key, row);
    }

    /** The row put away last is the latest of those. */
    private void noteSealed(int key) {
        if (!keepsNothing) {
            bases.setSealedTo(key, Math.max(bases.sealedTo(key), row.at));
        }
    }

    private void setRow(SortedRows rows, int key, int place) {
        long meta = rows.meta(key, place);
        row.set(rows.at(key, place), meta, rows.value(key, place));
        row.setTxn(txns, SortedRows.slot(meta));
    }

    /** The row put away last becomes the base, if it is a later version. */
    private void setBase(int key) {
        int rowClass = SortedRows.rowClass(row.meta);
        if (!bases.has(key) || bases.isBefore(key, row.at, rowClass, row.id)) {
            takeBase(key, true);
        }
    }

    private void takeBase(int key, boolean isThere) {
        keys.noteChanged(key);
        if (isThere) {
            bases.set(key, row);
        } else {
            bases.clear(key);
        }
    }

    // ---------------------------------------------------------------- what comes late

    /** Brings the rows of a key back from the attic, from the last version before a time on, as far as they are kept. */
    private void bringBack(int key, long at) {
        boolean isThere = attic.last(versionRoom, key, at, row) && !isFloorBehind(key, row.at);
        long from = isThere ? row.at : floors.has(key) ? floors.at(key) + 1 : Long.MIN_VALUE;
        attic.take(versionRoom, key, from, old -> bringBack(versions, key, old));
        attic.take(readRoom, key, from, old -> bringBack(reads, key, old));
        bases.setSealedTo(key, from > Long.MIN_VALUE ? from - 1 : Long.MIN_VALUE);
        boolean hasOlder = isThere && attic.last(versionRoom, key, from, row) && !isFloorBehind(key, row.at);
        takeBase(key, hasOlder);
        if (!hasOlder && floors.has(key)) {
            bases.set(key, floors);
        }
    }

    private boolean isFloorBehind(int key, long at) {
        return floors.has(key) && floors.at(key) > at;
    }

    /** The attic has no room for a version any more. */
    void forgot(int key, AtticRow version) {
        if (!floors.has(key) || !version.isBefore(floors.at(key), floors.rowClass(key), floors.id(key))) {
            floors.set(key, version);
        }
    }

    private void bringBack(SortedRows rows, int key, AtticRow sealed) {
        int slot = txns.open(sealed.id, sealed.start, sealed.commit, sealed.arrived);
        rows.add(key, sealed.at, sealed.meta(slot), sealed.value, sealed.start);
        txns.release(slot);
    }

    /** Somebody wrote the initial value for the first time: who read it from the initial state was wrong. */
    void initialWasWritten(int key) {
        bringBack(key, Long.MIN_VALUE);
        if (floors.has(key) || keys.initials().isValue(key) || keys.initials().isOpen(key)) {
            return; // whoever read the initial state has been forgotten, or was not right because it is the initial
            // value
        }
        int first = versions.first(key);
        long firstAt = first == NONE ? 0 : versions.at(key, first);
        long firstMeta = first == NONE ? 0 : versions.meta(key, first);
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            if (first != NONE && !isNotBehind(key, read, reads.at(key, read), firstAt, firstMeta)) {
                break;
            }
            long meta = reads.meta(key, read);
            if ((marks(meta) & WRONG) == 0 && !isNothing(meta)) {
                see(false, 0, 0);
                judge(key, read, true);
            }
        }
        if (reads.first(key) != NONE || first != NONE) {
            activate(key);
        }
    }

    /** Forgets a key that is not judged after all. */
    void drop(int key) {
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            long meta = reads.meta(key, read);
            if ((marks(meta) & WRONG) != 0 && (marks(meta) & SEALED) == 0) {
                findSeen(key, reads.at(key, read), SortedRows.rowClass(meta), txns.id(SortedRows.slot(meta)));
                findings.settleRaised();
                tell(Change.WITHDRAWN, key, meta, reads.value(key, read), false);
            }
        }
        forget(key);
    }

    /** Gives up the null reads of a key that has nothing else and turned out to be a list. */
    void giveNullReads(int key, Attic.Visitor to) {
        bringBack(key, Long.MIN_VALUE);
        for (int read = reads.first(key); read != NONE; read = reads.next(key, read)) {
            long meta = reads.meta(key, read);
            row.set(reads.at(key, read), meta, 0);
            row.setTxn(txns, SortedRows.slot(meta));
            to.row(row);
        }
        forget(key);
    }

    private void forget(int key) {
        reads.removeBefore(key, NONE);
        versions.removeBefore(key, NONE);
        attic.take(readRoom, key, Long.MIN_VALUE, old -> {});
        attic.take(versionRoom, key, Long.MIN_VALUE, old -> {});
        bases.clear(key);
        keys.noteChanged(key);
        bases.setSealedTo(key, Long.MIN_VALUE);
        floors.clear(key);
    }

    /** Whether a row taken from here was final. */
    static boolean isSealed(AtticRow row) {
        return (marks(row.meta) & SEALED) != 0;
    }

    // ---------------------------------------------------------------- state

    /** Whether a version of a key was sealed. */
    boolean hasBase(int key) {
        return bases.has(key);
    }

    /** The value of the last sealed version. */
    long baseValue(int key) {
        return bases.value(key);
    }

    /** Whether a key has open rows. */
    boolean isOpen(int key) {
        return versions.first(key) != NONE || reads.first(key) != NONE;
    }

    void writeBase(int key, ByteSink to) {
        to.putByte(hasBase(key) ? bases.rowClass(key) : NO_BASE);
        if (hasBase(key)) {
            to.putSigned(bases.at(key));
            to.putSigned(bases.id(key));
            keys.writeValue(bases.value(key), to);
        }
    }

    /** Writes the open rows of a key. */
    void writeKey(int key, ByteSink to) {
        versions.write(key, keys, to);
        reads.write(key, keys, to);
    }

    void readBase(int key, ByteFeed from) {
        int rowClass = from.getByte();
        if (rowClass != NO_BASE) {
            row.readVersion(from, rowClass, keys);
            takeBase(key, true);
            attic.put(versionRoom, key, row); // where something late looks for it
            bases.setSealedTo(key, row.at);
        }
    }

    void readKey(int key, ByteFeed from) {
        boolean isAny = versions.read(key, keys, from);
        if (reads.read(key, keys, from) | isAny) {
            activate(key);
        }
    }
}
