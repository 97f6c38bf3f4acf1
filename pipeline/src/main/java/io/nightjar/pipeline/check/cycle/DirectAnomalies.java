package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds what single reads, or two transactions beside each other, show to be wrong. */
final class DirectAnomalies {

    /*
     * One walk over the operations of committed transactions. Inside a transaction,
     *
     *   previousOf[op - first]   the operation before it on the same key, or NONE
     *
     * so that a read is compared with what its own transaction last saw or did: the way back goes as far as the last read
     * of the key. For lists, what is wrong with the order that all reads share is known by its position (VersionOrders), so
     * that a read is looked at no closer than its length; only lists that are no prefix of it are gone through.
     *
     * Each is counted once for a transaction and key, a lost update once for a version, an incompatible order once for
     * each list that contradicts the longest.
     */

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final ListOrders lists;
    private final KeyUse use;

    private final List<DirectAnomaly> found = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];

    private final int[] lastOpOf; // by key: the last operation on it; of this transaction if it is not before its first
    private int[] previousOf = new int[64];
    private final int[] internalBy; // by key: the last transaction, plus one, that contradicted itself
    private final int[] updaterOf; // by version: who read it first and replaced it, or NONE
    private final IntColumn lostVersions = new IntColumn();
    private final IntColumn lostTxns = new IntColumn();
    private final IntColumn oddReads = new IntColumn(); // an operation for each list that contradicts its key's order
    private final int[] oddCountOf;

    private DirectAnomalies(OperationLog log, VersionOrders orders) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        lists = orders.lists();
        use = orders.use();
        lastOpOf = new int[log.keyCount];
        Arrays.fill(lastOpOf, NONE);
        internalBy = new int[log.keyCount];
        updaterOf = new int[versions.count()];
        Arrays.fill(updaterOf, NONE);
        oddCountOf = new int[log.keyCount];
    }

    static DirectAnomalies find(OperationLog log, VersionOrders orders) {
        DirectAnomalies anomalies = new DirectAnomalies(log, orders);
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                anomalies.look(txn);
            }
        }
        anomalies.gatherLostUpdates();
        anomalies.lookAtListOrders();
        anomalies.lookAtRepeatedWrites();
        return anomalies;
    }

    List<DirectAnomaly> found() {
        return found;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    private void add(Anomaly anomaly, int key, int op, int otherOp, int version, int... txns) {
        countOf[anomaly.ordinal()]++;
        if (found.size() < CycleSearch.MOST_LISTED) {
            found.add(new DirectAnomaly(anomaly, key, txns, op, otherOp, version));
        }
    }

    private void addInternal(int txn, int op, int previous) {
        int key = log.key[op];
        if (internalBy[key] != txn + 1) {
            internalBy[key] = txn + 1;
            add(Anomaly.INTERNAL, key, op, previous, NONE, txn);
        }
    }

    // ---------------------------------------------------------------- one transaction

    private void look(int txn) {
        int first = log.firstOpOf[txn];
        int end = log.firstOpOf[txn + 1];
        if (previousOf.length < end - first) {
            previousOf = new int[Math.max(end - first, 2 * previousOf.length)];
        }
        for (int op = first; op < end; op++) {
            int key = log.key[op];
            int previous = lastOpOf[key] >= first ? lastOpOf[key] : NONE;
            previousOf[op - first] = previous;
            lastOpOf[key] = op;
            byte kind = log.kind[op];
            switch (use.of(key)) {
                case KeyUse.REGISTER -> {
                    if (kind == OpKind.WRITE) {
                        noteUpdate(txn, op, previous);
                    } else {
                        lookAtRegister(txn, op, previous);
                    }
                }
                case KeyUse.LIST -> {
                    if (kind == OpKind.APPEND) {
                        noteUpdate(txn, op, previous);
                        lookForFutureRead(txn, op, previous);
                    } else {
                        lookAtList(txn, op, previous);
                    }
                }
                case KeyUse.SET -> {
                    if (kind != OpKind.ADD) {
                        lookAtSet(txn, op, previous);
                    }
                }
                default -> {
                    // of counters and of keys with mixed uses nothing can be said by looking at one read
                }
            }
        }
    }

    /** The first write of a key in a transaction that read it before anything else: an update of what it read. */
    private void noteUpdate(int txn, int op, int previous) {
        if (previous == NONE || !OpKind.isRead(log.kind[previous])) {
            return;
        }
        int read = previous;
        int first = log.firstOpOf[txn];
        while (previousOf[read - first] != NONE) {
            read = previousOf[read - first];
            if (!OpKind.isRead(log.kind[read])) {
                return; // it wrote the key before
            }
        }
        int version = versionRead(read);
        if (version == Versions.NONE || versions.writer(version) == Versions.SEVERAL) {
            return;
        }
        if (updaterOf[version] == NONE) {
            updaterOf[version] = txn;
        } else {
            lostVersions.add(version);
            lostTxns.add(txn);
        }
    }

    /** The version that a read of a register or list returned; none if it is not known. */
    private int versionRead(int op) {
        int key = log.key[op];
        return switch (log.kind[op]) {
            case OpKind.READ_NOTHING -> Versions.initial(key);
            case OpKind.READ -> versions.ofOp(op);
            default -> {
                int length = log.lists.length(log.value[op]);
                if (length == 0) {
                    yield Versions.initial(key);
                }
                yield lists.isPrefix(op) ? versions.find(key, lists.element(key, length - 1)) : Versions.NONE;
            }
        };
    }

    // ---------------------------------------------------------------- registers

    private void lookAtRegister(int txn, int op, int previous) {
        int key = log.key[op];
        if (previous != NONE) {
            if (isSameValue(op, previous)) {
                return;
            }
            addInternal(txn, op, previous);
        }
        if (log.kind[op] == OpKind.READ) {
            lookAtVersion(txn, op, versions.ofOp(op));
        }
    }

    private boolean isSameValue(int op, int other) {
        boolean isNothing = log.kind[op] == OpKind.READ_NOTHING;
        boolean otherIsNothing = log.kind[other] == OpKind.READ_NOTHING;
        return isNothing || otherIsNothing ? isNothing == otherIsNothing : log.value[op] == log.value[other];
    }

    private void lookAtVersion(int txn, int op, int version) {
        int key = log.key[op];
        int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
        if (writer == Versions.NOBODY) {
            add(Anomaly.GARBAGE_READ, key, op, NONE, version, txn);
        } else if (writer == txn) {
            if (!isWrittenBefore(txn, op, versions.value(version))) {
                add(Anomaly.FUTURE_READ, key, op, NONE, version, txn);
            }
        } else if (writer >= 0 && log.status[writer] == TxnStatus.ABORTED) {
            add(Anomaly.G1A, key, op, NONE, version, txn, writer);
        } else if (writer >= 0 && versions.isIntermediate(version)) {
            add(Anomaly.G1B, key, op, NONE, version, txn, writer);
        }
    }

    private boolean isWrittenBefore(int txn, int op, long value) {
        int first = log.firstOpOf[txn];
        for (int at = previousOf[op - first]; at != NONE; at = previousOf[at - first]) {
            if (OpKind.isWrite(log.kind[at]) && log.value[at] == value) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- lists

    private void lookAtList(int txn, int op, int previous) {
        int key = log.key[op];
        int length = lengthRead(op);
        int seen = lengthSeen(txn, previous);
        if (previous != NONE && !isExpectedList(txn, op, previous)) {
            addInternal(txn, op, previous);
        }
        if (length == 0) {
            return;
        }
        if (!lists.isPrefix(op)) {
            lookAtOddList(txn, op);
            return;
        }
        if (orders.garbageAt(key) < length && orders.garbageAt(key) >= seen) {
            long element = lists.element(key, orders.garbageAt(key));
            add(Anomaly.GARBAGE_READ, key, op, NONE, versions.find(key, element), txn);
        }
        if (orders.abortedAt(key) < length && orders.abortedAt(key) >= seen) {
            int version = versions.find(key, lists.element(key, orders.abortedAt(key)));
            add(Anomaly.G1A, key, op, NONE, version, txn, versions.writer(version));
        }
        if (orders.repeatedAt(key) < length && orders.repeatedAt(key) >= seen) {
            long element = lists.element(key, orders.repeatedAt(key));
            addRepeated(txn, op, versions.find(key, element));
        }
        if (length > seen) {
            lookForIntermediate(txn, op, versions.find(key, lists.element(key, length - 1)));
        }
    }

    private void addRepeated(int txn, int op, int version) {
        int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
        if (writer < 0 || writer == txn) {
            add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn);
        } else {
            add(Anomaly.DUPLICATE_ELEMENTS, log.key[op], op, NONE, version, txn, writer);
        }
    }

    /** How much of a list the transaction had read before. */
    private int lengthSeen(int txn, int previous) {
        int read = previous;
        while (read != NONE && !OpKind.isRead(log.kind[read])) {
            read = previousOf[read - log.firstOpOf[txn]];
        }
        return read == NONE ? 0 : lengthRead(read);
    }

    private int lengthRead(int op) {
        return log.kind[op] == OpKind.READ_LIST ? log.lists.length(log.value[op]) : 0;
    }

    private void lookForIntermediate(int txn, int op, int version) {
        int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
        if (writer >= 0
                && writer != txn
                && versions.isIntermediate(version)
                && log.status[writer] != TxnStatus.ABORTED) {
            add(Anomaly.G1B, log.key[op], op, NONE, version, txn, writer);
        }
    }

    /** Whether a list is what the transaction last read of it, with what it appended since at its end. */
    private boolean isExpectedList(int txn, int op, int previous) {
        int first = log.firstOpOf[txn];
        int key = log.key[op];
        long list = log.value[op];
        int length = lengthRead(op);
        int at = previous;
        while (at != NONE && log.kind[at] == OpKind.APPEND) {
            if (length == 0 || log.lists.element(key, list, length - 1) != log.value[at]) {
                return false;
            }
            length--;
            at = previousOf[at - first];
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

    private void lookForFutureRead(int txn, int op, int previous) {
        int first = log.firstOpOf[txn];
        int key = log.key[op];
        int read = previous;
        while (read != NONE && log.kind[read] == OpKind.APPEND) { // only the last read is asked: lists do not shrink
            read = previousOf[read - first];
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
            add(Anomaly.FUTURE_READ, key, read, op, versions.ofOp(op), txn);
        }
    }

    /** Goes through a list that is no prefix of its key's order. */
    private void lookAtOddList(int txn, int op) {
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
            int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
            if (writer == Versions.NOBODY && garbage == NONE) {
                garbage = i;
            } else if (writer >= 0 && log.status[writer] == TxnStatus.ABORTED && aborted == NONE) {
                aborted = version;
            }
        }
        Arrays.sort(sorted);
        for (int i = 1; i < length && repeated == NONE; i++) {
            boolean isRepeated = sorted[i - 1] == sorted[i];
            int version = isRepeated ? versions.find(key, sorted[i]) : Versions.NONE;
            repeated = isRepeated && (version == Versions.NONE || !versions.isWrittenTwice(version)) ? i : NONE;
        }
        if (garbage != NONE) {
            long element = log.lists.element(key, list, garbage);
            add(Anomaly.GARBAGE_READ, key, op, NONE, versions.find(key, element), txn);
        }
        if (aborted != NONE) {
            add(Anomaly.G1A, key, op, NONE, aborted, txn, versions.writer(aborted));
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

    private static final int MOST_COMPARED = 64;

    private void noteOdd(int op) {
        int key = log.key[op];
        int compared = 0;
        for (int i = oddReads.size() - 1; i >= 0 && oddCountOf[key] > 0 && compared < MOST_COMPARED; i--) {
            if (log.key[oddReads.get(i)] == key) {
                compared++;
                if (isSameList(op, oddReads.get(i))) {
                    return;
                }
            }
        }
        oddCountOf[key]++;
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

    private void lookAtListOrders() {
        for (int i = 0; i < oddReads.size(); i++) {
            int op = oddReads.get(i);
            int key = log.key[op];
            add(Anomaly.INCOMPATIBLE_ORDER, key, op, NONE, NONE, txnOf(op), lists.reader(key));
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
                add(
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

    // ---------------------------------------------------------------- sets

    private void lookAtSet(int txn, int op, int previous) {
        int key = log.key[op];
        int length = lengthRead(op);
        int garbage = NONE;
        int aborted = NONE;
        for (int i = 0; i < length && (garbage == NONE || aborted == NONE); i++) {
            int version = versions.find(key, log.lists.element(key, log.value[op], i));
            int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
            if (writer == Versions.NOBODY && garbage == NONE) {
                garbage = i;
            } else if (writer >= 0 && log.status[writer] == TxnStatus.ABORTED && aborted == NONE) {
                aborted = version;
            }
        }
        if (garbage != NONE) {
            int version = versions.find(key, log.lists.element(key, log.value[op], garbage));
            add(Anomaly.GARBAGE_READ, key, op, NONE, version, txn);
        }
        if (aborted != NONE) {
            add(Anomaly.G1A, key, op, NONE, aborted, txn, versions.writer(aborted));
        }
        if (previous != NONE && !holdsOwn(txn, op, previous)) {
            addInternal(txn, op, previous);
        }
    }

    /** Whether a set that was read holds what the transaction added or saw just before. */
    private boolean holdsOwn(int txn, int op, int previous) {
        int first = log.firstOpOf[txn];
        int key = log.key[op];
        int length = lengthRead(op);
        long[] sorted = new long[length];
        for (int i = 0; i < length; i++) {
            sorted[i] = log.lists.element(key, log.value[op], i);
        }
        Arrays.sort(sorted);
        for (int at = previous; at != NONE; at = previousOf[at - first]) {
            if (log.kind[at] == OpKind.ADD) {
                if (Arrays.binarySearch(sorted, log.value[at]) < 0) {
                    return false;
                }
                continue;
            }
            for (int i = 0; i < lengthRead(at); i++) {
                if (Arrays.binarySearch(sorted, log.lists.element(key, log.value[at], i)) < 0) {
                    return false;
                }
            }
            return true;
        }
        return true;
    }

    // ---------------------------------------------------------------- what several transactions did

    private void gatherLostUpdates() {
        int count = lostVersions.size();
        if (count == 0) {
            return;
        }
        long[] byVersion = new long[count];
        for (int i = 0; i < count; i++) {
            byVersion[i] = (long) lostVersions.get(i) << 32 | lostTxns.get(i);
        }
        Arrays.sort(byVersion);
        for (int i = 0; i < count; ) {
            int version = (int) (byVersion[i] >>> 32);
            int end = i;
            while (end < count && (int) (byVersion[end] >>> 32) == version) {
                end++;
            }
            int[] txns = new int[end - i + 1];
            txns[0] = updaterOf[version];
            for (int at = i; at < end; at++) {
                txns[at - i + 1] = (int) byVersion[at];
            }
            add(Anomaly.LOST_UPDATE, versions.key(version), NONE, NONE, version, txns);
            i = end;
        }
    }

    private void lookAtRepeatedWrites() {
        for (int i = 0; i < versions.repeatedWriteCount(); i++) {
            int version = versions.repeatedVersion(i);
            int first = versions.firstWriter(version);
            int second = versions.repeatingTxn(i);
            if (first == second) {
                add(Anomaly.DUPLICATE_WRITE, versions.key(version), NONE, NONE, version, first);
            } else {
                add(Anomaly.DUPLICATE_WRITE, versions.key(version), NONE, NONE, version, first, second);
            }
        }
    }
}
