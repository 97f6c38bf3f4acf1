package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.Arrays;

/** The longest list of each key read by a committed transaction: the order of the key's versions. */
public final class ListOrders {

    /*
     * Layout. A key's order is elements[.. length). Reads that agree with the log's trunk are prefixes of it as long as
     * they are no longer than agreedOf[key]: the whole order if it is the trunk, less if it is a separate list.
     *
     * Invariant. Among several longest lists, the list with the smallest reader id is used, for any order of the rows.
     */

    /** No transaction read the key. */
    public static final int NO_TXN = -1;

    private final OperationLog log;
    private final long[][] elementsOf;
    private final int[] lengthOf;
    private final int[] agreedOf;
    private final int[] readerOf;

    private ListOrders(OperationLog log) {
        this.log = log;
        elementsOf = new long[log.keyCount][];
        lengthOf = new int[log.keyCount];
        agreedOf = new int[log.keyCount];
        readerOf = new int[log.keyCount];
        Arrays.fill(readerOf, NO_TXN);
    }

    public static ListOrders of(OperationLog log, KeyUse use) {
        ListOrders orders = new ListOrders(log);
        int[] nonPrefixOf = new int[log.keyCount];
        int[] nonPrefixReaderOf = new int[log.keyCount];
        long[] smallestIdOf = new long[log.keyCount]; // among readers of the longest prefix of the trunk
        Arrays.fill(nonPrefixOf, NO_TXN);
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] != TxnStatus.COMMITTED) {
                continue;
            }
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                if (log.kind[op] != OpKind.READ_LIST || use.of(key) != KeyUse.LIST) {
                    continue;
                }
                long list = log.value[op];
                if (ListReads.isPrefixOfTrunk(list)) {
                    if (orders.readerOf[key] == NO_TXN || list > orders.lengthOf[key]) {
                        orders.lengthOf[key] = (int) list;
                        orders.readerOf[key] = txn;
                        smallestIdOf[key] = log.txnId[txn];
                    } else if (list == orders.lengthOf[key]) {
                        smallestIdOf[key] = Math.min(smallestIdOf[key], log.txnId[txn]);
                    }
                } else if (nonPrefixOf[key] == NO_TXN
                        || isFirst(
                                log,
                                list,
                                txn,
                                log.lists.length(~nonPrefixOf[key]),
                                log.txnId[nonPrefixReaderOf[key]])) {
                    nonPrefixOf[key] = (int) ~list;
                    nonPrefixReaderOf[key] = txn;
                }
            }
        }
        for (int key = 0; key < log.keyCount; key++) {
            orders.agreedOf[key] = orders.lengthOf[key];
            orders.elementsOf[key] = log.lists.trunk(key);
            if (nonPrefixOf[key] != NO_TXN
                    && isFirst(
                            log, ~nonPrefixOf[key], nonPrefixReaderOf[key], orders.lengthOf[key], smallestIdOf[key])) {
                orders.addNonPrefix(key, ~nonPrefixOf[key], nonPrefixReaderOf[key]);
            }
        }
        return orders;
    }

    /** Returns whether a list is longer than some length, or as long and read by a transaction of a smaller id. */
    private static boolean isFirst(OperationLog log, long list, int reader, int length, long txnId) {
        int difference = Integer.compare(log.lists.length(list), length);
        return difference > 0 || difference == 0 && log.txnId[reader] < txnId;
    }

    private void addNonPrefix(int key, long list, int reader) {
        int length = log.lists.length(list);
        long[] elements = new long[length];
        for (int i = 0; i < length; i++) {
            elements[i] = log.lists.element(key, list, i);
        }
        int agreed = 0;
        while (agreed < lengthOf[key] && elementsOf[key][agreed] == elements[agreed]) {
            agreed++;
        }
        elementsOf[key] = elements;
        agreedOf[key] = agreed;
        lengthOf[key] = length;
        readerOf[key] = reader;
    }

    public int length(int key) {
        return lengthOf[key];
    }

    public long element(int key, int position) {
        return elementsOf[key][position];
    }

    /** Returns a committed transaction that read all of it, or {@link #NO_TXN}. */
    public int reader(int key) {
        return readerOf[key];
    }

    /** Returns whether the list that an operation of a committed transaction read is a prefix of the order. */
    public boolean isPrefix(int op) {
        long list = log.value[op];
        int key = log.key[op];
        if (ListReads.isPrefixOfTrunk(list)) {
            return list <= agreedOf[key];
        }
        int length = log.lists.length(list);
        if (length > lengthOf[key]) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (log.lists.element(key, list, i) != elementsOf[key][i]) {
                return false;
            }
        }
        return true;
    }
}
