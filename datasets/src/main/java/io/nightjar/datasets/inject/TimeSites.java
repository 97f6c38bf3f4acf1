package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.KeyAccesses.Access;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sites where a transaction can be moved in time, or in its session, with effects that can be listed. */
final class TimeSites {

    /*
     * For the loaded transaction T, let m be the latest commit among the versions that T builds on: the versions that
     * its reads observed and that its writes replaced. A timestamp moved back to just before m precedes the commit of
     * these versions and of no other version that matters to T; the distance of the move determines which other
     * timestamps it precedes.
     *
     *   before:    other versions      m          start ======== commit
     *   lost update:                 start' ==================== commit     m is of a key that T writes
     *   clock skew:        start' == commit'                                m is of a key that T only reads
     *   start after commit, SER:     commit'      start                     the same
     *
     * When a commit moves, the time moves at which T's writes become visible. So no transaction may have read or
     * written their keys in between: earlier rows are known, a later row that started earlier spoils the site (under
     * SI; under SER it was aborted).
     */

    private static final long JUST = FaultPlanner.GRID / 2;

    private final KeyVersions versions;
    private final KeyAccesses footprint;
    private final boolean isSerial;
    private final List<IsolationLevel> levels;
    private final boolean isList;

    TimeSites(KeyVersions versions, KeyAccesses footprint, List<IsolationLevel> levels, boolean isList) {
        this.versions = versions;
        this.footprint = footprint;
        this.levels = levels;
        this.isSerial = levels.contains(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        this.isList = isList;
    }

    // ---------------------------------------------------------------- session break

    /**
     * Offers a swap of positions: {@code previous} and the loaded transaction, its successor in the session, can always
     * swap.
     */
    void offerSessionBreak(FaultPlanner.Row row, FaultPlanner.Row previous, Reservoir reservoir) {
        if (previous == null || !reservoir.wants()) {
            return;
        }
        FaultSite site = new FaultSite(Fault.SESSION_BREAK, FaultSite.NO_KEY, previous.txnId());
        site.transactions.add(row.txnId());
        site.edits.add(new TxnEdit.Sequence(previous.txnId(), row.seq()));
        site.edits.add(new TxnEdit.Sequence(row.txnId(), previous.seq()));
        for (IsolationLevel level : levels) {
            site.expected.add(new ExpectedAnomaly(Anomaly.SESSION, level, List.of(previous.txnId()), FaultSite.NO_KEY));
        }
        reservoir.put(site);
    }

    // ---------------------------------------------------------------- lost update

    void offerLostUpdate(FaultPlanner.Row row, FaultPlanner.Row previous, Reservoir reservoir) {
        Access access = onlyOneOfLatestVersion();
        if (access == null || !access.isWritten()) {
            return;
        }
        int key = access.key;
        int version = access.version;
        long stateBefore = versions.state(key, version - 1, isList);
        int readOp = readThatLosesTheUpdate(access, stateBefore);
        boolean isBlind = readOp == KeyVersions.NO_OP;
        boolean hasOtherReads = access.readCount > 0 && !access.isReadOnce();
        if (hasOtherReads || isBlind && isSerial || !reservoir.wants()) {
            return;
        }
        FaultSite site = new FaultSite(Fault.LOST_UPDATE, versions.keyText(key), row.txnId());
        long writer = versions.writer(key, version);
        site.transactions.add(writer);
        site.isSecondChoice = isBlind;
        if (!isBlind) {
            long readKey = access.readCount == 0 ? versions.keyId(key) : HistorySlice.NONE;
            site.edits.add(TxnEdit.readOfState(row.txnId(), readOp, readKey, isList, stateBefore));
        }
        long start = versions.commit(key, version) - JUST;
        move(site, row, previous, start, row.commit());
        site.expected.add(new ExpectedAnomaly(
                Anomaly.NOCONFLICT, IsolationLevel.SNAPSHOT_ISOLATION, List.of(writer, row.txnId()), site.key));
        if (isSerial) {
            expectExt(site, IsolationLevel.COMMIT_ORDER_SERIALIZABLE, access);
        }
        reservoir.put(site);
    }

    /**
     * Returns the transaction's read of the key, or a read of another key that can replace it; NO_OP if none
     * exists.
     */
    private int readThatLosesTheUpdate(Access access, long stateBefore) {
        if (access.readCount > 0) {
            return access.isReadOnce() ? access.firstRead : KeyVersions.NO_OP;
        }
        // A read of another key holds no elements of this key, so it can only be changed to return none.
        boolean canReturnState = !isList || stateBefore == 0;
        return canReturnState ? access.readBeforeWrite : KeyVersions.NO_OP;
    }

    // ---------------------------------------------------------------- clock skew, start after commit

    /** Returns the site if it was accepted, so that later rows can spoil it. */
    @Nullable
    FaultSite offerClockSkew(FaultPlanner.Row row, FaultPlanner.Row previous, Reservoir reservoir) {
        long latest = latestCommit();
        long commit = latest - JUST;
        long start = commit - (row.commit() - row.start());
        if (latest <= 0 || start <= 0 || !canCommitAt(commit, start) || !reservoir.wants()) {
            return null;
        }
        FaultSite site = new FaultSite(Fault.CLOCK_SKEW, keyOfLatest(latest), row.txnId());
        move(site, row, previous, start, commit);
        for (IsolationLevel level : levels) {
            expectExtOfLaterVersions(site, level, level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE ? commit : start);
        }
        reservoir.put(site);
        return site;
    }

    void offerStartAfterCommit(FaultPlanner.Row row, FaultPlanner.Row previous, Reservoir reservoir) {
        if (isSerial) {
            offerCommitBeforeStart(row, previous, reservoir);
        } else if (reservoir.wants()) {
            FaultSite site = new FaultSite(Fault.START_AFTER_COMMIT, FaultSite.NO_KEY, row.txnId());
            site.edits.add(new TxnEdit.Timestamps(row.txnId(), row.commit() + JUST, row.commit()));
            expectReversed(site);
            reservoir.put(site);
        }
    }

    /** Offers a commit before the start. The commit moves and not the start, since a serial replay follows commits. */
    private void offerCommitBeforeStart(FaultPlanner.Row row, FaultPlanner.Row previous, Reservoir reservoir) {
        long latest = latestCommit();
        long commit = latest - JUST;
        if (latest <= 0 || !canCommitAt(commit, commit) || !reservoir.wants()) {
            return;
        }
        FaultSite site = new FaultSite(Fault.START_AFTER_COMMIT, keyOfLatest(latest), row.txnId());
        move(site, row, previous, row.start(), commit);
        expectReversed(site);
        expectExtOfLaterVersions(site, IsolationLevel.COMMIT_ORDER_SERIALIZABLE, commit);
        reservoir.put(site);
    }

    private static void expectReversed(FaultSite site) {
        site.expected.add(new ExpectedAnomaly(
                Anomaly.TIMESTAMP_ORDER, IsolationLevel.SNAPSHOT_ISOLATION, List.of(site.victim()), FaultSite.NO_KEY));
    }

    /** Returns whether the writes could become visible at {@code commit} without an effect on another transaction. */
    private boolean canCommitAt(long commit, long start) {
        for (Access access : footprint.accesses()) {
            if (access.isWritten()) {
                int key = access.key;
                boolean isReplacedLater = versions.commit(key, access.version) > start;
                if (isReplacedLater || versions.lastReaderCommit(key) > commit) {
                    return false;
                }
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- shared

    /** Returns the latest commit among the versions that the transaction builds on; negative if one is unknown. */
    private long latestCommit() {
        long latest = 0;
        for (Access access : footprint.accesses()) {
            if (access.version == KeyVersions.UNKNOWN) {
                return -1;
            }
            latest = Math.max(latest, versions.commit(access.key, access.version));
        }
        return latest;
    }

    /** Returns the only access to a version of the latest commit; null if none or several exist. */
    private @Nullable Access onlyOneOfLatestVersion() {
        long latest = latestCommit();
        Access only = null;
        for (Access access : footprint.accesses()) {
            if (latest > 0 && versions.commit(access.key, access.version) == latest) {
                if (only != null) {
                    return null;
                }
                only = access;
            }
        }
        return only;
    }

    private String keyOfLatest(long latest) {
        for (Access access : footprint.accesses()) {
            if (versions.commit(access.key, access.version) == latest) {
                return versions.keyText(access.key);
            }
        }
        throw new AssertionError("bug: latest version of no key: latest=" + latest);
    }

    private void move(FaultSite site, FaultPlanner.Row row, FaultPlanner.Row previous, long start, long commit) {
        site.edits.add(new TxnEdit.Timestamps(row.txnId(), start, commit));
        site.movedCommit = commit;
        site.windowFirst = Math.min(start, commit);
        site.windowLast = row.commit();
        if (previous == null) {
            return;
        }
        site.bystanders.add(previous.txnId());
        for (IsolationLevel level : levels) {
            long moved = level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE ? commit : start;
            if (moved < previous.commit()) {
                site.expected.add(new ExpectedAnomaly(Anomaly.SESSION, level, List.of(row.txnId()), FaultSite.NO_KEY));
            }
        }
    }

    private void expectExtOfLaterVersions(FaultSite site, IsolationLevel level, long moment) {
        for (Access access : footprint.accesses()) {
            if (versions.commit(access.key, access.version) > moment) {
                expectExt(site, level, access);
            }
        }
    }

    private void expectExt(FaultSite site, IsolationLevel level, Access access) {
        String key = versions.keyText(access.key);
        site.expected.add(new ExpectedAnomaly(Anomaly.EXT, level, List.of(site.victim()), key));
    }
}
