package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operations of a record batch, a window of rows at a time. */
final class ArrowOps {

    private static final byte[][] WORDS = words();

    private static final byte[] CODES = codes();

    private static final List<HistoryColumn> NULLABLES = Stream.concat(
                    HistoryColumn.OP_NUMBERS.stream(), HistoryColumn.OP_TEXTS.stream())
            .toList();

    private final boolean hasPredicates;
    private final boolean areKeysStrings;
    private final boolean areValuesStrings;
    private final ArrowColumn rows;
    private final ArrowColumn isThere; // indicates which entries of the lists of operations are null
    private final ArrowColumn kind;
    private final ArrowColumn key;
    private final ArrowColumn value;
    private final @Nullable ArrowColumn lists;
    private final ArrowColumn element;
    private final ArrowColumn[] numbers = new ArrowColumn[HistoryColumn.COUNT]; // nullable numbers and texts

    private long firstOp; // first operation of the window
    private long firstElement;

    /** Opens a column of a record batch; a column of nulls if it is missing or not requested. */
    interface Columns {
        ArrowColumn of(HistoryColumn column) throws IOException;
    }

    /** @param hasPredicates whether the columns of predicate reads are loaded */
    ArrowOps(ArrowBatch batch, ArrowColumns columns, boolean hasPredicates, Columns open) throws IOException {
        this.hasPredicates = hasPredicates;
        this.areKeysStrings = columns.keyType == ValueType.STRING;
        this.areValuesStrings = columns.valueType == ValueType.STRING;
        this.rows = new ArrowColumn(batch, columns.ops, List.of());
        this.isThere = new ArrowColumn(batch, columns.op, List.of());
        this.kind = open.of(HistoryColumn.KIND);
        this.key = open.of(HistoryColumn.KEY);
        this.value = open.of(HistoryColumn.VALUE);
        this.lists = columns.elements == null ? null : new ArrowColumn(batch, columns.elements, List.of());
        this.element = open.of(HistoryColumn.ELEMENTS);
        for (HistoryColumn column : NULLABLES) {
            numbers[column.ordinal()] = open.of(column);
        }
    }

    /** Loads the operations of as many rows as fit a limit of total weight, at least of one row. */
    int load(long fromRow, int rowCount, int maxWeight) throws IOException {
        rows.load(fromRow, rowCount);
        firstOp = rows.first(0);
        int count = rowCount;
        while (count > 1 && rows.first(count) - firstOp > maxWeight) {
            count >>= 1;
        }
        if (lists != null) {
            lists.load(firstOp, opCount(count));
            while (count > 1 && elementCount(count) > maxWeight) {
                count >>= 1;
            }
            firstElement = lists.first(0);
            element.load(firstElement, (int) Math.min(Integer.MAX_VALUE - 8, elementCount(count)));
        }
        int ops = opCount(count);
        kind.load(firstOp, ops); // loaded first, because every operation has a kind
        isThere.load(firstOp, ops);
        key.load(firstOp, ops);
        value.load(firstOp, ops);
        for (HistoryColumn column : NULLABLES) {
            numbers[column.ordinal()].load(firstOp, ops);
        }
        return count;
    }

    private int opCount(int rowCount) {
        long count = rows.first(rowCount) - firstOp;
        if (count > Integer.MAX_VALUE - 8) {
            throw new CorruptArrowException(
                    InputError.of("transaction is too long").with("operations=" + count));
        }
        return (int) count;
    }

    private long elementCount(int rowCount) {
        return requireNonNull(lists).first(opCount(rowCount)) - lists.first(0);
    }

    /**
     * Adds the operations of a row of the window.
     *
     * @param status the status of the transaction
     */
    void addTo(SliceBuilder slice, int row, byte status) {
        if (rows.isNull(row)) {
            throw BadRowException.of("null where none may be")
                    .with("column=ops")
                    .advise("write [] for a transaction without operations");
        }
        int end = (int) (rows.first(row + 1) - firstOp);
        boolean isBeyondItems = false;
        for (int op = (int) (rows.first(row) - firstOp); op < end; op++) {
            isBeyondItems |= addOp(slice, op);
        }
        if (isBeyondItems && hasPredicates) {
            InputError fault = slice.predicateFault();
            fault = fault == null ? slice.conditionFault(status) : fault;
            if (fault != null) {
                throw new BadRowException(fault);
            }
        }
    }

    /** Adds an operation; returns whether it is relational, conditional, or has an outcome. */
    private boolean addOp(SliceBuilder slice, int op) {
        boolean isKind = !isThere.isNull(op) && !kind.isNull(op);
        byte code = isKind ? code(op) : OpKind.READ;
        if (!isKind || key.isNull(op) && !OpKind.isPredicate(code)) {
            String column = isThere.isNull(op) ? "ops.element" : kind.isNull(op) ? "ops.kind" : "ops.key";
            throw BadRowException.of("null where none may be").with("column=" + column);
        }
        long opKey = key.isNull(op)
                ? HistorySlice.NONE
                : areKeysStrings
                        ? name(slice.keyNames(), key, op, "ops.key")
                        : ArrowSliceReader.number(key, op, "ops.key");
        boolean hasList = lists != null && !lists.isNull(op);
        boolean hasValue = !value.isNull(op);
        if (OpKind.isRelational(code)) {
            int known = hasValue ? OpKind.withValue(code) : OpKind.withoutValue(code);
            if (known < 0 || hasList) {
                throw BadRowException.of("operation has a value or elements that it cannot have")
                        .with("kind=" + OpKind.name(code));
            }
            slice.op((byte) known, opKey, hasValue ? scalar(slice, value, op) : 0);
        } else if (code != OpKind.READ) {
            if (!hasValue || hasList) {
                throw BadRowException.of("a write has a value and no elements").with("kind=" + OpKind.name(code));
            }
            slice.op(code, opKey, scalar(slice, value, op));
        } else if (hasValue && hasList) {
            throw BadRowException.of("a read has a value or elements, not both").with("kind=r");
        } else if (hasList) {
            addList(slice, opKey, op);
        } else if (hasValue) {
            slice.op(OpKind.READ, opKey, scalar(slice, value, op));
        } else {
            slice.op(OpKind.READ_NOTHING, opKey, 0);
        }
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            ArrowColumn number = numbers[column.ordinal()];
            if (!number.isNull(op)) {
                slice.opNumber(column, ArrowSliceReader.given(number, op, "ops." + column.columnName()));
            }
        }
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            ArrowColumn text = numbers[column.ordinal()];
            if (!text.isNull(op)) {
                addText(slice, column, text, op);
            }
        }
        return !OpKind.isItem(code) || !numbers[HistoryColumn.DONE.ordinal()].isNull(op);
    }

    private static void addText(SliceBuilder slice, HistoryColumn column, ArrowColumn text, int op) {
        if (!Utf8.isWellFormed(text.chars(), text.charFrom(op), text.charLength(op))) {
            throw BadRowException.of("not UTF-8").with("column=ops." + column.columnName());
        }
        slice.opText(column, text.chars(), text.charFrom(op), text.charLength(op));
    }

    private void addList(SliceBuilder slice, long opKey, int op) {
        slice.beginList();
        int end = (int) (requireNonNull(lists).first(op + 1) - firstElement);
        for (int i = (int) (lists.first(op) - firstElement); i < end; i++) {
            if (element.isNull(i)) {
                throw BadRowException.of("null where none may be").with("column=ops.elements.element");
            }
            slice.element(scalar(slice, element, i));
        }
        slice.listRead(opKey);
    }

    private long scalar(SliceBuilder slice, ArrowColumn column, int row) {
        return areValuesStrings
                ? name(slice.valueNames(), column, row, "ops.value")
                : ArrowSliceReader.number(column, row, "ops.value");
    }

    private static int name(StringPool names, ArrowColumn column, int row, String columnName) {
        byte[] chars = column.chars();
        int from = column.charFrom(row);
        int length = column.charLength(row);
        if (!Utf8.isWellFormed(chars, from, length)) {
            throw BadRowException.of("not UTF-8").with("column=" + columnName);
        }
        return names.intern(chars, from, length);
    }

    private byte code(int op) {
        byte[] chars = kind.chars();
        int from = kind.charFrom(op);
        int length = kind.charLength(op);
        for (int i = 0; i < WORDS.length; i++) {
            if (Arrays.equals(WORDS[i], 0, WORDS[i].length, chars, from, from + length)) {
                return CODES[i];
            }
        }
        throw BadRowException.of("unknown operation kind")
                .with("kind=%s expected=%s", kind.string(op), OpKind.expected());
    }

    private static byte[][] words() {
        byte[][] words = new byte[OpKind.words().size()][];
        for (int i = 0; i < words.length; i++) {
            words[i] = OpKind.words().get(i).getBytes(StandardCharsets.US_ASCII);
        }
        return words;
    }

    private static byte[] codes() {
        byte[] codes = new byte[OpKind.words().size()];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) OpKind.code(OpKind.words().get(i));
        }
        return codes;
    }
}
