package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.OperationLog.Supposition;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.BitSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Transactions that count: committed transactions, unknown transactions that are supposed to count, and unknown
 * transactions from which a counted transaction read.
 */
public final class TxnOutcomes {

    /** Maximum number of transactions of which all combinations of outcomes are supposed. */
    private static final int MAX_SUPPOSED = 4;

    private final OperationLog log;
    private final WriterIndex writers;
    private final boolean[] isCounted;
    private final IntColumn promoted = new IntColumn();
    private final IntOpenHashSet readAmbiguously = new IntOpenHashSet(0); // first operations that wrote such a value
    private boolean mayOthersCount;

    private TxnOutcomes(OperationLog log, WriterIndex writers) {
        this.log = log;
        this.writers = writers;
        isCounted = new boolean[log.txnCount];
    }

    static TxnOutcomes of(OperationLog log, WriterIndex writers, KeyUse use, Supplier<ListOrders> lists) {
        TxnOutcomes outcomes = new TxnOutcomes(log, writers);
        boolean anyUnknown = false;
        for (int txn = 0; txn < log.txnCount; txn++) {
            boolean isSupposed =
                    log.supposed() != null && log.supposed().counted().get(txn);
            outcomes.isCounted[txn] = log.status[txn] == TxnStatus.COMMITTED || isSupposed;
            if (isSupposed) {
                outcomes.promoted.add(txn);
            }
            anyUnknown |= outcomes.isUnknown(txn);
        }
        if (anyUnknown) {
            outcomes.resolve(use, lists.get());
        }
        return outcomes;
    }

    /** Extends the committed transactions by the unknown ones that they read from, transitively. */
    private void resolve(KeyUse use, ListOrders lists) {
        for (int key = 0; key < log.keyCount; key++) {
            for (int i = 0; i < lists.length(key); i++) {
                countWriter(key, lists.element(key, i));
            }
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                followReads(txn, use, lists);
            }
        }
        for (int i = 0; i < promoted.size(); i++) {
            followReads(promoted.get(i), use, lists);
        }
        for (int i = 0; !readAmbiguously.isEmpty() && i < writers.duplicateCount(); i++) {
            int first = writers.duplicatedOp(i);
            if (readAmbiguously.contains(first)) {
                int firstTxn = writers.txnOf(writers.find(log.key[first], log.value[first]));
                mayOthersCount |= isOpen(firstTxn) || isOpen(writers.duplicateTxn(i));
            }
        }
    }

    private void followReads(int txn, KeyUse use, ListOrders lists) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            int key = log.key[op];
            if (log.kind[op] == OpKind.READ) {
                countWriter(key, log.value[op]);
            } else if (log.kind[op] == OpKind.READ_LIST) {
                boolean isDone =
                        use.of(key) == KeyUse.LIST && log.status[txn] == TxnStatus.COMMITTED && lists.isPrefix(op);
                int length = isDone ? 0 : log.lists.length(log.value[op]);
                for (int i = 0; i < length; i++) {
                    countWriter(key, log.lists.element(key, log.value[op], i));
                }
            }
        }
    }

    private void countWriter(int key, long value) {
        int slot = writers.find(key, value);
        int writer = slot == WriterIndex.NONE ? WriterIndex.NONE : writers.writerOf(slot);
        if (writer == WriterIndex.SEVERAL) {
            readAmbiguously.add(writers.opOf(slot));
        } else if (writer >= 0 && isUnknown(writer) && !isCounted[writer]) {
            isCounted[writer] = true;
            promoted.add(writer);
        }
    }

    /**
     * Returns views of the log, one for each combination of outcomes of the open transactions; if these are many, only
     * two: none of them counts, or all. Empty if none is open.
     */
    Stream<OperationLog> supposed() {
        int[] open = IntStream.range(0, log.txnCount).filter(this::isOpen).toArray();
        boolean areFew = open.length <= MAX_SUPPOSED;
        int count = open.length == 0 ? 0 : areFew ? 1 << open.length : 2;
        return IntStream.range(0, count).mapToObj(choice -> {
            BitSet toCount = allPromoted();
            for (int i = 0; i < open.length; i++) {
                toCount.set(open[i], areFew ? (choice >> i & 1) == 1 : choice == 1);
            }
            return log.supposing(new Supposition(toCount, new BitSet()));
        });
    }

    /** Returns a view of the log in which all open transactions count, but need not have committed. */
    OperationLog optional() {
        BitSet open = new BitSet();
        IntStream.range(0, log.txnCount).filter(this::isOpen).forEach(open::set);
        BitSet toCount = allPromoted();
        toCount.or(open);
        return log.supposing(new Supposition(toCount, open));
    }

    private BitSet allPromoted() {
        BitSet all = new BitSet();
        for (int i = 0; i < promoted.size(); i++) {
            all.set(promoted.get(i));
        }
        return all;
    }

    /** Returns whether it is supposed which unknown transactions count. */
    boolean areSupposed() {
        return log.supposed() != null;
    }

    public boolean isCounted(int txn) {
        return isCounted[txn];
    }

    /** Returns whether a transaction counts although its client never learned that it committed. */
    public boolean isPromoted(int txn) {
        return isUnknown(txn) && isCounted[txn];
    }

    /** Returns the number of promoted transactions. */
    int promotedCount() {
        return promoted.size();
    }

    /** Returns whether a counted transaction has read a value written by an unknown transaction and by another one. */
    boolean mayOthersCount() {
        return mayOthersCount;
    }

    /** Returns whether a transaction may count or not. */
    boolean isOpen(int txn) {
        return isUnknown(txn) && !isCounted[txn] && !areSupposed();
    }

    /** Returns whether it is unknown how a transaction ended. */
    public boolean isUnknown(int txn) {
        return log.status[txn] == TxnStatus.UNKNOWN;
    }
}
