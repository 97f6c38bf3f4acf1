package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;

/**
 * View of a log in which no list read contains the own appends that it ended with: the rest was read from other
 * transactions.
 */
public final class OutsideLists {

    /*
     * Definitions. A read is cut where its list ends with all preceding appends of its transaction, in their order.
     *
     * Algorithm. Reads to cut are collected. If none is found, the log itself is the view. Otherwise the longest cut
     * list of a committed read becomes the trunk of its key, and every list read is compared with it; a list that was
     * stored once for several reads is compared and copied once for each length.
     *
     * Cost. One pass through all operations; if reads are cut, 8 bytes per operation more.
     */

    private static final int NONE = -1;

    private final OperationLog log;
    private final IntColumn cutReads = new IntColumn();
    private final IntColumn cutLengths = new IntColumn(); // length of each of them after the cut
    private final BitSet isCut = new BitSet();
    private final long[] value;
    private final ListReads lists = new ListReads();
    private final Long2IntOpenHashMap[] compared; // by key: maps list and length to the compared value; null if none

    private OutsideLists(OperationLog log) {
        this.log = log;
        findCutReads();
        value = cutReads.size() == 0 ? log.value : Arrays.copyOf(log.value, log.opCount);
        compared = new Long2IntOpenHashMap[cutReads.size() == 0 ? 0 : log.keyCount];
    }

    /** Returns the view; the log itself where no list ends with own appends. */
    public static OperationLog of(OperationLog log) {
        OutsideLists outside = new OutsideLists(log);
        return outside.cutReads.size() == 0 ? log : outside.cut();
    }

    private void findCutReads() {
        OwnOperations own = new OwnOperations(log);
        for (int txn = 0; txn < log.txnCount; txn++) {
            own.begin(txn);
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                own.take(op);
                if (log.kind[op] != OpKind.READ_LIST) {
                    continue;
                }
                int written = own.lastWriteBefore(op);
                int count =
                        written == OwnOperations.NONE || log.kind[written] != OpKind.APPEND ? 0 : own.appendsAtEnd(op);
                if (count > 0) {
                    isCut.set(op);
                    cutReads.add(op);
                    cutLengths.add(log.lists.length(log.value[op]) - count);
                }
            }
        }
    }

    private OperationLog cut() {
        int[] lengthOf = new int[log.opCount];
        for (int i = 0; i < cutReads.size(); i++) {
            lengthOf[cutReads.get(i)] = cutLengths.get(i);
        }
        for (int op = 0; op < log.opCount; op++) {
            if (log.kind[op] == OpKind.READ_LIST && !isCut.get(op)) {
                lengthOf[op] = log.lists.length(log.value[op]);
            }
        }
        findTrunks(lengthOf);
        for (int op = 0; op < log.opCount; op++) {
            if (log.kind[op] == OpKind.READ_LIST) {
                value[op] = compare(log.key[op], log.value[op], lengthOf[op]);
            }
        }
        return new OperationLog(log, value, lists, isCut, null, log.supposed());
    }

    /** Makes the longest cut list of a committed read the trunk of its key; the first of several. */
    private void findTrunks(int[] lengthOf) {
        int[] maxLengthOf = new int[log.keyCount];
        Arrays.fill(maxLengthOf, NONE);
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                if (log.kind[op] == OpKind.READ_LIST
                        && log.status[txn] == TxnStatus.COMMITTED
                        && (maxLengthOf[key] == NONE || lengthOf[op] > lengthOf[maxLengthOf[key]])) {
                    maxLengthOf[key] = op;
                }
            }
        }
        lists.trunkOf = new long[log.keyCount][];
        lists.trunkLengthOf = new int[log.keyCount];
        for (int key = 0; key < log.keyCount; key++) {
            if (maxLengthOf[key] != NONE) {
                long list = log.value[maxLengthOf[key]];
                lists.trunkLengthOf[key] = lengthOf[maxLengthOf[key]];
                long[] trunk = log.lists.trunk(key);
                lists.trunkOf[key] = ListReads.isPrefixOfTrunk(list) && trunk != null
                        ? trunk
                        : elements(key, list, lists.trunkLengthOf[key]);
            }
        }
    }

    private long[] elements(int key, long list, int length) {
        long[] elements = new long[length];
        for (int position = 0; position < length; position++) {
            elements[position] = log.lists.element(key, list, position);
        }
        return elements;
    }

    /** Returns the value of a list prefix relative to the trunk of its key. */
    private long compare(int key, long list, int length) {
        long[] trunk = lists.trunkOf[key];
        boolean isOfTrunk = ListReads.isPrefixOfTrunk(list);
        if (isOfTrunk && trunk == log.lists.trunk(key) && length <= lists.trunkLengthOf[key]) {
            return length;
        }
        Long2IntOpenHashMap known = compared[key];
        if (known == null) {
            known = new Long2IntOpenHashMap(4);
            compared[key] = known;
        }
        long listAndLength = (isOfTrunk ? 0 : -list) << Integer.SIZE | length;
        if (known.containsKey(listAndLength)) {
            return known.get(listAndLength);
        }
        long[] elements = elements(key, list, length);
        boolean isPrefix = length <= lists.trunkLengthOf[key]
                && (length == 0 || Arrays.equals(elements, 0, length, trunk, 0, length));
        int copy = isPrefix ? length : ~lists.nonPrefix.add(elements, 0, length);
        known.put(listAndLength, copy);
        return copy;
    }
}
