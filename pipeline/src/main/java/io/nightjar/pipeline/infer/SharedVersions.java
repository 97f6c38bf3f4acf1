package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Version numbers of a key that two transactions gave: the source contradicts itself, so that versions are no evidence. */
public final class SharedVersions {

    private static final String REASON = "two transactions wrote one version of a key, so that versions say nothing";

    private SharedVersions() {}

    /** Why versions are no evidence. */
    public static String reason(String key, long version, long oneTxnId, long otherTxnId) {
        return REASON + ": key=" + key + " version="
                + version + " txn_ids=" + Math.min(oneTxnId, otherTxnId) + "," + Math.max(oneTxnId, otherTxnId)
                + "; --evidence values and timestamps need none";
    }

    /** Whether a level is left open for that. @param reason may be null */
    public static boolean isReason(String reason) {
        return reason != null && reason.startsWith(REASON);
    }

    /** Why versions of a log are no evidence; null if each has one writer. */
    public static @Nullable String first(OperationLog log, Outcomes outcomes) {
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
                    return reason(log.keyText(log.key[op]), log.version[op], log.txnId[before - 1], log.txnId[txn]);
                }
            }
        }
        return null;
    }

    /** By key, whether its numbers rise from write to write, so that each is there once. */
    private static boolean[] rising(OperationLog log, Outcomes outcomes) {
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
