package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

/** Anomalies of single reads of lists that are prefixes of the shared order. */
final class ListAnomalies {

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final ListOrders lists;
    private final OwnOperations own;
    private final NonPrefixListAnomalies nonPrefixLists;
    private int[] longerRead =
            new int[64]; // by operation of the transaction, of reads: the previous read that may show more
    private final LongOpenHashSet ends = new LongOpenHashSet(); // keys, and lengths at which reads of endsOf ended
    private int endsOf = NONE;
    private final NonCycleAnomalies found;

    ListAnomalies(
            OperationLog log,
            VersionOrders orders,
            OwnOperations own,
            NonPrefixListAnomalies nonPrefixLists,
            NonCycleAnomalies found) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        lists = orders.lists();
        this.own = own;
        this.nonPrefixLists = nonPrefixLists;
        this.found = found;
    }

    void check(int txn, int op, int previous) {
        int key = log.key[op];
        int length = log.lengthRead(op);
        linkLongerRead(txn, op);
        int ownAtEnd =
                log.kind[op] == OpKind.READ_LIST ? own.appendsAtEnd(op) : own.lastWriteBefore(op) == NONE ? 0 : -1;
        boolean isOwnMissed = ownAtEnd < 0 || repeatsOwn(op, length - ownAtEnd);
        if (previous != NONE && (isOwnMissed || !isExpected(op, previous))) {
            found.addInternal(txn, op, previous, isOwnMissed);
        }
        if (length == 0) {
            return;
        }
        if (!lists.isPrefix(op)) {
            nonPrefixLists.check(txn, op);
            return;
        }
        if (orders.garbageAt(key) < length && !hasShown(txn, op, orders.garbageAt(key))) {
            long element = lists.element(key, orders.garbageAt(key));
            found.add(Anomaly.GARBAGE_READ, key, op, NONE, versions.find(key, element), txn);
        }
        if (orders.abortedAt(key) < length && !hasShown(txn, op, orders.abortedAt(key))) {
            int version = versions.find(key, lists.element(key, orders.abortedAt(key)));
            found.add(Anomaly.G1A, key, op, NONE, version, txn, versions.writer(version));
        }
        if (orders.repeatedAt(key) < length && !hasShown(txn, op, orders.repeatedAt(key))) {
            long element = lists.element(key, orders.repeatedAt(key));
            nonPrefixLists.addRepeated(txn, op, versions.find(key, element));
        }
        int external = length - Math.max(0, ownAtEnd);
        if (external > 0 && orders.isIntermediateAt(key, external - 1) && isFirstEndAt(txn, key, external)) {
            nonPrefixLists.findIntermediate(txn, op, versions.find(key, lists.element(key, external - 1)));
        }
    }

    /** Returns whether an earlier read of the transaction shows a position of the order, so that it was reported already. */
    private boolean hasShown(int txn, int op, int position) {
        int first = log.firstOpOf[txn];
        for (int read = own.lastReadBefore(op); read != NONE; read = longerRead[read - first]) {
            if (log.lengthRead(read) > position && lists.isPrefix(read)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether no earlier read of the transaction returned as many external elements; records this read. */
    private boolean isFirstEndAt(int txn, int key, int external) {
        if (endsOf != txn) {
            ends.clear();
            endsOf = txn;
        }
        return ends.add((long) key << Integer.SIZE | external);
    }

    /** Returns whether the transaction's earlier append, at the end of the list, also occurs further in front. */
    private boolean repeatsOwn(int read, int external) {
        for (int append = own.lastWriteBefore(read); append != NONE; append = own.lastWriteBefore(append)) {
            int version = versions.ofOp(append);
            if (!versions.isWrittenTwice(version) && shows(read, version, external)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a list equals the transaction's last read of it plus the transaction's later appends. */
    private boolean isExpected(int op, int previous) {
        int key = log.key[op];
        long list = log.value[op];
        int length = log.lengthRead(op);
        int at = previous;
        while (at != NONE && log.kind[at] == OpKind.APPEND) {
            if (log.isCutBeforeOwn(op)) {
                at = own.previous(at);
                continue;
            }
            if (length == 0 || log.lists.element(key, list, length - 1) != log.value[at]) {
                return false;
            }
            length--;
            at = own.previous(at);
        }
        if (at == NONE) {
            return true;
        }
        if (length != log.lengthRead(at)) {
            return false;
        }
        boolean bothOfTrunk = list >= 0 && log.value[at] >= 0;
        for (int i = 0; i < length && !bothOfTrunk; i++) {
            if (log.lists.element(key, list, i) != log.lists.element(key, log.value[at], i)) {
                return false;
            }
        }
        return true;
    }

    /** Searches for an earlier read that returned an element the transaction appends only now. */
    void findFutureRead(int txn, int op) {
        int version = versions.ofOp(op);
        if (versions.writer(version) != txn || versions.isWrittenTwice(version)) {
            return;
        }
        int first = log.firstOpOf[txn];
        for (int read = own.lastReadBefore(op); read != NONE; read = longerRead[read - first]) {
            if (log.lengthRead(read) > 0 && shows(read, version, log.lengthRead(read))) {
                found.add(Anomaly.FUTURE_READ, log.key[op], read, op, version, txn);
                return;
            }
        }
    }

    /**
     * Links a read to the last one before it that may show more of the list: reads in between are shorter prefixes of
     * one order, and show no version that this read does not.
     */
    private void linkLongerRead(int txn, int op) {
        int first = log.firstOpOf[txn];
        int count = log.firstOpOf[txn + 1] - first;
        if (longerRead.length < count) {
            longerRead = Arrays.copyOf(longerRead, Math.max(count, 2 * longerRead.length));
        }
        int read = own.lastReadBefore(op);
        while (read != NONE && isNoLonger(read, op)) {
            read = longerRead[read - first];
        }
        longerRead[op - first] = read;
    }

    private boolean isNoLonger(int read, int other) {
        int length = log.lengthRead(read);
        return length == 0 || length <= log.lengthRead(other) && lists.isPrefix(read) && lists.isPrefix(other);
    }

    /** Returns whether a version is among the given number of first elements of a list. */
    private boolean shows(int read, int version, int length) {
        int key = log.key[read];
        if (lists.isPrefix(read)) {
            int position = orders.positionOf(version);
            return position != VersionOrders.NOWHERE && position < length;
        }
        boolean isSeen = false;
        for (int i = 0; i < length && !isSeen; i++) {
            isSeen = log.lists.element(key, log.value[read], i) == versions.value(version);
        }
        return isSeen;
    }
}
