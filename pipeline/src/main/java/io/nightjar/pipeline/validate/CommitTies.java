package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Upper bound of the bytes per entry of the map from (key, timestamp) to writer while it grows. */
    private static final int BYTES_PER_WRITER = 64;

    private final int capacity;
    private final int writerLimit;
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
    private Long2LongOpenHashMap writerOf = new Long2LongOpenHashMap();
    private LongOpenHashSet conflicts = new LongOpenHashSet();
    private HashPasses keyClasses = new HashPasses();
    private boolean isFirstOfKeys;

    private long tiedCount;
    private long conflictCount;
    private long conflictRow = Long.MAX_VALUE;
    private @Nullable String conflictExample;
    private long rowCount; // rows of this pass so far

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public CommitTies(long memoryBytes) {
        capacity = (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / 32, Integer.MAX_VALUE - 8));
        writerLimit = (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / BYTES_PER_WRITER, 1 << 29));
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
                keyClasses = new HashPasses();
                isFirstOfKeys = true;
                return true;
            }
        } else {
            conflictCount += conflicts.size();
            conflicts = new LongOpenHashSet();
            writerOf = new Long2LongOpenHashMap();
            isFirstOfKeys = false;
            if (keyClasses.next()) {
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
        if (conflictCount == 0) {
            return List.of();
        }
        return List.of(LintFinding.of(
                LintRule.COMMIT_TIE,
                conflictCount,
                conflictExample,
                CountFormat.of(conflictCount, "time") + " two committed transactions wrote one key at one commit_ts;"
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
                addKey(slice, txn, op, commit);
            }
        }
    }

    private void addKey(HistorySlice slice, int txn, int op, long commit) {
        long keyAndStamp = Mix.hash(hashes.idOf(slice.keyType, slice.key[op]), commit);
        if (!keyClasses.isEverything() && !keyClasses.holdsHash(keyAndStamp)) {
            return;
        }
        if (!writerOf.containsKey(keyAndStamp)) {
            writerOf.put(keyAndStamp, slice.txnId[txn]);
            if (writerOf.size() > writerLimit) {
                forgetHalf();
            }
            return;
        }
        if (writerOf.get(keyAndStamp) != slice.txnId[txn]
                && conflicts.add(keyAndStamp)
                && rowCount + txn < conflictRow) {
            conflictRow = rowCount + txn;
            conflictExample = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " other-txn_id="
                    + writerOf.get(keyAndStamp) + " key=" + slice.keyText(op) + " commit_ts=" + commit;
        }
    }

    private void forgetHalf() {
        keyClasses.split();
        Long2LongOpenHashMap kept = new Long2LongOpenHashMap();
        for (Long2LongMap.Entry entry : writerOf.long2LongEntrySet()) {
            if (keyClasses.holdsHash(entry.getLongKey())) {
                kept.put(entry.getLongKey(), entry.getLongValue());
            }
        }
        writerOf = kept;
        conflicts.removeIf((long keyAndStamp) -> !keyClasses.holdsHash(keyAndStamp));
    }
}
