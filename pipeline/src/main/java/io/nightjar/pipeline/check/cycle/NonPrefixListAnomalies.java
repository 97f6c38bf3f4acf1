package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadOrigin;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import java.util.Arrays;

/** Anomalies of single lists that contradict the order shared by all others of their key. */
final class NonPrefixListAnomalies {

    private final OperationLog log;
    private final Versions versions;
    private final NonCycleAnomalies found;

    NonPrefixListAnomalies(OperationLog log, VersionOrders orders, NonCycleAnomalies found) {
        this.log = log;
        versions = orders.versions();
        this.found = found;
    }

    /** Checks a list that is no prefix of its key's order. */
    void check(int txn, int op) {
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
            findIntermediate(txn, op, last);
        }
        found.addNonPrefixRead(op);
    }

    /**
     * Returns whether a list contains, at any position, the final element of a transaction that appended one of its
     * elements.
     */
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
        int writer = version == Versions.NONE ? Versions.NO_TXN : versions.writer(version);
        if (writer < 0 || writer == txn) {
            found.add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn);
        } else {
            found.add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn, writer);
        }
    }

    void findIntermediate(int txn, int op, int version) {
        if (versions.originOf(version, txn) == ReadOrigin.INTERMEDIATE) {
            found.add(Anomaly.G1B, log.key[op], op, NONE, version, txn, versions.writer(version));
        }
    }
}
