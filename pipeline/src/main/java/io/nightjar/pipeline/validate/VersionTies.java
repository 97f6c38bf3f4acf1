package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import java.util.List;

/**
 * Versions of a key to which two committed transactions assigned one number.
 *
 * <p>All slices are added, then {@link #needsAnotherPass} is called; while it returns true, all slices are added again.
 * Data that exceeds memory is split into hash classes of (key, number), each with a separate pass.
 */
public final class VersionTies {

    private final NameHashes hashes = new NameHashes();
    private final FirstWriters writers;
    private long rowCount; // rows of this pass so far

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public VersionTies(long memoryBytes) {
        writers = new FirstWriters(memoryBytes);
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
                    long hash = Mix.hash(hashes.idOf(slice.keyType, slice.key[op]), slice.version[op]);
                    long row = rowCount - slice.txnCount + txn;
                    writers.add(hash, slice, txn, op, row, "version=" + slice.version[op]);
                }
            }
        }
    }

    /** Ends a pass. Returns false if everything is known; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        rowCount = 0;
        return writers.next();
    }

    /** Returns the lint findings; valid after the last pass. */
    public List<LintFinding> findings() {
        return writers.sharedCount() == 0
                ? List.of()
                : List.of(HistoryLint.sharedVersions(
                        writers.sharedCount(),
                        writers.example(),
                        CountFormat.of(writers.sharedCount(), "time")
                                + " two committed transactions gave a version of a key one number"));
    }
}
