package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.KeyAccesses.Access;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans a clean history once and chooses the operations where faults are planted.
 *
 * <p>The history has int64 keys and values, no value twice, unique timestamps that are multiples of {@link #GRID}, and
 * rows in the order of commits; the given level and snapshot isolation hold.
 */
public final class FaultPlanner {

    /** Timestamps of a clean history are multiples of this, so that those between belong to no event. */
    public static final long GRID = 10;

    private static final int SITES_PER_FAULT = 8;
    private static final int MIN_SITES = 1024;

    private final Map<Fault, Integer> countOf = new EnumMap<>(Fault.class);
    private final Map<Fault, Reservoir> reservoirOf = new EnumMap<>(Fault.class);
    private final SeededRandom random;
    private final boolean isList;
    private final KeyVersions versions = new KeyVersions();
    private final KeyAccesses footprint = new KeyAccesses(versions);
    private final SessionHeads sessions = new SessionHeads();
    private final ReadSites readSites;
    private final TimeSites timeSites;
    private long greatestValue;

    /**
     * @param level level that holds for the history and that every fault must violate: snapshot isolation or
     * serializable
     */
    public FaultPlanner(IsolationLevel level, boolean isList, Map<Fault, Integer> countOf, long seed) {
        this.random = new SeededRandom(~seed);
        List<IsolationLevel> levels = level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                ? List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                : List.of(IsolationLevel.SNAPSHOT_ISOLATION);
        this.readSites = new ReadSites(versions, footprint, levels, isList);
        this.timeSites = new TimeSites(versions, footprint, levels, isList);
        this.isList = isList;
        for (Map.Entry<Fault, Integer> entry : countOf.entrySet()) {
            int count = entry.getValue();
            if (count > 0) {
                int capacity = (int) Math.min(Integer.MAX_VALUE, Math.max(MIN_SITES, (long) SITES_PER_FAULT * count));
                this.countOf.put(entry.getKey(), count);
                this.reservoirOf.put(entry.getKey(), new Reservoir(capacity, random));
            }
        }
    }

    /** Scans the next rows of the history; does not change the slice. */
    public void scan(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (slice.status[txn] == TxnStatus.COMMITTED) {
                scanCommitted(slice, txn);
            } else {
                scanAborted(slice, txn);
            }
        }
    }

    /**
     * Chooses victims that do not disturb one another.
     *
     * @throws TooFewSitesException if the history is too small for the requested faults
     */
    public FaultPlan plan() {
        Map<Fault, List<FaultSite>> sitesOf = new EnumMap<>(Fault.class);
        for (Map.Entry<Fault, Reservoir> entry : reservoirOf.entrySet()) {
            sitesOf.put(entry.getKey(), entry.getValue().shuffled());
        }
        return new FaultPlan(new SiteChooser(countOf, sitesOf).choose(), greatestValue);
    }

    private void scanAborted(HistorySlice slice, int txn) {
        if (slice.firstOpOf[txn] < slice.firstOpOf[txn + 1]) {
            readSites.abortedTxn(slice.txnId[txn]);
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                versions.setAbortedWrite(versions.ordinal(slice.key[op]), slice.value[op], slice.txnId[txn]);
                greatestValue = Math.max(greatestValue, slice.value[op]);
            }
        }
    }

    private void scanCommitted(HistorySlice slice, int txn) {
        footprint.load(slice, txn);
        invalidateSitesAfter(slice.startTs[txn]);
        Row row = new Row(slice.txnId[txn], slice.sessionSeq[txn], slice.startTs[txn], slice.commitTs[txn]);
        int session = sessions.ordinal(slice.sessionId[txn]);
        Row previous = sessions.last(session);

        FaultSite moving = offerSites(row, previous);
        addVersions(row, moving);
        sessions.setLast(session, row);
    }

    /**
     * Discards the sites of reads that a moved commit may change: a read that missed a version because it started too
     * early would observe it.
     */
    private void invalidateSitesAfter(long start) {
        for (Access access : footprint.accesses()) {
            if (access.readCount == 0) {
                continue;
            }
            int key = access.key;
            int latest = versions.latestVersion(key);
            for (int version = latest; version > access.version && versions.isKept(key, version); version--) {
                FaultSite site = version == KeyVersions.INITIAL ? null : versions.site(key, version);
                if (site != null && site.movedCommit < start) {
                    site.isSpoiled = true;
                }
            }
        }
    }

    /** Returns the site that would move the transaction's commit, if it was accepted. */
    private @Nullable FaultSite offerSites(Row row, Row previous) {
        FaultSite moving = null;
        int firstLocal = footprint.accesses().size() == 0
                ? 0
                : random.below(footprint.accesses().size());
        for (Map.Entry<Fault, Reservoir> entry : reservoirOf.entrySet()) {
            Fault fault = entry.getKey();
            Reservoir reservoir = entry.getValue();
            switch (fault) {
                case STALE_READ, ABORTED_READ, INTERMEDIATE_READ, GARBAGE_VALUE ->
                    readSites.offer(fault, row, firstLocal, reservoir);
                case SESSION_BREAK -> timeSites.offerSessionBreak(row, previous, reservoir);
                case LOST_UPDATE -> timeSites.offerLostUpdate(row, previous, reservoir);
                case CLOCK_SKEW -> moving = timeSites.offerClockSkew(row, previous, reservoir);
                case START_AFTER_COMMIT -> timeSites.offerStartAfterCommit(row, previous, reservoir);
                default -> throw new AssertionError("bug: a fault of tables: fault=" + fault);
            }
        }
        return moving;
    }

    private void addVersions(Row row, @Nullable FaultSite moving) {
        for (Access access : footprint.accesses()) {
            int key = access.key;
            if (access.readCount > 0) {
                versions.setLastReaderCommit(key, row.commit());
            }
            int writes = access.writeCount;
            if (writes == 0) {
                continue;
            }
            greatestValue = Math.max(greatestValue, access.lastWritten);
            long state = access.lastWritten;
            long overwritten = access.overwritten;
            if (isList) {
                state = versions.state(key, versions.latestVersion(key), true) + writes;
                overwritten = writes > 1 ? state - 1 : HistorySlice.NONE;
            }
            int readBefore = access.readBeforeWrite;
            versions.add(key, row.commit(), row.txnId(), state, overwritten, readBefore, moving);
        }
    }

    /** A committed transaction as the sites need it. */
    record Row(long txnId, long seq, long start, long commit) {}
}
