package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.OpsByKey;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.OperationLog;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes and reads of a few transactions, found in the log of all operations. */
final class LogValues {

    static final int NO_OP = -1;

    final OperationLog log;
    private final Long2IntOpenHashMap txnOfId = new Long2IntOpenHashMap();
    private final Long2ObjectOpenHashMap<OpsByKey> opsByKey = new Long2ObjectOpenHashMap<>(); // by transaction id
    private @Nullable Set<Element> sharedElements; // computed on request
    private int @Nullable [] readerOfTrunk; // by key of the log, a transaction of it; computed on request

    private record Element(int key, long value) {}

    LogValues(OperationLog log, LongSet txnIds) {
        this.log = log;
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (txnIds.contains(log.txnId[txn])) {
                txnOfId.put(log.txnId[txn], txn);
            }
        }
    }

    /** Returns the row of one of the transactions. */
    int txnOf(long txnId) {
        return txnOfId.get(txnId);
    }

    /** Returns the reader of the longest list of a key; null if no transaction read one. */
    @Nullable
    Long readerOfTrunk(int logKey) {
        if (readerOfTrunk == null) {
            readerOfTrunk = new int[log.keyCount];
            Arrays.fill(readerOfTrunk, NO_OP);
            for (int txn = 0; txn < log.txnCount; txn++) {
                for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                    boolean isMaxList = log.kind[op] == OpKind.READ_LIST
                            && log.status[txn] == TxnStatus.COMMITTED
                            && log.value[op] == log.lists.trunkLength(log.key[op]);
                    if (isMaxList) {
                        readerOfTrunk[log.key[op]] = txn;
                    }
                }
            }
        }
        return readerOfTrunk[logKey] == NO_OP ? null : log.txnId[readerOfTrunk[logKey]];
    }

    /** Returns the operation by which a transaction left its last value of a key. */
    int lastWrite(long txnId, int logKey) {
        int found = NO_OP;
        for (int op : opsOn(txnId, logKey)) {
            if (OpKind.isWrite(log.kind[op])) {
                found = op;
            }
        }
        return found;
    }

    /** Returns the last append of a transaction that the longest list of a key contains; its last write if none. */
    int lastListedWrite(long txnId, int logKey) {
        int found = NO_OP;
        long[] trunk = log.lists.trunk(logKey);
        int length = trunk == null ? 0 : log.lists.trunkLength(logKey);
        for (int op : opsOn(txnId, logKey)) {
            for (int position = 0; trunk != null && position < length; position++) {
                found = log.kind[op] == OpKind.APPEND && trunk[position] == log.value[op] ? op : found;
            }
        }
        return found == NO_OP ? lastWrite(txnId, logKey) : found;
    }

    /** Returns the operation that left the first value of a key which others may see: of a register only the last one does. */
    int firstLastingWrite(long txnId, int logKey) {
        for (int op : opsOn(txnId, logKey)) {
            if (isWriteOfElement(log.kind[op])) {
                return op;
            }
        }
        return lastWrite(txnId, logKey);
    }

    /**
     * Returns a write of one transaction that a read of another returned, of a certain key or of any; of a register,
     * its final write. If the key is any, it is an element that no other transaction appended. {@link #NO_OP} if none.
     */
    int writeSeenBy(long readerId, long writerId, int logKey) {
        int[] ops = logKey == NO_OP
                ? IntStream.range(log.firstOpOf[txnOf(readerId)], log.firstOpOf[txnOf(readerId) + 1])
                        .toArray()
                : opsOn(readerId, logKey);
        for (int read : ops) {
            int write = OpKind.isRead(log.kind[read]) ? writeSeenBy(read, writerId, logKey == NO_OP) : NO_OP;
            if (write != NO_OP) {
                return write;
            }
        }
        return NO_OP;
    }

    private int writeSeenBy(int read, long writerId, boolean needsSole) {
        int[] ops = opsOn(writerId, log.key[read]);
        for (int position = ops.length - 1; position >= 0; position--) {
            int op = ops[position];
            if (OpKind.isWrite(log.kind[op])) {
                if (returns(read, op) && (!needsSole || isSoleAppend(op))) {
                    return op;
                }
                if (!isWriteOfElement(log.kind[op])) {
                    return NO_OP;
                }
            }
        }
        return NO_OP;
    }

    private boolean isSoleAppend(int write) {
        if (sharedElements == null) {
            sharedElements = sharedElements();
        }
        return log.kind[write] == OpKind.APPEND
                && !sharedElements.contains(new Element(log.key[write], log.value[write]));
    }

    /** Returns the appended elements that other transactions appended too. */
    private Set<Element> sharedElements() {
        Map<Element, Integer> appendedBy = new HashMap<>();
        for (int txn : txnOfId.values()) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                if (log.kind[op] == OpKind.APPEND) {
                    appendedBy.put(new Element(log.key[op], log.value[op]), txn);
                }
            }
        }
        Set<Element> shared = new HashSet<>();
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                if (log.kind[op] == OpKind.APPEND) {
                    Element element = new Element(log.key[op], log.value[op]);
                    if (appendedBy.getOrDefault(element, txn) != txn) {
                        shared.add(element);
                    }
                }
            }
        }
        return shared;
    }

    /**
     * Returns a write of the second transaction on a key that some read of the first misses, which returned a third
     * transaction's version.
     */
    int writeMissedBy(long readerId, long writerId, int logKey) {
        int[] reads = opsOn(readerId, logKey);
        for (int write : opsOn(writerId, logKey)) {
            if (isWriteOfElement(log.kind[write])) {
                for (int read : reads) {
                    if (OpKind.isRead(log.kind[read]) && !returns(read, write)) {
                        return write;
                    }
                }
            }
        }
        return lastWrite(writerId, logKey);
    }

    private static boolean isWriteOfElement(byte kind) {
        return OpKind.isWrite(kind) && kind != OpKind.WRITE && !OpKind.isUnreadWrite(kind);
    }

    private boolean returns(int read, int write) {
        if (log.kind[read] == OpKind.READ) {
            return log.value[read] == log.value[write];
        }
        if (log.kind[read] != OpKind.READ_LIST) {
            return false;
        }
        int length = log.lists.length(log.value[read]);
        for (int position = 0; position < length; position++) {
            if (log.lists.element(log.key[read], log.value[read], position) == log.value[write]) {
                return true;
            }
        }
        return false;
    }

    /** Returns the operations of a transaction on a key, in program order. Each transaction is indexed once. */
    private int[] opsOn(long txnId, int logKey) {
        return opsByKey.computeIfAbsent(
                        txnId,
                        id -> new OpsByKey(log.firstOpOf[txnOf(id)], log.firstOpOf[txnOf(id) + 1], op -> log.key[op]))
                .on(logKey);
    }

    /** Returns the steps of a shortest path between two transactions through some others; null if none exists. */
    static <S> @Nullable List<S> path(
            int from, int to, Collection<Integer> through, BiFunction<Integer, Integer, @Nullable S> stepBetween) {
        Map<Integer, Integer> before = new HashMap<>();
        Map<Integer, S> stepTo = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!before.containsKey(to) && !open.isEmpty()) {
            int txn = open.poll();
            for (int next : through) {
                S step = next == from || before.containsKey(next) ? null : stepBetween.apply(txn, next);
                if (step != null) {
                    before.put(next, txn);
                    stepTo.put(next, step);
                    open.add(next);
                }
            }
        }
        LinkedList<S> path = new LinkedList<>();
        for (Integer at = to; at != null && at != from; at = before.get(at)) {
            if (!before.containsKey(at)) {
                return null;
            }
            path.addFirst(requireNonNull(stepTo.get(at)));
        }
        return path;
    }
}
