package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Versions of a key to which two committed transactions assigned one number.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 * Data that exceeds memory is split into hash classes of (key, number), each with a separate pass.
 */
public final class VersionTies {

    private static final int MIN_CAPACITY = 64;

    /** Upper bound of the bytes per entry of the map from (key, number) to writer while it grows. */
    private static final int BYTES_PER_WRITER = 64;

    private final int writerLimit;
    private final HashPasses classes = new HashPasses();
    private final NameHashes hashes = new NameHashes();
    private Long2LongOpenHashMap writerOf = new Long2LongOpenHashMap();
    private LongOpenHashSet shared = new LongOpenHashSet();
    private long sharedCount;
    private long exampleRow = Long.MAX_VALUE;
    private @Nullable String example;
    private long rowCount; // rows of this pass so far

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public VersionTies(long memoryBytes) {
        writerLimit = (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / BYTES_PER_WRITER, 1 << 29));
    }

    /** Adds the next slice of the pass. */
    public void add(HistorySlice slice) {
        rowCount += slice.txnCount;
        if (slice.version == null) {
            return;
        }
        hashes.use(slice.keyNames);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                boolean makesVersion = OpKind.isWrite(slice.kind[op]) && slice.version[op] != HistorySlice.NONE;
                if (makesVersion && slice.status[txn] == TxnStatus.COMMITTED) {
                    addVersion(slice, txn, op);
                }
            }
        }
    }

    private void addVersion(HistorySlice slice, int txn, int op) {
        long keyAndNumber = Mix.hash(hashes.idOf(slice.keyType, slice.key[op]), slice.version[op]);
        if (!classes.isEverything() && !classes.holdsHash(keyAndNumber)) {
            return;
        }
        if (!writerOf.containsKey(keyAndNumber)) {
            writerOf.put(keyAndNumber, slice.txnId[txn]);
            if (writerOf.size() > writerLimit) {
                forgetHalf();
            }
            return;
        }
        long row = rowCount - slice.txnCount + txn;
        if (writerOf.get(keyAndNumber) != slice.txnId[txn] && shared.add(keyAndNumber) && row < exampleRow) {
            exampleRow = row;
            example = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " other-txn_id="
                    + writerOf.get(keyAndNumber) + " key=" + slice.keyText(op) + " version=" + slice.version[op];
        }
    }

    private void forgetHalf() {
        classes.split();
        Long2LongOpenHashMap kept = new Long2LongOpenHashMap();
        for (Long2LongMap.Entry entry : writerOf.long2LongEntrySet()) {
            if (classes.holdsHash(entry.getLongKey())) {
                kept.put(entry.getLongKey(), entry.getLongValue());
            }
        }
        writerOf = kept;
        shared.removeIf((long keyAndNumber) -> !classes.holdsHash(keyAndNumber));
    }

    /** Ends a pass. Returns false if everything is known; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        rowCount = 0;
        sharedCount += shared.size();
        shared = new LongOpenHashSet();
        writerOf = new Long2LongOpenHashMap();
        return classes.next();
    }

    /** Returns the lint findings; valid after the last pass. */
    public List<LintFinding> findings() {
        return sharedCount == 0
                ? List.of()
                : List.of(HistoryLint.sharedVersions(
                        sharedCount,
                        example,
                        CountFormat.of(sharedCount, "time")
                                + " two committed transactions gave a version of a key one number"));
    }
}
