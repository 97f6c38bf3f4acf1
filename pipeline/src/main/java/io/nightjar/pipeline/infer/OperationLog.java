package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * All operations of a history as columns, with one numbering of keys and values for the whole of it.
 *
 * <p>Filled slice by slice by {@link OperationLogBuilder}; immutable by convention afterwards.
 */
@SuppressWarnings("NullAway") // columns that the history lacks are null, and nothing reads them then
public final class OperationLog {

    /*
     * Layout.
     *
     *   txn   0 .. txnCount    rows of any status, in the order of the history
     *   op    0 .. opCount     in program order: firstOpOf[txn] .. firstOpOf[txn + 1]
     *   key   0 .. keyCount    in the order of first appearance
     *
     * value[op] is the number itself if values are int64. If they are strings it is an ordinal of valueNames: 0 for the
     * initial value if one was given, the others in the order of first appearance. For a list read it is a reference
     * into lists, see ListReads. For a read of nothing it is undefined. A read of the value that represents the initial
     * state is a read of nothing here, unless a committed transaction wrote that value to the key. Arrays may be longer
     * than the counts.
     */

    public final int txnCount;
    public final long[] txnId;
    public final long[] sessionId;
    public final long[] sessionSeq;

    /** A {@code TxnStatus} by transaction. */
    public final byte[] status;

    /** {@link HistorySlice#NONE} where missing; null if every one is. */
    public final long[] startTs;

    public final long[] commitTs;
    public final long[] invokeNs;
    public final long[] completeNs;

    public final int opCount;
    public final int[] firstOpOf;

    /** An {@code OpKind} by operation. */
    public final byte[] kind;

    public final int[] key;
    public final long[] value;

    /** {@link HistorySlice#NONE} where missing; null if every one is. */
    public final long[] version;

    public final long[] writerTxn;

    public final int keyCount;

    /** Number of keys in the rows; the others are elements of sets. */
    public final int recordedKeyCount;

    public final ListReads lists;

    private final ValueType keyType;
    private final long[] keyNumbers;
    private final StringPool keyNames;
    private final ValueType valueType;
    private final StringPool valueNames;
    private final int @Nullable []
            nameOfKey; // its index in the names or numbers of keys; null if that is the key itself
    private final int @Nullable [] nameOfValue; // the same for values that have names
    private final boolean namesInitialValue;
    final long initialAsValue; // NONE if it cannot occur
    private final @Nullable RowConditions conditions; // null if no guard states a condition
    private final @Nullable BitSet elementKeys; // keys that represent elements of sets that only grow; null if none do
    private final @Nullable OperationLog recorded; // of a view: the log as it was recorded; null for that log itself
    private final @Nullable BitSet isCut; // by operation: a list read without the own appends that it ended with
    private final @Nullable Long2LongMap valueOfAlias; // by alias of a repeated value: that value
    private final @Nullable Supposition supposed; // null if outcomes are as recorded

    OperationLog(OperationLogBuilder from) {
        txnCount = from.txnCount;
        txnId = from.txnId;
        sessionId = from.sessionId;
        sessionSeq = from.sessionSeq;
        status = from.status;
        startTs = from.startTs;
        commitTs = from.commitTs;
        invokeNs = from.invokeNs;
        completeNs = from.completeNs;
        opCount = from.opCount;
        firstOpOf = from.firstOpOf;
        kind = from.kind;
        key = from.key;
        value = from.value;
        version = from.version;
        writerTxn = from.writerTxn;
        keyCount = from.keyCount();
        recordedKeyCount = keyCount;
        lists = from.lists;
        keyType = from.keyType;
        keyNumbers = from.keyNumbers();
        keyNames = from.keyNames;
        valueType = from.valueType;
        valueNames = from.valueNames;
        nameOfKey = null;
        nameOfValue = null;
        namesInitialValue = from.namesInitialValue();
        initialAsValue = from.initialAsValue();
        conditions = from.conditions;
        elementKeys = null;
        recorded = null;
        isCut = null;
        valueOfAlias = null;
        supposed = null;
    }

    OperationLog(LogPartition from) {
        txnCount = from.txnCount;
        txnId = from.txnId;
        sessionId = from.sessionId;
        sessionSeq = from.sessionSeq;
        status = from.status;
        startTs = from.startTs;
        commitTs = from.commitTs;
        invokeNs = from.invokeNs;
        completeNs = from.completeNs;
        opCount = from.opCount;
        firstOpOf = from.firstOpOf;
        kind = from.kind;
        key = from.key;
        value = from.value;
        version = from.version;
        writerTxn = from.writerTxn;
        keyCount = from.keyCount;
        recordedKeyCount = from.recordedKeyCount();
        lists = from.lists;
        OperationLog whole = from.whole;
        keyType = whole.keyType;
        keyNumbers = whole.keyNumbers;
        keyNames = whole.keyNames;
        valueType = whole.valueType;
        valueNames = whole.valueNames;
        nameOfKey = from.nameOfKey();
        nameOfValue = from.nameOfValue();
        namesInitialValue = whole.namesInitialValue;
        initialAsValue = whole.initialAsValue; // a name of it is the first one here too
        conditions = whole.conditions;
        elementKeys = null;
        recorded = null;
        isCut = null;
        valueOfAlias = null;
        supposed = null;
    }

    /**
     * Creates a view of a log: the same operations, some of whose values are replaced.
     *
     * @param value by operation
     * @param isCut by operation, those cut already by the log included; null if none is
     * @param valueOfAlias by alias of a repeated value: that value; null if no alias is used
     * @param supposed null if outcomes are as recorded
     */
    OperationLog(
            OperationLog of,
            long[] value,
            ListReads lists,
            @Nullable BitSet isCut,
            @Nullable Long2LongMap valueOfAlias,
            @Nullable Supposition supposed) {
        txnCount = of.txnCount;
        txnId = of.txnId;
        sessionId = of.sessionId;
        sessionSeq = of.sessionSeq;
        status = of.status;
        startTs = of.startTs;
        commitTs = of.commitTs;
        invokeNs = of.invokeNs;
        completeNs = of.completeNs;
        opCount = of.opCount;
        firstOpOf = of.firstOpOf;
        kind = of.kind;
        key = of.key;
        this.value = value;
        version = of.version;
        writerTxn = of.writerTxn;
        keyCount = of.keyCount;
        recordedKeyCount = of.recordedKeyCount;
        this.lists = lists;
        keyType = of.keyType;
        keyNumbers = of.keyNumbers;
        keyNames = of.keyNames;
        valueType = of.valueType;
        valueNames = of.valueNames;
        nameOfKey = of.nameOfKey;
        nameOfValue = of.nameOfValue;
        namesInitialValue = of.namesInitialValue;
        initialAsValue = of.initialAsValue;
        conditions = of.conditions;
        elementKeys = of.elementKeys;
        recorded = of.recorded();
        this.isCut = isCut;
        this.valueOfAlias = valueOfAlias;
        this.supposed = supposed;
    }

    /** Creates a log with keys for the elements of sets. */
    OperationLog(OperationLog of, ElementKeys elements, int[] firstOpOf) {
        txnCount = of.txnCount;
        txnId = of.txnId;
        sessionId = of.sessionId;
        sessionSeq = of.sessionSeq;
        status = of.status;
        startTs = of.startTs;
        commitTs = of.commitTs;
        invokeNs = of.invokeNs;
        completeNs = of.completeNs;
        opCount = elements.count();
        this.firstOpOf = firstOpOf;
        kind = elements.kinds();
        key = elements.keys();
        value = elements.values();
        version = elements.gathered(of.version);
        writerTxn = elements.gathered(of.writerTxn);
        int[] addedKeys = elements.addedKeys();
        keyCount = of.keyCount + addedKeys.length;
        recordedKeyCount = of.recordedKeyCount;
        lists = of.lists;
        keyType = of.keyType;
        keyNumbers = of.keyNumbers;
        keyNames = of.keyNames;
        valueType = of.valueType;
        valueNames = of.valueNames;
        int[] sets = new int[keyCount];
        Arrays.setAll(sets, ofKey -> ofKey < of.keyCount ? ofKey : addedKeys[ofKey - of.keyCount]);
        elementKeys = elements.growingKeys();
        nameOfKey = of.nameOfKey == null
                ? sets
                : Arrays.stream(sets).map(of::nameOfKey).toArray();
        nameOfValue = of.nameOfValue;
        namesInitialValue = of.namesInitialValue;
        initialAsValue = of.initialAsValue;
        conditions = of.conditions;
        recorded = null;
        isCut = elements.gathered(of.isCut);
        valueOfAlias = of.valueOfAlias;
        supposed = of.supposed;
    }

    /**
     * Supposed outcomes.
     *
     * @param counted unknown transactions that count, and no others
     * @param optional counted transactions that need not have committed: no session orders others after them, so that
     *     they may come last, where nothing depends on them
     */
    record Supposition(BitSet counted, BitSet optional) {}

    /** Returns a view in which some unknown transactions count, and the unknown ones they read from, but no others. */
    OperationLog supposing(Supposition supposition) {
        return new OperationLog(this, value, lists, isCut, valueOfAlias, supposition);
    }

    /** Returns the supposed outcomes; null if outcomes are as recorded. */
    @Nullable
    Supposition supposed() {
        return supposed;
    }

    /** Returns whether a transaction counts that need not have committed. */
    public boolean isOptional(int txn) {
        return supposed != null && supposed.optional.get(txn);
    }

    /** Returns whether transactions count that need not have committed. */
    public boolean hasOptional() {
        return supposed != null && !supposed.optional.isEmpty();
    }

    /** Returns the log as it was recorded, of which this log may be a view. */
    public OperationLog recorded() {
        return recorded == null ? this : recorded;
    }

    /** Returns the kind of a write in the history: of an element of a set that only grows, an addition. */
    public byte recordedKind(int write) {
        boolean isAddition = elementKeys != null && elementKeys.get(key[write]);
        return isAddition ? OpKind.ADD : kind[write];
    }

    /** Returns whether a list read ended with all own appends before it, which this view omits. */
    public boolean isCutBeforeOwn(int op) {
        return isCut != null && isCut.get(op);
    }

    /**
     * Returns the keys to which a transaction of unknown outcome wrote the very value that represents the initial
     * state: a reader may have read either. Null if no key is affected.
     */
    boolean @Nullable [] doubtfulInitials(TxnOutcomes outcomes) {
        boolean[] isDoubtful = null;
        for (int txn = 0; txn < txnCount && initialAsValue != HistorySlice.NONE; txn++) {
            if (status[txn] != TxnStatus.UNKNOWN || outcomes.areSupposed() && !outcomes.isCounted(txn)) {
                continue;
            }
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (kind[op] == OpKind.WRITE && value[op] == initialAsValue) {
                    isDoubtful = isDoubtful == null ? new boolean[keyCount] : isDoubtful;
                    isDoubtful[key[op]] = true;
                }
            }
        }
        return isDoubtful;
    }

    /** Returns whether a committed transaction has guards, or writes that no read identifies. */
    public boolean hasGuards() {
        for (int op = 0; op < opCount; op++) {
            boolean isGuard = OpKind.isGuard(kind[op]) || OpKind.isUnreadWrite(kind[op]);
            if (isGuard && status[txnOf(op)] == TxnStatus.COMMITTED) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many elements a read of a list or set returned; none where it found nothing. */
    public int lengthRead(int op) {
        return kind[op] == OpKind.READ_LIST ? lists.length(value[op]) : 0;
    }

    /** Returns whose operation it is. */
    public int txnOf(int op) {
        int txn = Arrays.binarySearch(firstOpOf, 0, txnCount + 1, op);
        if (txn < 0) {
            return ~txn - 1;
        }
        while (firstOpOf[txn + 1] == op) { // transactions without operations share their first index
            txn++;
        }
        return txn;
    }

    /** Returns whether a read of nothing read the initial value, and that of a key where it is doubtful. */
    boolean isDoubtful(int op, boolean @Nullable [] doubtfulInitials) {
        return doubtfulInitials != null && doubtfulInitials[key[op]] && value[op] == initialAsValue;
    }

    /** Returns a key as the history spells it. */
    public String keyText(int ofKey) {
        int name = nameOfKey(ofKey);
        return keyType == ValueType.STRING ? keyNames.get(name) : Long.toString(keyNumbers[name]);
    }

    boolean hasNamedValues() {
        return valueType == ValueType.STRING;
    }

    boolean namesInitialValue() {
        return namesInitialValue;
    }

    int nameOfKey(int ofKey) {
        return nameOfKey == null ? ofKey : nameOfKey[ofKey];
    }

    int nameOfValue(int ofValue) {
        return nameOfValue == null ? ofValue : nameOfValue[ofValue];
    }

    /** Returns the value that a write left as the history spells it, or null as text after an erasure. */
    public String writtenText(int op) {
        return kind[op] == OpKind.ERASE ? "null" : valueText(value[op]);
    }

    /** Returns whether a value matches the condition that a guard states. */
    boolean matches(int guard, long written) {
        return requireNonNull(conditions).matches(valueText(value[guard]), valueText(written));
    }

    /** Returns the range of the parts of a computed answer; null if no parts are known. */
    long @Nullable [] range(long answer) {
        return requireNonNull(conditions).range(valueText(answer));
    }

    /** Returns the part that a written value adds to a computed answer; null if it is not known. */
    @Nullable
    Long part(long answer, long written) {
        return requireNonNull(conditions).part(valueText(answer), valueText(written));
    }

    /** Returns the number that a value spells; {@link Observations#NO_SUM} if it spells none. */
    long number(long scalar) {
        if (!hasNamedValues() && valueOfAlias == null) {
            return scalar;
        }
        try {
            return Long.parseLong(valueText(scalar));
        } catch (NumberFormatException notANumber) {
            return Observations.NO_SUM;
        }
    }

    /** Returns the value at which counters begin: the initial value if it is a number. */
    long initialNumber() {
        long initial = initialAsValue == HistorySlice.NONE ? 0 : number(initialAsValue);
        return initial == Observations.NO_SUM ? 0 : initial;
    }

    /** Returns a value or list element as the history spells it. */
    public String valueText(long scalar) {
        long named = valueOfAlias == null ? scalar : valueOfAlias.getOrDefault(scalar, scalar);
        return hasNamedValues() ? valueNames.get(nameOfValue((int) named)) : Long.toString(named);
    }
}
