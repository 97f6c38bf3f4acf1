package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.PairOrdinals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gathers slices, in the order of the history, into an {@link OperationLog}. One thread at a time. */
public final class OperationLogBuilder {

    /*
     * Layout. Names of a slice become names of the log once for each pool of a slice and name:
     *
     *   keyOfName[name of the slice]     = key of the log
     *   valueOfName[name of the slice]   = ordinal in valueNames
     *
     * Invariant. Names are numbered in the order in which they occur in the rows, however the pool of the slice is
     * ordered, so that equal rows make an equal log from every format.
     *
     * Cost. A list read is compared with its key's trunk only beyond the length already compared for the same list of
     * the slice's pool; lists that grow with the history are thereby compared once for each slice.
     */

    private static final int MIN_CAPACITY = 64;
    private static final int UNSEEN = -1;

    int txnCount;
    long[] txnId = new long[MIN_CAPACITY];
    long[] sessionId = new long[MIN_CAPACITY];
    long[] sessionSeq = new long[MIN_CAPACITY];
    byte[] status = new byte[MIN_CAPACITY];
    long @Nullable [] startTs;
    long @Nullable [] commitTs;
    long @Nullable [] invokeNs;
    long @Nullable [] completeNs;

    int opCount;
    int[] firstOpOf = new int[MIN_CAPACITY];
    byte[] kind = new byte[MIN_CAPACITY];
    int[] key = new int[MIN_CAPACITY];
    long[] value = new long[MIN_CAPACITY];
    long @Nullable [] version;
    long @Nullable [] writerTxn;

    ValueType keyType = ValueType.NONE;
    ValueType valueType = ValueType.NONE;
    final StringPool keyNames = new StringPool();
    final StringPool valueNames = new StringPool();
    final ListReads lists = new ListReads();

    private boolean hasErasures;
    private boolean hasElements; // whether a set must be checked element by element
    private final LongOrdinals keyOrdinals = new LongOrdinals();
    private final @Nullable String initialValue;

    @Nullable
    RowConditions conditions; // null if no guard states a condition

    private @Nullable StringPool namesOfKeys;
    private int[] keyOfName = new int[0];
    private int keyNamesKnown;
    private @Nullable StringPool namesOfValues;
    private int[] valueOfName = new int[0];
    private int valueNamesKnown;
    private int[] comparedOf = new int[0]; // by list of the slice: how much of it was found to agree with the trunk
    private int[] keyOfList = new int[0]; // by list of the slice: the key it was compared for
    private int[] nonPrefixOf = new int[0]; // by list of the slice: its copy among the non-prefix lists, or UNSEEN
    private long[] elements = new long[16];

    /** @param initialValue the text of the value that means the initial state as null does, or null */
    public OperationLogBuilder(@Nullable String initialValue) {
        this.initialValue = initialValue;
    }

    /** Sets the evaluation of conditions of guards. */
    public OperationLogBuilder conditions(RowConditions evaluation) {
        conditions = evaluation;
        return this;
    }

    /** Allocates arrays of the given sizes, which avoids growing. */
    public void expect(int txns, int ops) {
        growTxns(txns);
        growOps(ops);
    }

    /** Bytes held. */
    public long byteSize() {
        long perTxn = 25 + 4 + bytesOf(startTs) + bytesOf(commitTs) + bytesOf(invokeNs) + bytesOf(completeNs);
        long perOp = 13 + bytesOf(version) + bytesOf(writerTxn);
        return perTxn * txnId.length
                + perOp * kind.length
                + keyNames.byteSize()
                + valueNames.byteSize()
                + keyOrdinals.byteSize();
    }

    private static long bytesOf(long @Nullable [] column) {
        return column == null ? 0 : Long.BYTES;
    }

    public void add(HistorySlice slice) {
        growTxns(txnCount + slice.txnCount);
        growOps(Math.addExact(opCount, slice.opCount));
        addTxns(slice);
        learnNames(slice);
        addOps(slice);
        txnCount += slice.txnCount;
        opCount += slice.opCount;
    }

    public OperationLog build() {
        firstOpOf[txnCount] = opCount;
        settleTrunks();
        replaceReadsOfErased();
        replaceInitialValue();
        OperationLog log = new OperationLog(this);
        return hasElements ? ElementKeys.ofChangingSets(log) : log;
    }

    /**
     * Returns the log of some transactions between two states of the database: a read of a value that none of them
     * wrote to the key is a read of the initial state.
     */
    public OperationLog buildSegment() {
        PairOrdinals written = new PairOrdinals(opCount);
        for (int op = 0; op < opCount; op++) {
            if (kind[op] == OpKind.WRITE) {
                written.ordinal(key[op], value[op]);
            }
        }
        for (int op = 0; op < opCount; op++) {
            if (kind[op] == OpKind.READ && written.find(key[op], value[op]) == PairOrdinals.NONE) {
                kind[op] = OpKind.READ_NOTHING;
            }
        }
        return build();
    }

    int keyCount() {
        return keyType == ValueType.STRING ? keyNames.size() : keyOrdinals.size();
    }

    long[] keyNumbers() {
        long[] numbers = new long[keyOrdinals.size()];
        for (int ordinal = 0; ordinal < numbers.length; ordinal++) {
            numbers[ordinal] = keyOrdinals.name(ordinal);
        }
        return numbers;
    }

    // ---------------------------------------------------------------- transactions

    private void addTxns(HistorySlice slice) {
        int count = slice.txnCount;
        System.arraycopy(slice.txnId, 0, txnId, txnCount, count);
        System.arraycopy(slice.sessionId, 0, sessionId, txnCount, count);
        System.arraycopy(slice.sessionSeq, 0, sessionSeq, txnCount, count);
        System.arraycopy(slice.status, 0, status, txnCount, count);
        startTs = append(startTs, slice.startTs, txnCount, count, txnId.length);
        commitTs = append(commitTs, slice.commitTs, txnCount, count, txnId.length);
        invokeNs = append(invokeNs, slice.invokeNs, txnCount, count, txnId.length);
        completeNs = append(completeNs, slice.completeNs, txnCount, count, txnId.length);
        for (int txn = 0; txn < count; txn++) {
            firstOpOf[txnCount + txn] = opCount + slice.firstOpOf[txn];
        }
    }

    /** Appends to a nullable column, which is there from the first entry that is not missing. */
    private static long @Nullable [] append(long @Nullable [] column, long[] from, int at, int count, int capacity) {
        if (column == null && isMissing(from, count)) {
            return null;
        }
        long[] to = column;
        if (to == null) {
            to = new long[capacity];
            Arrays.fill(to, 0, at, HistorySlice.NONE);
        } else if (to.length < at + count) {
            to = Arrays.copyOf(to, capacity);
        }
        if (from == null) {
            Arrays.fill(to, at, at + count, HistorySlice.NONE);
        } else {
            System.arraycopy(from, 0, to, at, count);
        }
        return to;
    }

    private static boolean isMissing(long[] from, int count) {
        if (from == null) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            if (from[i] != HistorySlice.NONE) {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- operations

    private void learnNames(HistorySlice slice) {
        if (slice.keyType != ValueType.NONE) {
            keyType = slice.keyType;
        }
        if (slice.valueType != ValueType.NONE) {
            valueType = slice.valueType;
        }
        if (namesInitialValue() && valueNames.size() == 0) {
            valueNames.intern(requireNonNull(initialValue));
        }
        if (slice.keyType == ValueType.STRING) {
            if (slice.keyNames != namesOfKeys) {
                namesOfKeys = slice.keyNames;
                keyNamesKnown = 0;
            }
            keyOfName = grow(keyOfName, namesOfKeys.size());
            for (; keyNamesKnown < namesOfKeys.size(); keyNamesKnown++) {
                keyOfName[keyNamesKnown] = UNSEEN;
            }
        }
        if (slice.valueType == ValueType.STRING) {
            if (slice.valueNames != namesOfValues) {
                namesOfValues = slice.valueNames;
                valueNamesKnown = 0;
            }
            valueOfName = grow(valueOfName, namesOfValues.size());
            for (; valueNamesKnown < namesOfValues.size(); valueNamesKnown++) {
                valueOfName[valueNamesKnown] = UNSEEN;
            }
        }
        int listCount = slice.lists == null ? 0 : slice.lists.size();
        comparedOf = grow(comparedOf, listCount);
        nonPrefixOf = grow(nonPrefixOf, listCount);
        keyOfList = grow(keyOfList, listCount);
        Arrays.fill(keyOfList, 0, listCount, UNSEEN);
        Arrays.fill(comparedOf, 0, listCount, 0);
        Arrays.fill(nonPrefixOf, 0, listCount, UNSEEN);
    }

    private void addOps(HistorySlice slice) {
        byte[] kinds = slice.kind;
        long[] keys = slice.key;
        long[] values = slice.value;
        boolean namedKeys = slice.keyType == ValueType.STRING;
        boolean namedValues = slice.valueType == ValueType.STRING;
        System.arraycopy(kinds, 0, kind, opCount, slice.opCount);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            boolean isCommitted = slice.status[txn] == TxnStatus.COMMITTED;
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                int ofKey = namedKeys ? keyOfName((int) keys[op]) : keyOrdinals.ordinal(keys[op]);
                key[opCount + op] = ofKey;
                value[opCount + op] = switch (kinds[op]) {
                    case OpKind.READ_NOTHING, OpKind.PRESENT, OpKind.ABSENT, OpKind.NEVER -> 0;
                    case OpKind.ERASE -> erasure();
                    case OpKind.READ_LIST -> listRead(ofKey, values[op], slice.lists, namedValues, isCommitted);
                    default -> namedValues ? valueOfName((int) values[op]) : values[op];
                };
                hasElements |= kinds[op] > OpKind.HAS && OpKind.isOfElement(kinds[op]);
            }
        }
        version = append(version, slice.version, opCount, slice.opCount, kind.length);
        writerTxn = append(writerTxn, slice.writerTxn, opCount, slice.opCount, kind.length);
    }

    /** Returns the value of an erasure, which no read returns. */
    private long erasure() {
        hasErasures = true;
        return HistorySlice.NONE;
    }

    private int keyOfName(int name) {
        if (keyOfName[name] == UNSEEN) {
            keyOfName[name] = keyNames.internFrom(requireNonNull(namesOfKeys), name);
        }
        return keyOfName[name];
    }

    private int valueOfName(int name) {
        if (valueOfName[name] == UNSEEN) {
            valueOfName[name] = valueNames.internFrom(requireNonNull(namesOfValues), name);
        }
        return valueOfName[name];
    }

    // ---------------------------------------------------------------- lists

    private long listRead(int ofKey, long ref, ListPool pool, boolean named, boolean isCommitted) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        if (ofKey >= lists.trunkOf.length) {
            int capacity = Math.max(ofKey + 1, 2 * lists.trunkOf.length);
            lists.trunkOf = Arrays.copyOf(lists.trunkOf, capacity);
            lists.trunkLengthOf = Arrays.copyOf(lists.trunkLengthOf, capacity);
        }
        if (keyOfList[list] != ofKey) {
            keyOfList[list] = ofKey;
            comparedOf[list] = 0;
            nonPrefixOf[list] = UNSEEN;
        }
        if (length <= comparedOf[list]) {
            return length;
        }
        int first = comparedOf[list];
        if (elements.length < length) {
            elements = new long[Math.max(length, 2 * elements.length)];
        }
        for (int i = first; i < length; i++) {
            long element = pool.element(list, i);
            elements[i] = named ? valueOfName((int) element) : element;
        }
        long[] trunk = lists.trunkOf[ofKey];
        int trunkLength = lists.trunkLengthOf[ofKey];
        int agreed = Math.min(length, trunkLength);
        boolean isNonPrefix = agreed > first && Arrays.mismatch(trunk, first, agreed, elements, first, agreed) >= 0;
        if (isNonPrefix || length > trunkLength && !isCommitted) {
            for (int i = 0; i < first; i++) { // the prefix agreed on before is in the trunk
                elements[i] = trunk[i];
            }
            return ~nonPrefixCopy(list, length);
        }
        if (length > trunkLength) {
            if (trunk == null || trunk.length < length) {
                trunk = trunk == null ? new long[length] : Arrays.copyOf(trunk, Math.max(length, trunk.length * 3 / 2));
                lists.trunkOf[ofKey] = trunk;
            }
            System.arraycopy(elements, trunkLength, trunk, trunkLength, length - trunkLength);
            lists.trunkLengthOf[ofKey] = length;
        }
        comparedOf[list] = length;
        return length;
    }

    /**
     * Stores the elements in scratch as a separate list; the same list of a slice, read again at the same length, is
     * not copied twice.
     */
    private int nonPrefixCopy(int list, int length) {
        if (nonPrefixOf[list] == UNSEEN || lists.nonPrefix.length(nonPrefixOf[list]) != length) {
            nonPrefixOf[list] = lists.nonPrefix.add(elements, 0, length);
        }
        return nonPrefixOf[list];
    }

    /** Makes the longest list that was read of a key its trunk if another list came first. */
    private void settleTrunks() {
        if (lists.nonPrefix.size() == 0) {
            return;
        }
        int[] maxLengthOf = new int[lists.trunkOf.length];
        Arrays.fill(maxLengthOf, UNSEEN);
        boolean contested = false;
        for (int txn = 0; txn < txnCount; txn++) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (kind[op] == OpKind.READ_LIST && value[op] < 0 && status[txn] == TxnStatus.COMMITTED) {
                    int list = (int) ~value[op];
                    int maxLength = maxLengthOf[key[op]];
                    int beaten = maxLength == UNSEEN ? lists.trunkLengthOf[key[op]] : lists.nonPrefix.length(maxLength);
                    if (lists.nonPrefix.length(list) > beaten) {
                        maxLengthOf[key[op]] = list;
                        contested = true;
                    }
                }
            }
        }
        if (contested) {
            changeTrunks(maxLengthOf);
        }
    }

    private void changeTrunks(int[] maxLengthOf) {
        ListPool nonPrefix = lists.nonPrefix;
        long[][] formerOf = lists.trunkOf.clone();
        for (int ofKey = 0; ofKey < maxLengthOf.length; ofKey++) {
            if (maxLengthOf[ofKey] != UNSEEN) {
                int first = nonPrefix.firstElement(maxLengthOf[ofKey]);
                lists.trunkLengthOf[ofKey] = nonPrefix.length(maxLengthOf[ofKey]);
                lists.trunkOf[ofKey] =
                        Arrays.copyOfRange(nonPrefix.elements(), first, first + lists.trunkLengthOf[ofKey]);
            }
        }
        for (int op = 0; op < opCount; op++) {
            if (kind[op] != OpKind.READ_LIST || maxLengthOf[key[op]] == UNSEEN) {
                continue;
            }
            long[] trunk = lists.trunkOf[key[op]];
            if (value[op] >= 0) {
                int length = (int) value[op];
                if (!Arrays.equals(formerOf[key[op]], 0, length, trunk, 0, length)) {
                    value[op] = ~nonPrefix.add(formerOf[key[op]], 0, length);
                }
            } else {
                int list = (int) ~value[op];
                int first = nonPrefix.firstElement(list);
                int length = nonPrefix.length(list);
                if (Arrays.equals(
                        nonPrefix.elements(), first, first + length, trunk, 0, Math.min(length, trunk.length))) {
                    value[op] = length;
                }
            }
        }
    }

    // ---------------------------------------------------------------- erased keys

    /**
     * Converts reads of nothing into guards where a transaction may have erased the key, unless their own transaction
     * wrote it before.
     */
    private void replaceReadsOfErased() {
        boolean[] isErased = new boolean[hasErasures ? keyCount() : 0];
        for (int txn = 0; hasErasures && txn < txnCount; txn++) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                isErased[key[op]] |= kind[op] == OpKind.ERASE && status[txn] != TxnStatus.ABORTED;
            }
        }
        for (int txn = 0; hasErasures && txn < txnCount; txn++) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (kind[op] == OpKind.READ_NOTHING && isErased[key[op]] && !isWritten(firstOpOf[txn], op)) {
                    kind[op] = OpKind.ABSENT;
                }
            }
        }
    }

    private boolean isWritten(int first, int read) {
        for (int op = first; op < read; op++) {
            if (key[op] == key[read] && OpKind.isWrite(kind[op])) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- the initial value

    /**
     * Converts reads of the value that represents the initial state into reads of nothing, unless a committed
     * transaction wrote it, or one that may have committed made it an element of a list or set. They keep their value,
     * which no other read of nothing has where a transaction of unknown outcome may have written it.
     */
    private void replaceInitialValue() {
        long initial = initialAsValue();
        if (initialValue == null || initial == HistorySlice.NONE) {
            return;
        }
        boolean[] isWritten = new boolean[keyCount()];
        boolean[] isDoubtful = new boolean[keyCount()];
        boolean isAnyDoubtful = false;
        for (int txn = 0; txn < txnCount; txn++) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (value[op] != initial || status[txn] == TxnStatus.ABORTED || !OpKind.isWriteOfValue(kind[op])) {
                    continue;
                }
                boolean isForSure = status[txn] == TxnStatus.COMMITTED || kind[op] != OpKind.WRITE;
                isWritten[key[op]] |= isForSure;
                isDoubtful[key[op]] |= !isForSure;
                isAnyDoubtful |= !isForSure;
            }
        }
        for (int op = 0; op < opCount && isAnyDoubtful; op++) {
            if (kind[op] == OpKind.READ_NOTHING && isDoubtful[key[op]]) {
                value[op] = initial == 0 ? 1 : 0;
            }
        }
        for (int op = 0; op < opCount; op++) {
            if (value[op] == initial && kind[op] == OpKind.READ && !isWritten[key[op]]) {
                kind[op] = OpKind.READ_NOTHING;
            }
        }
    }

    /** Returns whether the initial value is the first of the names of values, at any position. */
    boolean namesInitialValue() {
        return initialValue != null && valueType == ValueType.STRING;
    }

    /** Returns the value that represents the initial state; {@link HistorySlice#NONE} if it cannot occur. */
    long initialAsValue() {
        if (initialValue == null || valueType == ValueType.NONE) {
            return HistorySlice.NONE;
        }
        if (valueType == ValueType.LONG) {
            try {
                return Long.parseLong(initialValue);
            } catch (NumberFormatException notANumber) {
                return HistorySlice.NONE;
            }
        }
        return 0;
    }

    // ---------------------------------------------------------------- growing

    private void growTxns(int count) {
        if (count + 1 > txnId.length) {
            int capacity = larger(txnId.length, count + 1);
            txnId = Arrays.copyOf(txnId, capacity);
            sessionId = Arrays.copyOf(sessionId, capacity);
            sessionSeq = Arrays.copyOf(sessionSeq, capacity);
            status = Arrays.copyOf(status, capacity);
            firstOpOf = Arrays.copyOf(firstOpOf, capacity);
        }
    }

    private void growOps(int count) {
        if (count > kind.length) {
            int capacity = larger(kind.length, count);
            kind = Arrays.copyOf(kind, capacity);
            key = Arrays.copyOf(key, capacity);
            value = Arrays.copyOf(value, capacity);
        }
    }

    private static int[] grow(int[] array, int count) {
        return array.length >= count ? array : Arrays.copyOf(array, larger(array.length, count));
    }

    private static int larger(int capacity, int needed) {
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, capacity + ((long) capacity >> 1)));
    }
}
