package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;

/** What is wrong with single reads of lists, as far as they are prefixes of the order that all share. */
final class ListAnomalies {

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final ListOrders lists;
    private final OwnOperations own;
    private final OddLists oddLists;
    private final DirectAnomalies found;

    ListAnomalies(OperationLog log, VersionOrders orders, OwnOperations own, OddLists oddLists, DirectAnomalies found) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        lists = orders.lists();
        this.own = own;
        this.oddLists = oddLists;
        this.found = found;
    }

    void look(int txn, int op, int previous) {
        int key = log.key[op];
        int length = lengthRead(op);
        int seen = lengthSeen(previous);
        if (previous != NONE && !isExpected(op, previous)) {
            found.addInternal(txn, op, previous);
        }
        if (length == 0) {
            return;
        }
        if (!lists.isPrefix(op)) {
            oddLists.look(txn, op);
            return;
        }
        if (orders.garbageAt(key) < length && orders.garbageAt(key) >= seen) {
            long element = lists.element(key, orders.garbageAt(key));
            found.add(Anomaly.GARBAGE_READ, key, op, NONE, versions.find(key, element), txn);
        }
        if (orders.abortedAt(key) < length && orders.abortedAt(key) >= seen) {
            int version = versions.find(key, lists.element(key, orders.abortedAt(key)));
            found.add(Anomaly.G1A, key, op, NONE, version, txn, versions.writer(version));
        }
        if (orders.repeatedAt(key) < length && orders.repeatedAt(key) >= seen) {
            long element = lists.element(key, orders.repeatedAt(key));
            oddLists.addRepeated(txn, op, versions.find(key, element));
        }
        if (length > seen) {
            oddLists.lookForIntermediate(txn, op, versions.find(key, lists.element(key, length - 1)));
        }
    }

    /** How much of a list the transaction had read before. */
    private int lengthSeen(int previous) {
        int read = previous;
        while (read != NONE && !OpKind.isRead(log.kind[read])) {
            read = own.previous(read);
        }
        return read == NONE ? 0 : lengthRead(read);
    }

    private int lengthRead(int op) {
        return log.kind[op] == OpKind.READ_LIST ? log.lists.length(log.value[op]) : 0;
    }

    /** Whether a list is what the transaction last read of it, with what it appended since at its end. */
    private boolean isExpected(int op, int previous) {
        int key = log.key[op];
        long list = log.value[op];
        int length = lengthRead(op);
        int at = previous;
        while (at != NONE && log.kind[at] == OpKind.APPEND) {
            if (length == 0 || log.lists.element(key, list, length - 1) != log.value[at]) {
                return false;
            }
            length--;
            at = own.previous(at);
        }
        if (at == NONE) {
            return true;
        }
        if (length != lengthRead(at)) {
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

    void lookForFutureRead(int txn, int op, int previous) {
        int key = log.key[op];
        int read = previous;
        while (read != NONE && log.kind[read] == OpKind.APPEND) { // only the last read is asked: lists do not shrink
            read = own.previous(read);
        }
        if (read == NONE || lengthRead(read) == 0) {
            return;
        }
        boolean isSeen = false;
        if (lists.isPrefix(read)) {
            int version = versions.ofOp(op);
            int place = orders.place(version);
            isSeen = place != VersionOrders.NOWHERE && place < lengthRead(read);
        } else {
            for (int i = 0; i < lengthRead(read) && !isSeen; i++) {
                isSeen = log.lists.element(key, log.value[read], i) == log.value[op];
            }
        }
        int appended = versions.ofOp(op);
        if (isSeen && versions.writer(appended) == txn && !versions.isWrittenTwice(appended)) {
            found.add(Anomaly.FUTURE_READ, key, read, op, versions.ofOp(op), txn);
        }
    }
}
