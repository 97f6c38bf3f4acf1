package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadOrigin;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;

/** What is wrong with lists that contradict the order that all others of their key share, and with that order itself. */
final class OddLists {

    /** How many lists of its key a list is compared with; beyond that it may be counted twice. */
    private static final int MOST_COMPARED = 64;

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final ListOrders lists;
    private final DirectAnomalies found;
    private final IntColumn oddReads = new IntColumn(); // an operation for each list that contradicts its key's order
    private final IntColumn oddBefore = new IntColumn(); // the one before of the same key, or NONE
    private final int[] lastOddOf; // by key: in oddReads, or NONE

    OddLists(OperationLog log, VersionOrders orders, DirectAnomalies found) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        lists = orders.lists();
        this.found = found;
        lastOddOf = new int[log.keyCount];
        Arrays.fill(lastOddOf, NONE);
    }

    /** Goes through a list that is no prefix of its key's order. */
    void look(int txn, int op) {
        int key = log.key[op];
        long list = log.value[op];
        int length = log.lists.length(list);
        int garbage = NONE;
        int aborted = NONE;
        int repeated = NONE;
        long[] sorted = new long[length];
        for (int i = 0; i < length; i++) {
            long element = log.lists.element(key, list, i);
            sorted[i] = element;
            int version = versions.find(key, element);
            byte origin = versions.originOf(version, txn);
            garbage = origin == ReadOrigin.NOWHERE && garbage == NONE ? i : garbage;
            aborted = origin == ReadOrigin.ABORTED && aborted == NONE ? version : aborted;
        }
        Arrays.sort(sorted);
        for (int i = 1; i < length && repeated == NONE; i++) {
            boolean isRepeated = sorted[i - 1] == sorted[i];
            int version = isRepeated ? versions.find(key, sorted[i]) : Versions.NONE;
            repeated = isRepeated && (version == Versions.NONE || !versions.isWrittenTwice(version)) ? i : NONE;
        }
        if (garbage != NONE) {
            long element = log.lists.element(key, list, garbage);
            found.add(Anomaly.GARBAGE_READ, key, op, NONE, versions.find(key, element), txn);
        }
        if (aborted != NONE) {
            found.add(Anomaly.G1A, key, op, NONE, aborted, txn, versions.writer(aborted));
        }
        if (repeated != NONE) {
            addRepeated(txn, op, versions.find(key, sorted[repeated]));
        }
        int last = versions.find(key, log.lists.element(key, list, length - 1));
        if (last != Versions.NONE && !hasMoreOfWriter(op, last)) {
            lookForIntermediate(txn, op, last);
        }
        noteOdd(op);
    }

    /** Whether a list holds the final element of who appended one of its elements, wherever it stands. */
    private boolean hasMoreOfWriter(int op, int version) {
        int key = log.key[op];
        long list = log.value[op];
        for (int i = 0; i < log.lists.length(list); i++) {
            int other = versions.find(key, log.lists.element(key, list, i));
            if (other != Versions.NONE
                    && other != version
                    && versions.writer(other) == versions.writer(version)
                    && !versions.isIntermediate(other)) {
                return true;
            }
        }
        return false;
    }

    void addRepeated(int txn, int op, int version) {
        int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
        if (writer < 0 || writer == txn) {
            found.add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn);
        } else {
            found.add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn, writer);
        }
    }

    void lookForIntermediate(int txn, int op, int version) {
        if (versions.originOf(version, txn) == ReadOrigin.INTERMEDIATE) {
            found.add(Anomaly.G1B, log.key[op], op, NONE, version, txn, versions.writer(version));
        }
    }

    private void noteOdd(int op) {
        int key = log.key[op];
        int compared = 0;
        for (int odd = lastOddOf[key]; odd != NONE && compared < MOST_COMPARED; odd = oddBefore.get(odd)) {
            compared++;
            if (isSameList(op, oddReads.get(odd))) {
                return;
            }
        }
        oddBefore.add(lastOddOf[key]);
        lastOddOf[key] = oddReads.size();
        oddReads.add(op);
    }

    private boolean isSameList(int op, int other) {
        int key = log.key[op];
        int length = lengthRead(op);
        boolean same = length == lengthRead(other);
        for (int i = 0; i < length && same; i++) {
            same = log.lists.element(key, log.value[op], i) == log.lists.element(key, log.value[other], i);
        }
        return same;
    }

    /** Compares what was noted with the order that all share. */
    void lookAtOrders() {
        for (int i = 0; i < oddReads.size(); i++) {
            int op = oddReads.get(i);
            int key = log.key[op];
            found.add(Anomaly.INCOMPATIBLE_ORDER, key, op, NONE, NONE, txnOf(op), lists.reader(key));
        }
        for (int key = 0; key < log.keyCount; key++) {
            if (orders.abortedAt(key) != Integer.MAX_VALUE) {
                lookForDirtyUpdates(key);
            }
        }
    }

    private int txnOf(int op) {
        int txn = Arrays.binarySearch(log.firstOpOf, 0, log.txnCount + 1, op);
        if (txn < 0) {
            return ~txn - 1;
        }
        while (log.firstOpOf[txn + 1] == op) { // transactions without operations share their beginning
            txn++;
        }
        return txn;
    }

    /** Committed appends on top of aborted ones, once for each run of aborted ones. */
    private void lookForDirtyUpdates(int key) {
        int aborted = NONE;
        for (int place = orders.abortedAt(key); place < lists.length(key); place++) {
            int version = versions.find(key, lists.element(key, place));
            int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
            if (writer < 0) {
                continue;
            }
            if (log.status[writer] == TxnStatus.ABORTED) {
                aborted = version;
            } else if (aborted != NONE) {
                found.add(
                        Anomaly.DIRTY_UPDATE,
                        key,
                        NONE,
                        NONE,
                        aborted,
                        writer,
                        versions.writer(aborted),
                        lists.reader(key));
                aborted = NONE;
            }
        }
    }

    private int lengthRead(int op) {
        return log.kind[op] == OpKind.READ_LIST ? log.lists.length(log.value[op]) : 0;
    }
}
