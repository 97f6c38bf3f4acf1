package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.StringPool;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Codec for operations with the names and lists they use; the caller determines the meaning of a kind's value. */
final class OpCodec {

    /*
     *   opCount
     *   kinds                          two a byte, unless one is 16 or more
     *   keys                           packed, as are all columns below
     *   valueCount values              of operations that hold a value
     *   listReadCount                  of operations that hold a list:
     *     numbers lengths              and the lists, only if any
     *   [names of values] [names of keys]
     *
     * Names and lists are numbered while operations are added, so that each is processed once; they come last.
     */

    /** The value column holds nothing. */
    static final byte NOTHING = 0;

    /** The value column holds a number or a name. */
    static final byte VALUE = 1;

    /** The value column holds a {@link ListRef}. */
    static final byte LIST = 2;

    private final byte[] heldBy; // by kind
    private final UsedNames keyNames = new UsedNames();
    private final UsedNames valueNames = new UsedNames();
    private final UsedLists lists = new UsedLists();
    private boolean namedKeys;
    private boolean namedValues;

    private byte[] kind = new byte[256];
    private long[] key = new long[256];
    private int opCount;
    private long[] value = new long[256];
    private int valueCount;
    private long[] listOf = new long[64];
    private long[] lengthOf = new long[64];
    private int listReadCount;

    /** @param heldBy NOTHING, VALUE or LIST for each kind */
    OpCodec(byte[] heldBy) {
        this.heldBy = heldBy;
    }

    // ---------------------------------------------------------------- encoding

    /**
     * Begins with no operation.
     *
     * @param names of keys, null if keys are numbers
     * @param namesOfValues null if values are numbers
     * @param pool null without lists
     */
    void begin(@Nullable StringPool names, @Nullable StringPool namesOfValues, @Nullable ListPool pool) {
        opCount = 0;
        valueCount = 0;
        listReadCount = 0;
        namedKeys = names != null;
        namedValues = namesOfValues != null;
        if (names != null) {
            keyNames.begin(names);
        }
        if (namesOfValues != null) {
            valueNames.begin(namesOfValues);
        }
        if (pool != null) {
            lists.begin(pool);
        }
    }

    /** Adds operations {@code from} to {@code to} of these columns. */
    void add(byte[] kinds, long[] keys, long[] values, int from, int to) {
        ensure(to - from);
        System.arraycopy(kinds, from, kind, opCount, to - from);
        if (namedKeys) {
            for (int op = from; op < to; op++) {
                key[opCount + op - from] = keyNames.number(keys[op]);
            }
        } else {
            System.arraycopy(keys, from, key, opCount, to - from);
        }
        opCount += to - from;
        addValues(kinds, values, from, to);
    }

    private void addValues(byte[] kinds, long[] values, int from, int to) {
        for (int op = from; op < to; op++) {
            byte held = heldBy[kinds[op]];
            if (held == LIST) {
                addList(values[op]);
            } else { // written in any case and kept only if it is a value: no branch that cannot be predicted
                value[valueCount] = values[op];
                valueCount += held;
            }
        }
    }

    private void addList(long ref) {
        if (listReadCount == listOf.length) {
            listOf = Arrays.copyOf(listOf, listReadCount * 2);
            lengthOf = Arrays.copyOf(lengthOf, listReadCount * 2);
        }
        listOf[listReadCount] = lists.number(ListRef.list(ref), ListRef.length(ref));
        lengthOf[listReadCount] = ListRef.length(ref);
        listReadCount++;
    }

    private void ensure(int more) {
        int needed = opCount + more + 1;
        if (needed > kind.length) {
            int capacity = Math.max(needed, kind.length + (kind.length >> 1));
            kind = Arrays.copyOf(kind, capacity);
            key = Arrays.copyOf(key, capacity);
            value = Arrays.copyOf(value, capacity);
        }
    }

    /** Writes the operations added. */
    void finish(ByteWriter to) {
        to.putVarint(opCount);
        to.putCodes(kind, opCount);
        PackedLongs.put(key, opCount, to);
        for (int i = 0; namedValues && i < valueCount; i++) {
            value[i] = valueNames.number(value[i]);
        }
        to.putVarint(valueCount);
        PackedLongs.put(value, valueCount, to);
        to.putVarint(listReadCount);
        if (listReadCount > 0) {
            PackedLongs.put(listOf, listReadCount, to);
            PackedLongs.put(lengthOf, listReadCount, to);
            lists.encode(to, namedValues ? valueNames : null);
        }
        if (namedValues) {
            valueNames.encode(to);
        }
        if (namedKeys) {
            keyNames.encode(to);
        }
    }

    // ---------------------------------------------------------------- decoding

    OpColumns decode(ByteReader from, boolean keysAreNamed, boolean valuesAreNamed) {
        OpColumns ops = new OpColumns();
        int count = from.getCount();
        ops.opCount = count;
        ops.kind = new byte[count];
        from.getCodes(ops.kind, count);
        ops.key = new long[count];
        PackedLongs.get(from, ops.key, count);
        ops.value = new long[count];
        int values = from.getCount();
        PackedLongs.get(from, ops.value, values);
        int listReads = from.getCount();
        if (listReads > 0) {
            getLists(from, listReads);
            ops.lists = UsedLists.decode(from);
        }
        if (values < count) {
            spread(ops, values, listReads);
        }
        ops.valueNames = valuesAreNamed ? UsedNames.decode(from) : null;
        ops.keyNames = keysAreNamed ? UsedNames.decode(from) : null;
        return ops;
    }

    private void getLists(ByteReader from, int count) {
        if (count > listOf.length) {
            listOf = new long[count];
            lengthOf = new long[count];
        }
        PackedLongs.get(from, listOf, count);
        PackedLongs.get(from, lengthOf, count);
    }

    /** Moves the values from the beginning of their column to their operations; backwards, so in place. */
    private void spread(OpColumns ops, int values, int listReads) {
        long[] column = ops.value;
        int nextValue = values;
        int nextList = listReads;
        for (int op = ops.opCount - 1; op >= 0; op--) {
            byte held = heldBy[ops.kind[op]];
            if (held == LIST) {
                nextList--;
                column[op] = ListRef.of((int) listOf[nextList], (int) lengthOf[nextList]);
            } else { // a value, or 0 without one: no branch that cannot be predicted
                nextValue -= held;
                column[op] = column[nextValue] & -held;
            }
        }
    }
}
