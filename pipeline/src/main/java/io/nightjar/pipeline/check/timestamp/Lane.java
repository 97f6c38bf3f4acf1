package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.partition.InitialValue;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteColumn;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.PairOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All operations on the keys of one lane, in memory, with keys as dense ints.
 *
 * <p>Chunks may be appended in any order: order is determined by timestamps and transaction ids.
 */
@SuppressWarnings("NullAway") // names are there where keys or values are texts
public final class Lane {

    /*
     * Layout.
     *
     *   txn    0 .. txnCount   a projection: a transaction's operations on this lane's keys, firstOp[txn] .. firstOp[txn + 1]
     *   op     0 .. opCount    kind is a LaneOp, key an ordinal, value a number, an ordinal of valueNames, or a LaneLists code
     *   key    0 .. keyCount   modelOf[key] is the type that the key is used as
     */

    static final int NONE = -1;

    private static final int REGISTER = 1;
    private static final int LIST = 2;
    private static final int UNJUDGED = 4;

    /*
     * Layout. Flags of a projection: the flags of LaneChunk in the low bits, and above
     *
     *   PROMOTED   an unknown transaction that counts as committed because it was read from
     *   READS      it reads something from outside, or disagrees with itself
     *   WRITES     it changes a version that others observe
     */
    private static final byte PROMOTED = 8;
    private static final byte READS = 16;
    private static final byte WRITES = 32;

    private static final byte[] MODEL_OF_KIND = new byte[LaneOp.COUNT];
    private static final byte[] FLAGS_OF_KIND = new byte[LaneOp.COUNT];

    static {
        for (byte kind = 0; kind < LaneOp.COUNT; kind++) {
            MODEL_OF_KIND[kind] = model(kind);
            FLAGS_OF_KIND[kind] = LaneOp.isEffective(kind) ? WRITES : kind == LaneOp.MENTION ? 0 : READS;
        }
    }

    private final LongColumn txnId = new LongColumn();
    private final LongColumn startTs = new LongColumn();
    private final LongColumn commitTs = new LongColumn();
    private final ByteColumn flags = new ByteColumn();
    private final IntColumn firstOp = new IntColumn();

    private final ByteColumn kind = new ByteColumn();
    private final IntColumn key = new IntColumn();
    private final LongColumn value = new LongColumn();

    private ValueType keyType = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private final LongOrdinals numberKeys = new LongOrdinals();
    private @Nullable StringPool keyNames;
    private @Nullable StringPool valueNames;
    private final LaneLists lists = new LaneLists();
    private byte[] modelOf = new byte[1 << 10];

    private int[] keyBuffer = new int[0]; // scratch of append
    private int[] keyOfName = new int[0];
    private int[] valueOfName = new int[0];
    private boolean hasUnknown;
    private LongSet promotedIds = LongSets.EMPTY_SET;
    private boolean hasOwnPairs;

    public Lane() {
        firstOp.add(0);
    }

    /** Returns the model of a key that an operation kind implies; null reads and mentions fit every model. */
    private static byte model(byte kind) {
        return switch (kind) {
            case LaneOp.READ, LaneOp.WRITE, LaneOp.INTERMEDIATE_WRITE, LaneOp.OWN_EXPECTED, LaneOp.OWN_OBSERVED ->
                REGISTER;
            case LaneOp.READ_LIST,
                    LaneOp.READ_LIST_LOOSE,
                    LaneOp.APPEND,
                    LaneOp.APPEND_AGAIN,
                    LaneOp.OWN_EXPECTED_LIST,
                    LaneOp.OWN_OBSERVED_LIST -> LIST;
            case LaneOp.UNJUDGED -> UNJUDGED;
            default -> 0;
        };
    }

    public int txnCount() {
        return txnId.size();
    }

    public int opCount() {
        return kind.size();
    }

    public int keyCount() {
        return keyType == ValueType.STRING ? keyNames.size() : numberKeys.size();
    }

    /** Bytes held, for memory accounting. */
    public long byteSize() {
        return txnId.byteSize() * 3
                + flags.byteSize()
                + firstOp.byteSize()
                + kind.byteSize()
                + key.byteSize()
                + value.byteSize()
                + numberKeys.byteSize()
                + (keyNames == null ? 0 : keyNames.byteSize())
                + (valueNames == null ? 0 : valueNames.byteSize())
                + lists.byteSize()
                + modelOf.length;
    }

    /** Bytes held once the lane is checked: its columns, the sorted events of one level, and the state of its keys. */
    public long byteSizeWhenChecked() {
        return byteSize() + 48L * txnCount() + 48L * keyCount();
    }

    // ---------------------------------------------------------------- filling

    /** Takes a chunk's projections over. */
    public void append(LaneChunk chunk) {
        if (chunk.isEmpty()) {
            return;
        }
        adoptTypes(chunk);
        lists.beginChunk(chunk.lists);
        mapNames(chunk);
        lists.elementsAre(chunk.valueType == ValueType.STRING ? valueOfName : null);
        txnId.addAll(chunk.txnId, 0, chunk.txnCount);
        startTs.addAll(chunk.startTs, 0, chunk.txnCount);
        commitTs.addAll(chunk.commitTs, 0, chunk.txnCount);
        int base = kind.size();
        for (int t = 0; t < chunk.txnCount; t++) {
            firstOp.add(base + chunk.firstOpOf[t + 1]);
            flags.add((byte) (chunk.flags[t] | opFlags(chunk, t)));
            hasUnknown |= (chunk.flags[t] & LaneChunk.STATUS_MASK) == TxnStatus.UNKNOWN;
        }
        kind.addAll(chunk.kind, 0, chunk.opCount);
        appendKeys(chunk);
        appendValues(chunk);
    }

    /** Returns the flags of the transaction's operations in this lane. */
    private static int opFlags(LaneChunk chunk, int t) {
        int opFlags = 0;
        for (int op = chunk.firstOpOf[t]; op < chunk.firstOpOf[t + 1]; op++) {
            opFlags |= FLAGS_OF_KIND[chunk.kind[op]];
        }
        return opFlags;
    }

    /** Returns whether the keys and values of a chunk are of the types that are here, so that it may be appended. */
    public boolean agreesWith(LaneChunk chunk) {
        boolean haveKeysTwoTypes =
                keyType != ValueType.NONE && chunk.keyType != ValueType.NONE && chunk.keyType != keyType;
        if (haveKeysTwoTypes) {
            return false;
        }
        return valueType != ValueType.LONG || chunk.valueType != ValueType.STRING || !holdsValues(chunk);
    }

    private static boolean holdsValues(LaneChunk chunk) {
        for (int op = 0; op < chunk.opCount; op++) {
            if (LaneOp.holdsValue(chunk.kind[op]) || LaneOp.holdsList(chunk.kind[op])) {
                return true;
            }
        }
        return false;
    }

    private void adoptTypes(LaneChunk chunk) {
        if (keyType == ValueType.NONE && chunk.keyType != ValueType.NONE) {
            keyType = chunk.keyType;
            keyNames = keyType == ValueType.STRING ? new StringPool() : null;
        }
        if (valueType == ValueType.NONE && chunk.valueType != ValueType.NONE) {
            valueType = chunk.valueType;
            valueNames = valueType == ValueType.STRING ? new StringPool() : null;
        }
    }

    private void mapNames(LaneChunk chunk) {
        if (chunk.keyType == ValueType.STRING) {
            keyOfName = unmapped(keyOfName, chunk.keyNames.size());
        }
        if (chunk.valueType == ValueType.STRING) {
            valueOfName = unmapped(valueOfName, chunk.valueNames.size());
            for (int op = 0; op < chunk.opCount; op++) {
                if (LaneOp.holdsValue(chunk.kind[op])) {
                    mapValue(chunk, (int) chunk.value[op]);
                } else if (LaneOp.holdsList(chunk.kind[op]) && lists.isFirstMention(ListRef.list(chunk.value[op]))) {
                    int list = ListRef.list(chunk.value[op]);
                    for (int at = 0; at < chunk.lists.length(list); at++) {
                        mapValue(chunk, (int) chunk.lists.element(list, at));
                    }
                }
            }
        }
    }

    private static int[] unmapped(int[] scratch, int count) {
        int[] map = scratch.length >= count ? scratch : new int[count];
        Arrays.fill(map, 0, count, NONE);
        return map;
    }

    private void mapValue(LaneChunk chunk, int name) {
        if (valueOfName[name] == NONE) {
            valueOfName[name] = valueNames.internFrom(chunk.valueNames, name);
        }
    }

    private void appendKeys(LaneChunk chunk) {
        if (chunk.opCount > keyBuffer.length) {
            keyBuffer = new int[chunk.opCount];
        }
        int[] keys = keyBuffer;
        if (chunk.keyType == ValueType.STRING) {
            for (int op = 0; op < chunk.opCount; op++) {
                keys[op] = keyOrdinal(chunk, (int) chunk.key[op]);
            }
        } else {
            for (int op = 0; op < chunk.opCount; op++) {
                keys[op] = numberKeys.ordinal(chunk.key[op]);
            }
        }
        key.addAll(keys, 0, chunk.opCount);
        if (keyCount() > modelOf.length) {
            modelOf = Arrays.copyOf(modelOf, Math.max(keyCount(), modelOf.length * 2));
        }
        for (int op = 0; op < chunk.opCount; op++) {
            byte opKind = chunk.kind[op];
            modelOf[keys[op]] |= MODEL_OF_KIND[opKind];
            hasOwnPairs |= opKind == LaneOp.OWN_EXPECTED
                    || opKind == LaneOp.OWN_EXPECTED_NOTHING
                    || opKind == LaneOp.OWN_EXPECTED_LIST;
        }
    }

    private void appendValues(LaneChunk chunk) {
        boolean named = chunk.valueType == ValueType.STRING;
        if (!named && chunk.lists == null) {
            value.addAll(chunk.value, 0, chunk.opCount);
            return;
        }
        int base = kind.size() - chunk.opCount;
        for (int op = 0; op < chunk.opCount; op++) {
            byte opKind = chunk.kind[op];
            if (LaneOp.holdsList(opKind)) {
                value.add(lists.code(key.get(base + op), chunk.value[op]));
            } else if (named && LaneOp.holdsValue(opKind)) {
                value.add(valueOfName[(int) chunk.value[op]]);
            } else {
                value.add(chunk.value[op]);
            }
        }
    }

    private int keyOrdinal(LaneChunk chunk, int name) {
        if (keyOfName[name] == NONE) {
            keyOfName[name] = keyNames.internFrom(chunk.keyNames, name);
        }
        return keyOfName[name];
    }

    // ---------------------------------------------------------------- unknown transactions

    /** Returns whether any transaction's outcome is unknown. */
    boolean hasUnknown() {
        return hasUnknown;
    }

    /** Counts these unknown transactions as committed, and no others. */
    public void promote(LongSet txnIds) {
        promotedIds = txnIds;
        for (int txn = 0; hasUnknown && txn < txnCount(); txn++) {
            if (status(txn) == TxnStatus.UNKNOWN) {
                setPromoted(txn, txnIds.contains(txnId.get(txn)));
            }
        }
    }

    /** Counts every unknown transaction as committed, or none. */
    void countEveryUnknown(boolean isCounted) {
        for (int txn = 0; hasUnknown && txn < txnCount(); txn++) {
            if (status(txn) == TxnStatus.UNKNOWN) {
                setPromoted(txn, isCounted);
            }
        }
    }

    private void setPromoted(int txn, boolean isPromoted) {
        byte of = flags.get(txn);
        flags.set(txn, (byte) (isPromoted ? of | PROMOTED : of & ~PROMOTED));
    }

    boolean isPromotedId(long id) {
        return promotedIds.contains(id);
    }

    byte status(int txn) {
        return (byte) (flags.get(txn) & LaneChunk.STATUS_MASK);
    }

    /** Returns whether a transaction is committed, or unknown and counted as committed. */
    boolean countsAsCommitted(int txn) {
        byte of = flags.get(txn);
        return LaneChunk.isCommitted(of) || (of & PROMOTED) != 0;
    }

    /** Returns whether both timestamps are known. */
    boolean isPlaced(int txn) {
        return startTs.get(txn) != HistorySlice.NONE && commitTs.get(txn) != HistorySlice.NONE;
    }

    /** Returns whether it may read something from outside in this lane; never wrongly no. */
    boolean reads(int txn) {
        return (flags.get(txn) & READS) != 0;
    }

    /** Returns whether it may change something in this lane; never wrongly no. */
    boolean writes(int txn) {
        return (flags.get(txn) & WRITES) != 0;
    }

    boolean isReadOnly(int txn) {
        return (flags.get(txn) & LaneChunk.WROTE) == 0;
    }

    // ---------------------------------------------------------------- keys

    /** Returns whether the key is checkable by timestamps: a register or a list, and not both. */
    boolean isJudged(int k) {
        return modelOf[k] != (REGISTER | LIST) && modelOf[k] < UNJUDGED;
    }

    boolean isList(int k) {
        return modelOf[k] == LIST;
    }

    /** Excludes a key from the check. */
    void leaveUnjudged(int k) {
        modelOf[k] |= UNJUDGED;
    }

    /** Converts every operation on excluded keys into a mention; returns the number of excluded keys. */
    int dropUnjudged() {
        int unjudged = 0;
        for (int k = 0; k < keyCount(); k++) {
            unjudged += isJudged(k) ? 0 : 1;
        }
        for (int op = 0; unjudged > 0 && op < opCount(); op++) {
            if (!isJudged(key.get(op))) {
                kind.set(op, LaneOp.MENTION);
            }
        }
        return unjudged;
    }

    /** Returns whether any read disagreed with its own transaction's previous operations. */
    boolean hasOwnPairs() {
        return hasOwnPairs;
    }

    String keyText(int k) {
        return keyType == ValueType.STRING ? keyNames.get(k) : Long.toString(numberKeys.name(k));
    }

    String valueText(long scalar) {
        return valueType == ValueType.STRING ? valueNames.get((int) scalar) : Long.toString(scalar);
    }

    boolean knowsInitialValue(@Nullable String text) {
        return InitialValue.isKnown(valueType, valueNames, text);
    }

    long initialValue(String text) {
        return InitialValue.asLong(valueType, valueNames, text);
    }

    /** Returns the committed transactions in the order of their commit timestamps; of equals, read-only ones last. */
    int[] committedInOrder() {
        long[] commits = new long[txnCount()];
        int[] txns = new int[txnCount()];
        int count = 0;
        for (int txn = 0; txn < txnCount(); txn++) {
            if (status(txn) == TxnStatus.COMMITTED) {
                commits[count] = 2 * commitTs.get(txn) + (isReadOnly(txn) ? 1 : 0);
                txns[count++] = txn;
            }
        }
        RadixSort.sort(commits, txns, count);
        return Arrays.copyOf(txns, count);
    }

    /** Returns, by key, whether a committed transaction ever wrote this value. */
    boolean[] findWritersOf(long scalar) {
        boolean[] wrote = new boolean[keyCount()];
        for (int txn = 0; txn < txnCount(); txn++) {
            for (int op = firstOp.get(txn); status(txn) == TxnStatus.COMMITTED && op < firstOp.get(txn + 1); op++) {
                byte opKind = kind.get(op);
                boolean writes = LaneOp.isEffective(opKind) || opKind == LaneOp.INTERMEDIATE_WRITE;
                wrote[key.get(op)] |= writes && value.get(op) == scalar;
            }
        }
        return wrote;
    }

    /** Returns whether a read returned the initial state, which represents no value. */
    boolean readsNothing(int op) {
        byte opKind = kind.get(op);
        return LaneOp.holdsList(opKind) ? lists.length(value.get(op)) == 0 : opKind != LaneOp.READ;
    }

    /** Returns the value that a read returned, of a list its last element. */
    long valueRead(int op) {
        long read = value.get(op);
        return LaneOp.holdsList(kind.get(op)) ? lists.element(key.get(op), read, lists.length(read) - 1) : read;
    }

    /** Returns the pair of key and value that a read returned, of a list its last element; NONE if initial. */
    int pairRead(int op, PairOrdinals pairs) {
        return readsNothing(op) ? PairOrdinals.NONE : pairs.find(key.get(op), valueRead(op));
    }

    // ---------------------------------------------------------------- columns, for the sweeps

    LongColumn txnId() {
        return txnId;
    }

    LongColumn startTs() {
        return startTs;
    }

    LongColumn commitTs() {
        return commitTs;
    }

    IntColumn firstOp() {
        return firstOp;
    }

    ByteColumn kind() {
        return kind;
    }

    IntColumn key() {
        return key;
    }

    LongColumn value() {
        return value;
    }

    LaneLists lists() {
        return lists;
    }
}
