package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Dependencies through sets, whose elements stay once they are added. */
final class SetDependencies {

    /*
     * Definitions. Additions to a set commute, so neither ww edges nor an order of versions exist. But elements are
     * never removed:
     *
     *   wr  from each transaction that added an element to each transaction that read it
     *   rw  from each transaction that read the set without an element to each transaction that added it
     *
     * Algorithm. An order of transactions that respects both explains every read. Readers of the same elements are
     * grouped. A transaction's own additions prove nothing about others and are excluded.
     *
     * Cost. Many different sets of many elements would make quadratically many edges, so their number is limited; a key
     * beyond the limit keeps the wr edges and loses the rw edges, and counts as a key whose order is unknown
     * (isComplete).
     */

    private static final long MAX_MISSES = 20_000_000;

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final BicliqueEdges allPairs;

    SetDependencies(OperationLog log, VersionOrders orders, BicliqueEdges allPairs) {
        this.log = log;
        this.orders = orders;
        this.allPairs = allPairs;
        versions = orders.versions();
    }

    /** A transaction's read of a set: elements added by others, by version, ascending. */
    private record SetRead(int txn, int[] elements) {

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    void infer() {
        if (orders.use().count(KeyUse.SET) == 0) {
            return;
        }
        List<List<SetRead>> readsOf = new ArrayList<>();
        List<IntColumn> addedTo = new ArrayList<>();
        int[] setOf = new int[log.keyCount];
        for (int key = 0; key < log.keyCount; key++) {
            setOf[key] = readsOf.size();
            if (orders.use().of(key) == KeyUse.SET) {
                readsOf.add(new ArrayList<>());
                addedTo.add(new IntColumn());
            }
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                if (orders.use().of(key) != KeyUse.SET) {
                    continue;
                }
                int version = versions.ofOp(op);
                if (log.kind[op] == OpKind.ADD) {
                    if (versions.writer(version) == txn && orders.isResolved(version)) {
                        addedTo.get(setOf[key]).add(version);
                    }
                } else if (log.status[txn] == TxnStatus.COMMITTED && OpKind.isRead(log.kind[op])) {
                    readsOf.get(setOf[key]).add(read(txn, op));
                }
            }
        }
        for (int key = 0; key < log.keyCount; key++) {
            if (orders.use().of(key) == KeyUse.SET) {
                inferSet(key, readsOf.get(setOf[key]), addedTo.get(setOf[key]));
            }
        }
    }

    private SetRead read(int txn, int op) {
        int key = log.key[op];
        int length = log.lengthRead(op);
        int[] elements = new int[length];
        int count = 0;
        for (int i = 0; i < length; i++) {
            int version = versions.find(key, log.lists.element(key, log.value[op], i));
            if (version != Versions.NONE && orders.isResolved(version) && versions.writer(version) != txn) {
                elements[count++] = version;
            }
        }
        elements = Arrays.copyOf(elements, count);
        Arrays.sort(elements);
        return new SetRead(txn, elements);
    }

    private void inferSet(int key, List<SetRead> reads, IntColumn added) {
        int[] all = new int[added.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = added.get(i);
        }
        Arrays.sort(all);
        reads.sort((first, second) -> Arrays.compare(first.elements, second.elements));
        int[] readers = new int[reads.size()];
        int[] writers = new int[all.length];
        long misses = 0;
        for (int i = 0; i < readers.length; ) {
            int[] elements = reads.get(i).elements;
            int count = 0;
            while (i < readers.length && Arrays.equals(reads.get(i).elements, elements)) {
                readers[count++] = reads.get(i++).txn;
            }
            writers = writersOf(elements, writers);
            allPairs.join(writers, 0, elements.length, readers, count, DependencyGraph.WR);
            misses += all.length - elements.length;
            if (misses > MAX_MISSES) {
                orders.discard(key);
                continue;
            }
            int missed = missedWriters(all, elements, writers);
            allPairs.join(readers, 0, count, writers, missed, DependencyGraph.RW);
        }
    }

    private int[] writersOf(int[] elements, int[] into) {
        int[] writers = into.length < elements.length ? new int[elements.length] : into;
        for (int i = 0; i < elements.length; i++) {
            writers[i] = versions.firstWriter(elements[i]);
        }
        return writers;
    }

    private int missedWriters(int[] all, int[] seen, int[] into) {
        int count = 0;
        int at = 0;
        for (int element : all) {
            while (at < seen.length && seen[at] < element) {
                at++;
            }
            if (at == seen.length || seen[at] != element) {
                into[count++] = versions.firstWriter(element);
            }
        }
        return count;
    }
}
