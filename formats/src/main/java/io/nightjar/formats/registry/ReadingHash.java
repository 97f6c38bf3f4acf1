package io.nightjar.formats.registry;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SplitDigest;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes the {@link SplitDigest} of the slices of a split. */
final class ReadingHash {

    /*
     * Algorithm. A hash is a sum over rows, or over operations, of their contents mixed with the position in the split.
     * It therefore does not depend on the boundaries of slices, which differ between readings of different columns.
     *
     * Cost. One or two multiplications per number. Strings are hashed once per table; of a list read only the length
     * and the first and last element count, since lists share their elements.
     *
     * The JSON of extra columns is excluded: no verdict depends on it.
     */

    private static final EnumSet<ColumnGroup> HASHED = EnumSet.of(
            ColumnGroup.TIMESTAMPS,
            ColumnGroup.CLIENT_TIMES,
            ColumnGroup.OPERATIONS,
            ColumnGroup.VERSIONS,
            ColumnGroup.WRITERS,
            ColumnGroup.PREDICATES);

    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long SPREAD = 0xD6E8FEB86659FD93L;
    private static final long OTHER = 0xC2B2AE3D27D4EB4FL;
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** All bits set if the value of a kind counts, otherwise 0. */
    private static final long[] VALUE_OF_KIND = valueOfKind();

    private final EnumSet<ColumnGroup> columns = EnumSet.copyOf(HASHED);
    private final long[] hashOf = new long[ColumnGroup.values().length];
    private final StringHashes keyNames = new StringHashes();
    private final StringHashes valueNames = new StringHashes();
    private final StringHashes textNames = new StringHashes();
    private long heads;
    private long txnCount;
    private long opCount;

    ReadingHash(Set<ColumnGroup> wanted) {
        columns.retainAll(wanted);
        if (!columns.contains(ColumnGroup.OPERATIONS)) { // other columns are hashed with positions of operations
            columns.remove(ColumnGroup.VERSIONS);
            columns.remove(ColumnGroup.WRITERS);
            columns.remove(ColumnGroup.PREDICATES);
        }
    }

    void add(HistorySlice slice) {
        heads += heads(slice);
        if (columns.contains(ColumnGroup.TIMESTAMPS)) {
            hashOf[ColumnGroup.TIMESTAMPS.ordinal()] += pairs(slice.startTs, slice.commitTs, slice.txnCount);
        }
        if (columns.contains(ColumnGroup.CLIENT_TIMES)) {
            hashOf[ColumnGroup.CLIENT_TIMES.ordinal()] += pairs(slice.invokeNs, slice.completeNs, slice.txnCount);
        }
        if (columns.contains(ColumnGroup.OPERATIONS)) {
            hashOf[ColumnGroup.OPERATIONS.ordinal()] += operations(slice);
        }
        if (columns.contains(ColumnGroup.VERSIONS)) {
            hashOf[ColumnGroup.VERSIONS.ordinal()] += numbers(slice.version, slice.opCount, opCount);
        }
        if (columns.contains(ColumnGroup.WRITERS)) {
            hashOf[ColumnGroup.WRITERS.ordinal()] += numbers(slice.writerTxn, slice.opCount, opCount);
        }
        if (columns.contains(ColumnGroup.PREDICATES)) {
            hashOf[ColumnGroup.PREDICATES.ordinal()] += predicates(slice);
        }
        opCount += columns.contains(ColumnGroup.OPERATIONS) ? slice.opCount : 0;
        txnCount += slice.txnCount;
    }

    SplitDigest reading(long badRowCount) {
        return new SplitDigest(txnCount, badRowCount, opCount, heads, columns, hashOf);
    }

    private long predicates(HistorySlice slice) {
        long sum = numbers(slice.numbers(HistoryColumn.ROWS), slice.opCount, opCount);
        sum += OTHER * numbers(slice.numbers(HistoryColumn.READ_TS), slice.opCount, opCount);
        sum += SPREAD * numbers(slice.numbers(HistoryColumn.LIMIT), slice.opCount, opCount);
        if (slice.texts == null) {
            return sum;
        }
        long[] hashOfText = textNames.of(slice.texts);
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            long[] texts = slice.numbers(column);
            for (int op = 0; texts != null && op < slice.opCount; op++) {
                if (texts[op] != HistorySlice.NONE) {
                    sum += mix(hashOfText[(int) texts[op]] + column.ordinal() ^ (opCount + op) * STEP);
                }
            }
        }
        return sum;
    }

    private long heads(HistorySlice slice) {
        long sum = 0;
        long position = txnCount * STEP;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long head = slice.txnId[txn] + slice.sessionId[txn] * OTHER + slice.sessionSeq[txn] * SPREAD;
            sum += mix((head << 2 | slice.status[txn]) ^ head >>> 62 ^ position);
            position += STEP;
        }
        return sum;
    }

    private long pairs(long[] first, long[] second, int count) {
        if (first == null && second == null) {
            return 0;
        }
        long sum = 0;
        long position = txnCount * STEP;
        for (int i = 0; i < count; i++) {
            long one = first == null ? HistorySlice.NONE : first[i];
            long other = second == null ? HistorySlice.NONE : second[i];
            if (one != HistorySlice.NONE || other != HistorySlice.NONE) { // a column of nulls equals a missing column
                sum += mix(one + other * OTHER ^ position);
            }
            position += STEP;
        }
        return sum;
    }

    private static long numbers(long[] column, int count, long first) {
        if (column == null) {
            return 0;
        }
        long sum = 0;
        long position = first * STEP;
        for (int i = 0; i < count; i++) {
            if (column[i] != HistorySlice.NONE) {
                sum += mix(column[i] ^ position);
            }
            position += STEP;
        }
        return sum;
    }

    private long operations(HistorySlice slice) {
        long[] hashOfKey = slice.keyType == ValueType.STRING ? keyNames.of(slice.keyNames) : null;
        long[] hashOfValue = slice.valueType == ValueType.STRING ? valueNames.of(slice.valueNames) : null;
        if (hashOfKey == null && hashOfValue == null && !slice.hasLists()) {
            return integers(slice);
        }
        long sum = 0;
        long position = opCount * STEP;
        for (int op = 0; op < slice.opCount; op++) {
            byte kind = slice.kind[op];
            long key = hashOfKey == null || !slice.hasKey(op) ? slice.key[op] : hashOfKey[(int) slice.key[op]];
            long value = 0;
            if (kind == OpKind.READ_LIST) {
                value = list(slice.lists, slice.value[op], hashOfValue);
            } else if (kind == OpKind.INCREMENT) {
                value = slice.value[op];
            } else if (OpKind.hasValue(kind)) {
                value = scalar(slice.value[op], hashOfValue);
            }
            sum += mix(key + value * OTHER + kind * SPREAD ^ position);
            position += STEP;
        }
        return sum;
    }

    /** Hashes integer operations, which need no lookups, without a branch per operation. */
    private long integers(HistorySlice slice) {
        byte[] kindOf = slice.kind;
        long[] keyOf = slice.key;
        long[] valueOf = slice.value;
        long sum = 0;
        long position = opCount * STEP;
        for (int op = 0; op < slice.opCount; op++) {
            byte kind = kindOf[op];
            long value = valueOf[op] & VALUE_OF_KIND[kind];
            sum += mix(keyOf[op] + value * OTHER + kind * SPREAD ^ position);
            position += STEP;
        }
        return sum;
    }

    private static long[] valueOfKind() {
        long[] bits = new long[OpKind.COUNT];
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            bits[kind] = OpKind.hasValue(kind) || kind == OpKind.INCREMENT ? -1 : 0;
        }
        return bits;
    }

    private static long scalar(long value, long @Nullable [] hashOfValue) {
        return hashOfValue == null || value < 0 || value >= hashOfValue.length ? value : hashOfValue[(int) value];
    }

    private static long list(ListPool lists, long ref, long @Nullable [] hashOfValue) {
        int length = ListRef.length(ref);
        if (length == 0) {
            return 0;
        }
        long first = scalar(lists.element(ListRef.list(ref), 0), hashOfValue);
        long last = scalar(lists.element(ListRef.list(ref), length - 1), hashOfValue);
        return length + first * STEP + last * SPREAD;
    }

    private static long mix(long number) {
        long mixed = number * SPREAD;
        return (mixed ^ mixed >>> 32) * OTHER;
    }

    /** The hash of every string of a table, reused while slices share the table. */
    private static final class StringHashes {

        private @Nullable StringPool pool;
        private int size;
        private long[] hashes = new long[0];

        long[] of(StringPool names) {
            if (names == pool && names.size() == size) {
                return hashes;
            }
            pool = names;
            size = names.size();
            if (hashes.length < size) {
                hashes = new long[Math.max(size, 2 * hashes.length)];
            }
            byte[] bytes = names.bytes();
            for (int ordinal = 0; ordinal < size; ordinal++) {
                hashes[ordinal] = hash(bytes, names.firstByte(ordinal), names.length(ordinal));
            }
            return hashes;
        }

        private static long hash(byte[] bytes, int offset, int length) {
            long hash = length;
            int at = offset;
            int end = offset + length;
            while (at + Long.BYTES <= end) {
                hash = (hash ^ (long) EIGHT_BYTES.get(bytes, at)) * STEP;
                hash ^= hash >>> 29;
                at += Long.BYTES;
            }
            while (at < end) {
                hash = (hash ^ bytes[at]) * STEP;
                at++;
            }
            return hash ^ hash >>> 32;
        }
    }
}
