package io.nightjar.pipeline.split;

import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.ListTable;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Arrays;

/** Chunks as bytes, for spilling and for the wire. One instance for each thread: it owns scratch. */
public final class LaneCodec {

    /*
     * A chunk, every number a varint, signed ones zigzag:
     *
     *   txnCount opCount keyType valueType
     *   [names of keys that occur]   only if keys are strings:   count { length bytes }
     *   [names of values]            only if values are strings: count { length bytes }
     *   listCount { length elements }                            only lists that occur
     *   { id start commit flags opCount }                        ids, starts as differences to the row before,
     *                                                            commits as differences to the start
     *   { kind }                                                 a byte each
     *   { key }
     *   { value | list length | nothing }                        by kind; values as differences to the value before
     *
     * Differences wrap around, so every int64 survives. Rows stand in file order, which is nearly time order.
     */

    private static final int UNUSED = -1;

    private int[] newKeyOf = new int[0];
    private int[] newValueOf = new int[0];
    private int[] newListOf = new int[0];
    private int[] usedKeys = new int[64];
    private int[] usedValues = new int[64];
    private int[] usedLists = new int[64];
    private int usedKeyCount;
    private int usedValueCount;
    private int usedListCount;

    /** Appends a chunk to a sink. */
    public void encode(LaneChunk chunk, ByteSink to) {
        to.putVarint(chunk.txnCount);
        to.putVarint(chunk.opCount);
        to.putByte(chunk.keyType.ordinal());
        to.putByte(chunk.valueType.ordinal());
        boolean namedKeys = chunk.keyType == ValueType.STRING;
        boolean namedValues = chunk.valueType == ValueType.STRING;
        number(chunk, namedKeys, namedValues);
        if (namedKeys) {
            encodeNames(chunk.keyNames, usedKeys, usedKeyCount, to);
        }
        if (namedValues) {
            encodeNames(chunk.valueNames, usedValues, usedValueCount, to);
        }
        encodeLists(chunk, namedValues, to);
        encodeTxns(chunk, to);
        to.putBytes(chunk.kind, 0, chunk.opCount);
        for (int op = 0; op < chunk.opCount; op++) {
            to.putSigned(namedKeys ? newKeyOf[(int) chunk.key[op]] : chunk.key[op]);
        }
        encodeValues(chunk, namedValues, to);
        forget(chunk, namedKeys, namedValues);
    }

    /** The next chunk of a feed. */
    public LaneChunk decode(ByteFeed from) {
        LaneChunk chunk = new LaneChunk();
        int txnCount = from.getCount();
        int opCount = from.getCount();
        chunk.keyType = ValueType.values()[from.getByte()];
        chunk.valueType = ValueType.values()[from.getByte()];
        if (chunk.keyType == ValueType.STRING) {
            chunk.keyNames = decodeNames(from);
        }
        if (chunk.valueType == ValueType.STRING) {
            chunk.valueNames = decodeNames(from);
        }
        decodeLists(chunk, from);
        chunk.txnCount = txnCount;
        chunk.opCount = opCount;
        decodeTxns(chunk, from);
        chunk.kind = new byte[opCount];
        System.arraycopy(from.array(), from.skip(opCount), chunk.kind, 0, opCount);
        chunk.key = new long[opCount];
        for (int op = 0; op < opCount; op++) {
            chunk.key[op] = from.getSigned();
        }
        decodeValues(chunk, from);
        return chunk;
    }

    // ---------------------------------------------------------------- numbering what occurs

    private void number(LaneChunk chunk, boolean namedKeys, boolean namedValues) {
        usedKeyCount = 0;
        usedValueCount = 0;
        usedListCount = 0;
        newKeyOf = namedKeys ? ready(newKeyOf, chunk.keyNames.size()) : newKeyOf;
        newValueOf = namedValues ? ready(newValueOf, chunk.valueNames.size()) : newValueOf;
        newListOf = chunk.lists != null ? ready(newListOf, chunk.lists.size()) : newListOf;
        if (!namedKeys && !namedValues && chunk.lists == null) {
            return;
        }
        for (int op = 0; op < chunk.opCount; op++) {
            if (namedKeys) {
                numberKey((int) chunk.key[op]);
            }
            if (LaneOp.holdsList(chunk.kind[op])) {
                numberList(chunk, ListRef.list(chunk.value[op]), namedValues);
            } else if (namedValues && LaneOp.holdsValue(chunk.kind[op])) {
                numberValue((int) chunk.value[op]);
            }
        }
    }

    private static int[] ready(int[] numbers, int count) {
        if (numbers.length >= count) {
            return numbers;
        }
        int[] longer = new int[Math.max(count, numbers.length * 2)];
        Arrays.fill(longer, UNUSED);
        return longer;
    }

    private void numberKey(int name) {
        if (newKeyOf[name] == UNUSED) {
            usedKeys = grown(usedKeys, usedKeyCount);
            usedKeys[usedKeyCount] = name;
            newKeyOf[name] = usedKeyCount++;
        }
    }

    private void numberValue(int name) {
        if (newValueOf[name] == UNUSED) {
            usedValues = grown(usedValues, usedValueCount);
            usedValues[usedValueCount] = name;
            newValueOf[name] = usedValueCount++;
        }
    }

    private void numberList(LaneChunk chunk, int list, boolean namedValues) {
        if (newListOf[list] != UNUSED) {
            return;
        }
        usedLists = grown(usedLists, usedListCount);
        usedLists[usedListCount] = list;
        newListOf[list] = usedListCount++;
        if (namedValues) {
            for (int at = 0; at < chunk.lists.length(list); at++) {
                numberValue((int) chunk.lists.element(list, at));
            }
        }
    }

    private static int[] grown(int[] array, int count) {
        return count < array.length ? array : Arrays.copyOf(array, count * 2);
    }

    /** Leaves the numbering all UNUSED for the next chunk; costs only what was used. */
    private void forget(LaneChunk chunk, boolean namedKeys, boolean namedValues) {
        for (int i = 0; namedKeys && i < usedKeyCount; i++) {
            newKeyOf[usedKeys[i]] = UNUSED;
        }
        for (int i = 0; namedValues && i < usedValueCount; i++) {
            newValueOf[usedValues[i]] = UNUSED;
        }
        for (int i = 0; chunk.lists != null && i < usedListCount; i++) {
            newListOf[usedLists[i]] = UNUSED;
        }
    }

    // ---------------------------------------------------------------- parts

    private static void encodeNames(StringTable names, int[] used, int count, ByteSink to) {
        to.putVarint(count);
        for (int i = 0; i < count; i++) {
            int length = names.length(used[i]);
            to.putVarint(length);
            to.putBytes(names.bytes(), names.firstByte(used[i]), length);
        }
    }

    private static StringTable decodeNames(ByteFeed from) {
        StringTable names = new StringTable();
        int count = from.getCount();
        for (int i = 0; i < count; i++) {
            int length = from.getCount();
            names.intern(from.array(), from.skip(length), length);
        }
        return names;
    }

    private void encodeLists(LaneChunk chunk, boolean namedValues, ByteSink to) {
        to.putVarint(usedListCount);
        for (int i = 0; i < usedListCount; i++) {
            int list = usedLists[i];
            int length = chunk.lists.length(list);
            to.putVarint(length);
            for (int at = 0; at < length; at++) {
                long element = chunk.lists.element(list, at);
                to.putSigned(namedValues ? newValueOf[(int) element] : element);
            }
        }
    }

    private static void decodeLists(LaneChunk chunk, ByteFeed from) {
        int count = from.getCount();
        if (count == 0) {
            return;
        }
        chunk.lists = new ListTable();
        long[] buffer = new long[64];
        for (int list = 0; list < count; list++) {
            int length = from.getCount();
            if (length > buffer.length) {
                buffer = new long[length];
            }
            for (int at = 0; at < length; at++) {
                buffer[at] = from.getSigned();
            }
            chunk.lists.add(buffer, 0, length);
        }
    }

    private static void encodeTxns(LaneChunk chunk, ByteSink to) {
        long id = 0;
        long start = 0;
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            to.putSigned(chunk.txnId[txn] - id);
            to.putSigned(chunk.startTs[txn] - start);
            to.putSigned(chunk.commitTs[txn] - chunk.startTs[txn]);
            to.putByte(chunk.flags[txn]);
            to.putVarint(chunk.firstOpOf[txn + 1] - chunk.firstOpOf[txn]);
            id = chunk.txnId[txn];
            start = chunk.startTs[txn];
        }
    }

    private static void decodeTxns(LaneChunk chunk, ByteFeed from) {
        int count = chunk.txnCount;
        chunk.txnId = new long[count];
        chunk.startTs = new long[count];
        chunk.commitTs = new long[count];
        chunk.flags = new byte[count];
        chunk.firstOpOf = new int[count + 1];
        long id = 0;
        long start = 0;
        for (int txn = 0; txn < count; txn++) {
            id += from.getSigned();
            start += from.getSigned();
            chunk.txnId[txn] = id;
            chunk.startTs[txn] = start;
            chunk.commitTs[txn] = start + from.getSigned();
            chunk.flags[txn] = (byte) from.getByte();
            chunk.firstOpOf[txn + 1] = chunk.firstOpOf[txn] + from.getCount();
        }
    }

    private void encodeValues(LaneChunk chunk, boolean namedValues, ByteSink to) {
        long before = 0;
        for (int op = 0; op < chunk.opCount; op++) {
            long value = chunk.value[op];
            if (LaneOp.holdsList(chunk.kind[op])) {
                to.putVarint(newListOf[ListRef.list(value)]);
                to.putVarint(ListRef.length(value));
            } else if (LaneOp.holdsValue(chunk.kind[op])) {
                long number = namedValues ? newValueOf[(int) value] : value;
                to.putSigned(number - before);
                before = number;
            }
        }
    }

    private static void decodeValues(LaneChunk chunk, ByteFeed from) {
        chunk.value = new long[chunk.opCount];
        long before = 0;
        for (int op = 0; op < chunk.opCount; op++) {
            if (LaneOp.holdsList(chunk.kind[op])) {
                int list = from.getCount();
                chunk.value[op] = ListRef.of(list, from.getCount());
            } else if (LaneOp.holdsValue(chunk.kind[op])) {
                before += from.getSigned();
                chunk.value[op] = before;
            }
        }
    }
}
