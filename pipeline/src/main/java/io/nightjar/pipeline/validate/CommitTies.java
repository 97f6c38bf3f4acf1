package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.List;

/**
 * Committed writers that share a commit timestamp, and keys that two of them wrote.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 */
public final class CommitTies {

    /*
     *   STAMPS   lists the commit timestamps of writers, unless they only ever increase; sorted, it shows which are shared
     *   KEYS     only if some are: finds each (key, shared timestamp) with a second writer
     *
     * Data that exceeds memory is split into hash classes, each with separate passes: classes of timestamps in the
     * first phase, and for each of these, classes of (key, timestamp) in the second.
     */
    private enum Phase {
        STAMPS,
        KEYS
    }

    private static final int MIN_CAPACITY = 64;

    private final int capacity;
    private final HashPasses stampClasses = new HashPasses();
    private final NameHashes hashes = new NameHashes();

    private Phase phase = Phase.STAMPS;
    private boolean isFirstPass = true;
    private long[] stamps = new long[MIN_CAPACITY];
    private int stampCount;
    private boolean isIncreasing = true;
    private boolean isForgetful; // stamps increased until they did not fit, and were dropped
    private boolean isBroken; // and then one did not increase
    private long last;
    private boolean hasLast;

    private LongOpenHashSet shared = new LongOpenHashSet();
    private final FirstWriters writers; // by key and timestamp
    private boolean isFirstOfKeys;

    private long tiedCount;
    private long rowCount; // rows of this pass so far

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public CommitTies(long memoryBytes) {
        capacity = (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / 32, Integer.MAX_VALUE - 8));
        writers = new FirstWriters(memoryBytes);
    }

    /** Adds the next slice of the pass. */
    public void add(HistorySlice slice) {
        if (slice.commitTs == null) {
            return;
        }
        hashes.use(slice.keyNames);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long commit = slice.commitTs[txn];
            boolean isWriter =
                    slice.status[txn] == TxnStatus.COMMITTED && commit != HistorySlice.NONE && !slice.isReadOnly(txn);
            if (!isWriter) {
                continue;
            }
            if (phase == Phase.STAMPS) {
                addStamp(commit);
            } else if (shared.contains(commit)) {
                addKeys(slice, txn, commit);
            }
        }
        rowCount += slice.txnCount;
    }

    /** Ends a pass. Returns false if everything is known; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        rowCount = 0;
        isFirstPass = false;
        if (isBroken) {
            isForgetful = false;
            isBroken = false;
            beginStamps();
            return true;
        }
        if (phase == Phase.STAMPS) {
            findShared();
            stamps = new long[MIN_CAPACITY];
            stampCount = 0;
            if (!shared.isEmpty()) {
                phase = Phase.KEYS;
                isFirstOfKeys = true;
                return true;
            }
        } else {
            isFirstOfKeys = false;
            if (writers.next()) {
                return true;
            }
        }
        beginStamps();
        return stampClasses.next();
    }

    /** Returns the number of committed writers whose commit timestamp another committed writer has too. */
    public long tiedCount() {
        return tiedCount;
    }

    /** Returns the lint findings; valid after the last pass. */
    public List<LintFinding> findings() {
        if (writers.sharedCount() == 0) {
            return List.of();
        }
        return List.of(LintFinding.of(
                LintRule.COMMIT_TIE,
                writers.sharedCount(),
                writers.example(),
                CountFormat.of(writers.sharedCount(), "time")
                        + " two committed transactions wrote one key at one commit_ts;"
                        + " a check by timestamps reports NOCONFLICT"));
    }

    // ---------------------------------------------------------------- timestamps

    private void beginStamps() {
        phase = Phase.STAMPS;
        isIncreasing = true;
        hasLast = false;
        shared = new LongOpenHashSet();
    }

    private void addStamp(long commit) {
        boolean isGreater = !hasLast || commit > last;
        isIncreasing &= isGreater;
        last = commit;
        hasLast = true;
        if (isForgetful) {
            isBroken |= !isGreater;
            return;
        }
        if (!stampClasses.holds(commit)) {
            return;
        }
        if (stampCount == stamps.length) {
            ensureCapacity();
        }
        if (!isForgetful && stampClasses.holds(commit)) {
            stamps[stampCount++] = commit;
        }
    }

    private void ensureCapacity() {
        if (stampCount < capacity) {
            stamps = Arrays.copyOf(stamps, (int) Math.min(capacity, stampCount + (stampCount >> 1) + 1L));
            return;
        }
        if (isIncreasing && isFirstPass) {
            isForgetful = true;
            stampCount = 0;
            return;
        }
        dropRepeated();
        while (stampCount > capacity / 4 * 3) {
            stampClasses.split();
            int kept = 0;
            for (int i = 0; i < stampCount; i++) {
                if (stampClasses.holds(stamps[i])) {
                    stamps[kept++] = stamps[i];
                }
            }
            stampCount = kept;
        }
    }

    /** Sorts the list and keeps two of each, which is enough to see that it is shared. */
    private void dropRepeated() {
        LongArrays.unstableSort(stamps, 0, stampCount);
        int kept = 0;
        for (int i = 0; i < stampCount; i++) {
            if (kept < 2 || stamps[kept - 2] != stamps[i]) {
                stamps[kept++] = stamps[i];
            }
        }
        stampCount = kept;
    }

    private void findShared() {
        if (isIncreasing) {
            return;
        }
        dropRepeated();
        for (int i = 1; i < stampCount; i++) {
            if (stamps[i] == stamps[i - 1]) {
                shared.add(stamps[i]);
            }
        }
    }

    // ---------------------------------------------------------------- keys

    private void addKeys(HistorySlice slice, int txn, long commit) {
        tiedCount += isFirstOfKeys ? 1 : 0;
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                long hash = Mix.hash(hashes.idOf(slice.keyType, slice.key[op]), commit);
                writers.add(hash, slice, txn, op, rowCount + txn, "commit_ts=" + commit);
            }
        }
    }
}
