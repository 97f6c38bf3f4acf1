package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.ParallelTasks;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The orders of versions that need not be guessed: as lists show them, or as the source numbers them. */
final class KnownOrders {

    private static final int NONE = -1;

    private final OperationLog log;
    private final WriterIndex writers;
    private final TrunkWriters trunks;
    private final KeyUse use;
    private final int[] rowOf;
    private final int[] ordinalOf;

    /**
     * @param use determines the checkable keys; other keys have no versions
     * @param rowOf by transaction of the history: its row of the log
     * @param ordinalOf by row: the transaction of the history, or -1
     */
    KnownOrders(OperationLog log, WriterIndex writers, TrunkWriters trunks, KeyUse use, int[] rowOf, int[] ordinalOf) {
        this.log = log;
        this.writers = writers;
        this.trunks = trunks;
        this.use = use;
        this.rowOf = rowOf;
        this.ordinalOf = ordinalOf;
    }

    /** Writers of each key in the order of its versions, where it is known; null if it is for no key. */
    int @Nullable [][] byKey(boolean trustsVersions, ParallelTasks helpers) {
        int[][] byVersion = trustsVersions && log.version != null ? ordersByVersion() : null;
        if (!trunks.hasElements()) {
            return byVersion;
        }
        int[][] orders = byVersion == null ? new int[log.keyCount][] : byVersion;
        int[] bounds = trunks.keyBounds(helpers);
        helpers.run(helpers.count(), bounds.length - 1, () -> piece -> {
            for (int key = bounds[piece]; key < bounds[piece + 1]; key++) {
                if (trunks.length(key) > 0) {
                    orders[key] = orderOfTrunk(key);
                }
            }
        });
        return orders;
    }

    /** Returns the order of a key by its longest list; null if several transactions appended one of its elements. */
    private int @Nullable [] orderOfTrunk(int key) {
        int[] order = new int[trunks.length(key)];
        int count = 0;
        for (int position = 0; position < order.length; position++) {
            int slot = trunks.slotAt(key, position);
            if (slot == NONE) {
                continue;
            }
            if (writers.isAmbiguous(slot)) {
                return null;
            }
            int txn = ordinalOf[writers.txnOf(slot)];
            if (txn != NONE && (count == 0 || order[count - 1] != txn)) {
                order[count++] = txn;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Returns the orders of the keys of which every counted write has a distinct version number. */
    private int[][] ordersByVersion() {
        int[] countOf = new int[log.keyCount];
        boolean[] isIncomplete = new boolean[log.keyCount];
        for (int row : rowOf) {
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                isIncomplete[log.key[op]] |= OpKind.isUnreadWrite(log.kind[op]);
                if (log.kind[op] == OpKind.WRITE && writers.isFinal(op)) {
                    countOf[log.key[op]]++;
                    isIncomplete[log.key[op]] |= log.version[op] == HistorySlice.NONE || !use.isJudged(log.key[op]);
                }
            }
        }
        long[][] versionsOf = new long[log.keyCount][];
        int[][] orders = new int[log.keyCount][];
        int[] filled = new int[log.keyCount];
        for (int txn = 0; txn < rowOf.length; txn++) {
            for (int op = log.firstOpOf[rowOf[txn]]; op < log.firstOpOf[rowOf[txn] + 1]; op++) {
                int key = log.key[op];
                if (log.kind[op] == OpKind.WRITE && writers.isFinal(op) && !isIncomplete[key]) {
                    if (versionsOf[key] == null) {
                        versionsOf[key] = new long[countOf[key]];
                        orders[key] = new int[countOf[key]];
                    }
                    versionsOf[key][filled[key]] = log.version[op];
                    orders[key][filled[key]++] = txn;
                }
            }
        }
        for (int key = 0; key < log.keyCount; key++) {
            if (orders[key] != null) {
                orders[key] = inOrder(versionsOf[key], orders[key]);
            }
        }
        return orders;
    }

    private static int @Nullable [] inOrder(long[] versions, int[] txns) {
        RadixSort.sort(versions, txns, txns.length);
        for (int i = 1; i < txns.length; i++) {
            if (versions[i] == versions[i - 1]) {
                return null; // two versions of one number: the source contradicts itself
            }
        }
        return txns;
    }
}
