package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.PairOrdinals;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Replaces operations on sets by operations on elements that are keys. */
public final class ElementKeys {

    /*
     * Each element of a set becomes a key. If elements are removed or tested, it has a value while the set contains the
     * element:
     *
     *   addition                       a write that no read returns
     *   removal                        an erasure
     *   test                           a guard: the key has a value, or it has none
     *   committed read of the set      one such guard for each element that the history names; none for an element that
     *                                  an own change explains; one that nothing satisfies if that change contradicts
     *                                  the read
     *
     * If a set only grows, an addition becomes a write of the element, and a read of the set becomes a read of each
     * element, which returned its value or nothing.
     *
     * A set with operations of other kinds is not replaced. No set is replaced if that takes too many operations.
     */

    /** Maximum number of operations that reads of sets may become. */
    private static final int MAX_OPS = 1 << 24;

    private final OperationLog log;
    private final boolean isGrowing; // whether the sets that only grow are replaced, and not the others
    private final boolean[] isReplaced; // by key
    private final PairOrdinals elements = new PairOrdinals(16); // of a set and a value
    private int[] nextOf = {}; // by element: the next one of its set, plus one
    private final int[] firstOf; // by key: the first element, plus one
    private final int firstKey;
    private final Int2IntOpenHashMap own =
            new Int2IntOpenHashMap(); // by element: 1 if an own change left it in, else 0

    private int[] keyOf = {}; // by element; -1 until an operation needs it
    private final boolean[] isKeyUsed; // by set: whether an element has its key
    private final IntColumn setOfKey = new IntColumn(); // by key that was added
    private int reads; // of sets so far
    private int[] readOf = {}; // by element: the number of the last read that returned it

    private int count;
    private byte[] kind = {};
    private int[] key = {};
    private long[] value = {};
    private int[] opOf = {}; // recorded operation whose version and writer it has, or -1

    private ElementKeys(OperationLog log, boolean isGrowing) {
        this.log = log;
        this.isGrowing = isGrowing;
        firstKey = log.keyCount;
        firstOf = new int[firstKey];
        isReplaced = new boolean[firstKey];
        isKeyUsed = new boolean[firstKey];
    }

    /** Returns a log with keys for the elements of sets in which elements are removed or tested. */
    static OperationLog ofChangingSets(OperationLog log) {
        return new ElementKeys(log, false).expand();
    }

    /** Returns a view of a log without the sets that only grow; the log itself if it has none, or too large ones. */
    public static OperationLog ofGrowingSets(OperationLog log) {
        return new ElementKeys(log, true).expand();
    }

    private OperationLog expand() {
        findSets();
        nameElements();
        if (elements.size() == 0 || countOps() > log.opCount + (long) MAX_OPS) {
            return log;
        }
        readOf = new int[elements.size()];
        keyOf = new int[elements.size()];
        Arrays.fill(keyOf, -1);
        int[] firstOpOf = new int[log.firstOpOf.length];
        for (int txn = 0; txn < log.txnCount; txn++) {
            firstOpOf[txn] = count;
            own.clear();
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                add(txn, op);
            }
        }
        firstOpOf[log.txnCount] = count;
        return new OperationLog(log, this, firstOpOf);
    }

    int count() {
        return count;
    }

    byte[] kinds() {
        return kind;
    }

    int[] keys() {
        return key;
    }

    long[] values() {
        return value;
    }

    /** Returns the set of each key that was added, in their order. */
    int[] addedKeys() {
        return setOfKey.toArray();
    }

    /** Returns the keys that represent elements of sets that only grow; null in other logs. */
    @Nullable
    BitSet growingKeys() {
        if (!isGrowing) {
            return null;
        }
        BitSet keys = new BitSet();
        for (int of = 0; of < firstKey; of++) {
            keys.set(of, isReplaced[of]);
        }
        keys.set(firstKey, firstKey + setOfKey.size());
        return keys;
    }

    private void findSets() {
        boolean[] isUsedOtherwise = new boolean[firstKey];
        for (int op = 0; op < log.opCount; op++) {
            byte of = log.kind[op];
            boolean isOfElement = OpKind.isOfElement(of);
            boolean isPlain =
                    of == OpKind.ADD || of == OpKind.READ_LIST || of == OpKind.READ_NOTHING || of == OpKind.NEVER;
            isReplaced[log.key[op]] |= isGrowing ? of == OpKind.ADD : isOfElement;
            isUsedOtherwise[log.key[op]] |= !isPlain && (isGrowing || !isOfElement);
        }
        for (int of = 0; of < firstKey; of++) {
            isReplaced[of] &= !isUsedOtherwise[of];
        }
    }

    private void nameElements() {
        for (int op = 0; op < log.opCount; op++) {
            if (!isReplaced[log.key[op]]) {
                continue;
            }
            if (log.kind[op] == OpKind.ADD || OpKind.isOfElement(log.kind[op])) {
                name(log.key[op], log.value[op]);
            }
            for (int i = 0; log.kind[op] == OpKind.READ_LIST && i < log.lists.length(log.value[op]); i++) {
                name(log.key[op], log.lists.element(log.key[op], log.value[op], i));
            }
        }
    }

    private void name(int set, long of) {
        int known = elements.size();
        int element = elements.ordinal(set, of);
        if (element < known) {
            return;
        }
        if (element == nextOf.length) {
            nextOf = Arrays.copyOf(nextOf, Math.max(16, 2 * element));
        }
        nextOf[element] = firstOf[set];
        firstOf[set] = element + 1;
    }

    private long countOps() {
        int[] sizeOf = new int[firstKey];
        for (int element = 0; element < elements.size(); element++) {
            sizeOf[elements.first(element)]++;
        }
        long ops = 0;
        for (int op = 0; op < log.opCount; op++) {
            boolean isOfAll = isReplaced[log.key[op]] && OpKind.isRead(log.kind[op]);
            ops += isOfAll ? sizeOf[log.key[op]] : 1;
        }
        return ops;
    }

    private void add(int txn, int op) {
        byte of = log.kind[op];
        if (!isReplaced[log.key[op]] || of == OpKind.NEVER) {
            add(of, log.key[op], log.value[op], op);
        } else if (!OpKind.isRead(of)) {
            int element = elements.find(log.key[op], log.value[op]);
            boolean isChange = OpKind.isWrite(of);
            boolean isIn = of == OpKind.ADD || of == OpKind.CONTAINS;
            if (isGrowing) {
                if (own.put(element, 1) == 0) {
                    add(OpKind.WRITE, keyOf(element), log.value[op], -1);
                }
            } else if (isChange) {
                own.put(element, isIn ? 1 : 0);
                add(isIn ? OpKind.PLACE : OpKind.ERASE, keyOf(element), isIn ? log.value[op] : HistorySlice.NONE, -1);
            } else {
                add(isIn ? OpKind.PLACED : OpKind.ABSENT, keyOf(element), 0, -1);
            }
        } else if (log.status[txn] == TxnStatus.COMMITTED || isGrowing && log.status[txn] == TxnStatus.UNKNOWN) {
            addRead(op);
        }
    }

    /** Returns the key of an element: the first one of a set has the key of the set, so that each key has operations. */
    private int keyOf(int element) {
        int set = elements.first(element);
        if (keyOf[element] < 0 && isKeyUsed[set]) {
            keyOf[element] = firstKey + setOfKey.size();
            setOfKey.add(set);
        } else if (keyOf[element] < 0) {
            keyOf[element] = set;
            isKeyUsed[set] = true;
        }
        return keyOf[element];
    }

    private void addRead(int op) {
        int set = log.key[op];
        reads++;
        for (int i = 0; log.kind[op] == OpKind.READ_LIST && i < log.lists.length(log.value[op]); i++) {
            readOf[elements.find(set, log.lists.element(set, log.value[op], i))] = reads;
        }
        addReads(set, false); // they must not come after reads of elements that the same read returned
        addReads(set, true);
    }

    private void addReads(int set, boolean isIn) {
        for (int element = firstOf[set] - 1; element >= 0; element = nextOf[element] - 1) {
            boolean isOwn = own.containsKey(element);
            if ((readOf[element] == reads) != isIn || isOwn && own.get(element) == 1 == isIn) {
                continue;
            }
            if (isGrowing) {
                long read = isIn ? elements.second(element) : log.initialAsValue == 0 ? 1 : 0; // nothing is not initial
                add(isIn ? OpKind.READ : OpKind.READ_NOTHING, keyOf(element), read, -1);
            } else {
                add(isOwn ? OpKind.NEVER : isIn ? OpKind.PLACED : OpKind.ABSENT, keyOf(element), 0, -1);
            }
        }
    }

    private void add(byte ofKind, int ofKey, long ofValue, int op) {
        if (count == kind.length) {
            int capacity = Math.max(log.opCount + 16, count + (count >> 1));
            kind = Arrays.copyOf(kind, capacity);
            key = Arrays.copyOf(key, capacity);
            value = Arrays.copyOf(value, capacity);
            opOf = Arrays.copyOf(opOf, capacity);
        }
        kind[count] = ofKind;
        key[count] = ofKey;
        value[count] = ofValue;
        opOf[count++] = op;
    }

    /** Returns a column of the log for the operations that replace its operations. */
    long @Nullable [] gathered(long @Nullable [] column) {
        if (column == null) {
            return null;
        }
        long[] gathered = new long[kind.length];
        Arrays.setAll(gathered, op -> op >= count || opOf[op] < 0 ? HistorySlice.NONE : column[opOf[op]]);
        return gathered;
    }

    /** Returns marks of operations of the log for the operations that replace them. */
    @Nullable
    BitSet gathered(@Nullable BitSet marked) {
        if (marked == null) {
            return null;
        }
        BitSet gathered = new BitSet(count);
        for (int op = 0; op < count; op++) {
            gathered.set(op, opOf[op] >= 0 && marked.get(opOf[op]));
        }
        return gathered;
    }
}
