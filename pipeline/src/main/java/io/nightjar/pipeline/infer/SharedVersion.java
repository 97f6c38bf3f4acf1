package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A version number of a key that two transactions used: the source contradicts itself, so that versions are no
 * evidence.
 *
 * @param oneTxnId the smaller of the two ids
 */
public record SharedVersion(String key, long version, long oneTxnId, long otherTxnId) {

    private static final Comparator<SharedVersion> IN_ORDER = Comparator.comparingLong(SharedVersion::oneTxnId)
            .thenComparingLong(SharedVersion::otherTxnId)
            .thenComparing(SharedVersion::key);

    public static SharedVersion of(String key, long version, long oneTxnId, long otherTxnId) {
        return new SharedVersion(key, version, Math.min(oneTxnId, otherTxnId), Math.max(oneTxnId, otherTxnId));
    }

    /** Returns the instance whose transactions have the smaller ids; null if both are null. */
    public static @Nullable SharedVersion firstOf(@Nullable SharedVersion one, @Nullable SharedVersion other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return IN_ORDER.compare(one, other) <= 0 ? one : other;
    }

    /** Returns a description of the problem and its location. */
    public String text() {
        return "two transactions wrote one version of a key, so versions are no evidence: key=" + key + " version="
                + version + " txn_ids=" + oneTxnId + "," + otherTxnId;
    }

    /** Returns why a level is left open for that. */
    public String reason() {
        return "transactions " + oneTxnId + " and " + otherTxnId + " both wrote version " + version + " of key " + key
                + ", so versions are no evidence; use --evidence values or timestamps";
    }

    /** Returns the first one of a log; null if each version has one writer. */
    public static @Nullable SharedVersion first(OperationLog log, TxnOutcomes outcomes) {
        boolean[] isRising = rising(log, outcomes);
        Int2ObjectOpenHashMap<Long2IntOpenHashMap> txnsOf = new Int2ObjectOpenHashMap<>();
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; outcomes.isCounted(txn) && op < log.firstOpOf[txn + 1]; op++) {
                if (!isVersion(log, op) || isRising[log.key[op]]) {
                    continue;
                }
                int before = txnsOf.computeIfAbsent(log.key[op], unseen -> new Long2IntOpenHashMap())
                        .put(log.version[op], txn + 1);
                if (before > 0 && before != txn + 1) {
                    return of(log.keyText(log.key[op]), log.version[op], log.txnId[before - 1], log.txnId[txn]);
                }
            }
        }
        return null;
    }

    /** Returns, by key, whether its numbers rise from write to write, so that each is there once. */
    private static boolean[] rising(OperationLog log, TxnOutcomes outcomes) {
        long[] last = new long[log.keyCount];
        boolean[] isRising = new boolean[log.keyCount];
        Arrays.fill(last, Long.MIN_VALUE);
        Arrays.fill(isRising, true);
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; outcomes.isCounted(txn) && op < log.firstOpOf[txn + 1]; op++) {
                if (isVersion(log, op)) {
                    isRising[log.key[op]] &= log.version[op] > last[log.key[op]];
                    last[log.key[op]] = log.version[op];
                }
            }
        }
        return isRising;
    }

    private static boolean isVersion(OperationLog log, int op) {
        return log.kind[op] == OpKind.WRITE && log.version[op] != HistorySlice.NONE;
    }
}
