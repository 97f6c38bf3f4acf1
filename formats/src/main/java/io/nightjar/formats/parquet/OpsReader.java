package io.nightjar.formats.parquet;

import io.nightjar.formats.history.ConditionalWrites;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.PredicateReadRules;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.JsonText;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads the operations of one row group, a number of whole rows at a time, and marks bad rows. */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class OpsReader {

    /*
     * Algorithm. The column of kinds determines the rows: its repetition levels mark the beginnings of rows. Its
     * entries are buffered in `reps`, `defs` and `codes` until they contain a whole row; the entries of the last,
     * incomplete row remain for the next batch. The other columns have an entry for each buffered entry and are then
     * read for the same number.
     *
     * A row without operations also has an entry, which is below opDef and has no slot.
     */

    private static final String[] WORDS = OpKind.words().toArray(String[]::new);
    private static final byte UNKNOWN_KIND = -1;

    /** Kinds by code; the length is a power of two, so that a mask is the only check in the loop over kinds. */
    private static final byte[] KIND_OF_CODE = kindOfCode();

    private static final int CODE_MASK = KIND_OF_CODE.length - 1;

    /** First index in the words of a kind beyond items: exactly the kinds with smaller indices are items. */
    private static final int FIRST_BEYOND_ITEMS = firstBeyondItems();

    private final String file;
    private final HistoryLeaves leaves;
    private final SchemaNode keyLeaf;
    private final SchemaNode valueLeaf; // null if the file does not have it, as is elementLeaf
    private final SchemaNode elementLeaf;
    private final CodeMap kindWords = new CodeMap(WORDS);
    private final NameMap keyNames = new NameMap();
    private final NameMap valueNames = new NameMap();
    private final NameMap texts = new NameMap();
    private final LeafReader kinds;
    private final LeafReader keys;
    private final LeafReader values;
    private final LeafReader[] numbers =
            new LeafReader[HistoryColumn.COUNT]; // and texts; null if missing or not requested
    private final boolean hasPredicates; // whether the columns of predicate reads are read
    private final ListReader lists;

    private int[] reps;
    private int[] defs;
    private long[] codes;
    private int held;
    private int batch;
    private int batchRows;

    private boolean[] isKeyNull = new boolean[0];
    private boolean[] isValueNull = new boolean[0];
    private boolean[] isOtherNull = new boolean[0];
    private long[] codeOfSlot = new long[0];

    private boolean sawRelational; // whether this batch contains relational operations
    private boolean sawConditional; // whether this batch contains conditional writes
    private boolean sawValue;
    private boolean sawElement;
    private boolean everSawValue;
    private boolean everSawElement;

    private static byte[] kindOfCode() {
        byte[] kindOf = new byte[2 * Integer.highestOneBit(WORDS.length)];
        Arrays.fill(kindOf, UNKNOWN_KIND);
        for (int code = 0; code < WORDS.length; code++) {
            kindOf[code] = (byte) OpKind.code(WORDS[code]);
        }
        return kindOf;
    }

    private static int firstBeyondItems() {
        int word = WORDS.length;
        while (!OpKind.isItem(KIND_OF_CODE[word - 1])) {
            word--;
        }
        return word;
    }

    OpsReader(
            String file, HistoryLeaves leaves, ReadPlan plan, BiFunction<SchemaNode, StringEncoder, LeafReader> open) {
        this.file = file;
        this.leaves = leaves;
        this.keyLeaf = leaves.leaf(HistoryColumn.KEY);
        this.valueLeaf = leaves.leaf(HistoryColumn.VALUE);
        this.elementLeaf = leaves.leaf(HistoryColumn.ELEMENTS);
        this.kinds = open.apply(leaves.leaf(HistoryColumn.KIND), kindWords);
        this.reps = new int[2 * kinds.batch()];
        this.defs = new int[2 * kinds.batch()];
        this.codes = new long[2 * kinds.batch()];
        this.keys = open.apply(keyLeaf, keyNames);
        this.values = valueLeaf == null ? null : open.apply(valueLeaf, valueNames);
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            SchemaNode leaf = leaves.leaf(column);
            numbers[column.ordinal()] = leaf == null || !plan.has(column) ? null : open.apply(leaf, null);
        }
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            SchemaNode leaf = leaves.leaf(column);
            numbers[column.ordinal()] = leaf == null || !plan.has(column) ? null : open.apply(leaf, texts);
        }
        this.hasPredicates = plan.has(HistoryColumn.PREDICATE);
        this.lists = elementLeaf == null ? null : new ListReader(open.apply(elementLeaf, valueNames), leaves);
    }

    void beginSlice() {
        keyNames.begin();
        keys.forgetWords();
        texts.begin();
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            if (numbers[column.ordinal()] != null) {
                numbers[column.ordinal()].forgetWords();
            }
        }
        StringPool before = valueNames.pool();
        valueNames.begin();
        if (values != null) {
            values.forgetWords();
        }
        if (lists != null) {
            lists.leaf().forgetWords();
            if (lists.leaf().leaf.leafType().isBinary()) {
                lists.mapAgain(before, valueNames);
            }
        }
        sawValue = false;
        sawElement = false;
    }

    HistorySlice build(SliceBatchAssembler slice) {
        ValueType keyType = slice.opCount == 0 ? ValueType.NONE : HistoryLeaves.valueType(keyLeaf);
        ValueType valueType = ValueType.NONE;
        if (sawValue) {
            valueType = HistoryLeaves.valueType(valueLeaf);
        } else if (sawElement) {
            valueType = HistoryLeaves.valueType(elementLeaf);
        }
        return slice.build(keyType, keyNames, valueType, valueNames, texts);
    }

    // ---------------------------------------------------------------- rows

    /** Buffers the next whole rows; returns their number, 0 at the end. */
    int nextRows() throws IOException {
        int rest = held - batch;
        System.arraycopy(reps, batch, reps, 0, rest);
        System.arraycopy(defs, batch, defs, 0, rest);
        System.arraycopy(codes, batch, codes, 0, rest);
        held = rest;
        batch = 0;
        while (batch == 0) {
            int before = held;
            int taken = kinds.take(kinds.batch());
            if (taken == 0) {
                batch = held;
                break;
            }
            ensureEntries(held + taken);
            kinds.reps(reps, held);
            kinds.defs(defs, held);
            kinds.values(codes, held, null, 0, 0, CodeMap.NULL);
            held += taken;
            batch = lastRowBegin(Math.max(1, before));
        }
        if (batch > 0 && reps[0] != 0) {
            throw kinds.corrupt("first row does not begin");
        }
        batchRows = 0;
        for (int entry = 0; entry < batch; entry++) {
            batchRows += reps[entry] == 0 ? 1 : 0;
        }
        return batchRows;
    }

    /** Returns the beginning of the last row at or after a position; 0 if no row begins there. */
    private int lastRowBegin(int from) {
        for (int entry = held - 1; entry >= from; entry--) {
            if (reps[entry] == 0) {
                return entry;
            }
        }
        return 0;
    }

    private void ensureEntries(int needed) {
        if (needed > reps.length) {
            int capacity = Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8, reps.length * 2L));
            reps = Arrays.copyOf(reps, capacity);
            defs = Arrays.copyOf(defs, capacity);
            codes = Arrays.copyOf(codes, capacity);
        }
    }

    /** Adds the operations of the buffered rows to the transactions of the slice, which has space for the rows. */
    void read(SliceBatchAssembler slice, BadRowMarks marks) throws IOException {
        slice.ensureOps(slice.opCount + batch);
        int ops = layOut(slice, marks);
        if (isKeyNull.length < ops) {
            isKeyNull = new boolean[reps.length];
            isValueNull = new boolean[reps.length];
            isOtherNull = new boolean[reps.length];
            codeOfSlot = new long[reps.length];
        }
        int first = slice.opCount;
        sawRelational = false;
        sawConditional = false;
        fill(keys, slice.key, first, isKeyNull, ops, 0);
        if (values != null) {
            fill(values, slice.value, first, isValueNull, ops, 0);
        }
        int nullLists = lists == null ? batch : lists.skipNulls(batch);
        if (nullLists < batch || !readPlain(slice, ops)) {
            readOneByOne(slice, marks, nullLists);
        }
        checkOneValueType(slice);
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            readNullable(column, slice, marks, ops);
        }
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            readNullable(column, slice, marks, ops);
        }
        applyOutcomes(slice, ops);
        if (sawRelational && hasPredicates) {
            checkPredicates(slice, marks);
        }
        if (hasPredicates && (sawConditional || slice.numbers[HistoryColumn.DONE.ordinal()] != null)) {
            checkConditions(slice, marks);
        }
        slice.opCount += ops;
    }

    /** Fills {@code firstOpOf}; returns the number of operations. */
    private int layOut(SliceBatchAssembler slice, BadRowMarks marks) {
        int[] firstOpOf = slice.firstOpOf;
        int txn = slice.txnCount - 1;
        int op = slice.opCount;
        int opDef = leaves.opDef;
        for (int entry = 0; entry < batch; entry++) {
            if (reps[entry] == 0) {
                firstOpOf[++txn] = op;
            }
            if (defs[entry] >= opDef) {
                op++;
            } else if (defs[entry] < leaves.nullOpsDef) {
                marks.add(
                        txn - slice.txnCount,
                        InputError.of("ops is null").with("expected=list").advise("write an empty list"));
            }
        }
        firstOpOf[txn + 1] = op;
        return op - slice.opCount;
    }

    private void fill(LeafReader leaf, long[] into, int first, boolean[] isNull, int ops, long nullValue)
            throws IOException {
        fill(leaf, into, first, isNull, batch, ops, nullValue);
    }

    private void fill(LeafReader leaf, long[] into, int first, boolean[] isNull, int entries, int ops, long nullValue)
            throws IOException {
        if (leaf.fill(into, first, isNull, entries, leaves.opDef, nullValue) != ops) {
            throw leaf.corrupt("column has another number of operations than others");
        }
    }

    // ---------------------------------------------------------------- kinds and values

    /**
     * Reads operations that have no list and no error: the common case, without a branch per possible error. If this
     * returns false, the operations must still be read.
     */
    private boolean readPlain(SliceBatchAssembler slice, int ops) {
        if (ops < batch || values == null || keys.sawNull()) {
            return false;
        }
        int first = slice.opCount;
        long signs = 0;
        long greatest = 0;
        byte[] kind = slice.kind;
        for (int slot = 0; slot < ops; slot++) {
            long code = codes[slot];
            signs |= code;
            greatest = Math.max(greatest, code);
            kind[first + slot] = KIND_OF_CODE[(int) code & CODE_MASK];
        }
        boolean isGood = signs >= 0
                && greatest < FIRST_BEYOND_ITEMS
                && isAcceptable(keys, slice.key, first, ops)
                && isAcceptable(values, slice.value, first, ops);
        if (!isGood) {
            return false;
        }
        int nulls = values.sawNull() ? readNothing(slice, ops) : 0;
        sawValue |= nulls >= 0 && nulls < ops;
        return nulls >= 0;
    }

    /** Interprets missing values; returns their number, or -1 if a write has no value. */
    private int readNothing(SliceBatchAssembler slice, int ops) {
        int first = slice.opCount;
        byte[] kind = slice.kind;
        int nulls = 0;
        for (int slot = 0; slot < ops; slot++) {
            if (isValueNull[slot]) {
                if (kind[first + slot] != OpKind.READ) {
                    return -1;
                }
                kind[first + slot] = OpKind.READ_NOTHING;
                nulls++;
            }
        }
        return nulls;
    }

    private static boolean isAcceptable(LeafReader leaf, long[] column, int first, int count) {
        if (!isNegativeBad(leaf)) {
            return true;
        }
        long signs = 0;
        for (int i = first; i < first + count; i++) {
            signs |= column[i];
        }
        return signs >= 0;
    }

    /** Returns whether negative numbers are errors: strings that are not UTF-8, and unsigned numbers out of range. */
    private static boolean isNegativeBad(LeafReader leaf) {
        return leaf.leaf.leafType().isBinary() || leaf.isUnsignedInt64();
    }

    private void readOneByOne(SliceBatchAssembler slice, BadRowMarks marks, int nullLists) throws IOException {
        int row = -1;
        int slot = 0;
        for (int entry = 0; entry < batch; entry++) {
            boolean isRowBegin = reps[entry] == 0;
            if (isRowBegin) {
                row++;
            }
            boolean hasList = entry >= nullLists && lists.next(isRowBegin);
            if (defs[entry] < leaves.opDef) {
                continue;
            }
            codeOfSlot[slot] = codes[entry];
            InputError fault = readOne(slice, slot, hasList);
            if (fault != null) {
                int op = slice.opCount + slot - slice.firstOpOf[slice.txnCount + row];
                marks.add(row, ofOp(op, fault));
            }
            slot++;
        }
    }

    /** Interprets one operation; returns its error, or null. */
    private @Nullable InputError readOne(SliceBatchAssembler slice, int slot, boolean isListThere) {
        int op = slice.opCount + slot;
        long code = codeOfSlot[slot];
        slice.kind[op] = code < 0 ? UNKNOWN_KIND : KIND_OF_CODE[(int) code];
        boolean hasValue = values != null && !(values.sawNull() && isValueNull[slot]);
        // If the schema permits no null list, an empty list has no meaning.
        boolean hasList = isListThere && (leaves.isListNullable || lists.length() > 0);
        InputError fault = badKindOrKey(slice, slot, op);
        if (fault != null) {
            return fault;
        }
        if (hasValue && slice.value[op] < 0 && isNegativeBad(values)) {
            return unacceptable(HistoryColumn.VALUE, values, slice.value[op]);
        }
        if (hasValue && hasList) {
            return InputError.of("op has both a value and elements").advise("leave one of them null");
        }
        sawValue |= hasValue;
        if (OpKind.isRelational(slice.kind[op])) {
            return relational(slice, op, hasValue, hasList);
        }
        sawConditional |= OpKind.isConditional(slice.kind[op]);
        if (slice.kind[op] != OpKind.READ) {
            return hasValue
                    ? null
                    : InputError.of("write without a value")
                            .with("kind=" + WORDS[(int) code])
                            .advise("give it a value");
        }
        if (hasList) {
            return listRead(slice, op);
        }
        if (!hasValue) {
            slice.kind[op] = OpKind.READ_NOTHING;
            slice.value[op] = 0;
        }
        return null;
    }

    private @Nullable InputError relational(SliceBatchAssembler slice, int op, boolean hasValue, boolean hasList) {
        sawRelational = true;
        byte kind = slice.kind[op];
        int known = hasValue ? OpKind.withValue(kind) : OpKind.withoutValue(kind);
        if (known < 0 || hasList) {
            return InputError.of("op of this kind has no " + (hasList ? "elements" : "value"))
                    .with("kind=" + OpKind.name(kind))
                    .advise("leave them null");
        }
        slice.kind[op] = (byte) known;
        slice.value[op] = hasValue ? slice.value[op] : 0;
        return null;
    }

    private void checkPredicates(SliceBatchAssembler slice, BadRowMarks marks) {
        for (int row = 0; row < batchRows; row++) {
            int txn = slice.txnCount + row;
            if (marks.fault(row) == null) {
                InputError fault = PredicateReadRules.fault(
                        slice.kind,
                        slice.numbers[HistoryColumn.PREDICATE.ordinal()],
                        slice.numbers[HistoryColumn.PARAMS.ordinal()],
                        slice.numbers[HistoryColumn.ROWS.ordinal()],
                        slice.numbers[HistoryColumn.READ_TS.ordinal()],
                        slice.numbers[HistoryColumn.LIMIT.ordinal()],
                        slice.numbers[HistoryColumn.ORDER.ordinal()],
                        slice.firstOpOf[txn],
                        slice.firstOpOf[txn + 1]);
                if (fault != null) {
                    marks.add(row, fault);
                }
            }
        }
    }

    /** Makes writes and deletions with an outcome conditional. */
    private static void applyOutcomes(SliceBatchAssembler slice, int ops) {
        long[] done = slice.numbers[HistoryColumn.DONE.ordinal()];
        for (int op = slice.opCount; done != null && op < slice.opCount + ops; op++) {
            slice.kind[op] = done[op] == HistorySlice.NONE ? slice.kind[op] : OpKind.withOutcome(slice.kind[op]);
        }
    }

    private void checkConditions(SliceBatchAssembler slice, BadRowMarks marks) {
        ValueType valueType = valueLeaf == null ? ValueType.NONE : HistoryLeaves.valueType(valueLeaf);
        for (int row = 0; row < batchRows; row++) {
            int txn = slice.txnCount + row;
            if (marks.fault(row) == null) {
                InputError fault = ConditionalWrites.fault(
                        slice.kind,
                        slice.numbers[HistoryColumn.PARAMS.ordinal()],
                        slice.numbers[HistoryColumn.DONE.ordinal()],
                        texts.pool(),
                        valueType,
                        slice.status[txn],
                        slice.firstOpOf[txn],
                        slice.firstOpOf[txn + 1]);
                if (fault != null) {
                    marks.add(row, fault);
                }
            }
        }
    }

    private @Nullable InputError badKindOrKey(SliceBatchAssembler slice, int slot, int op) {
        if (codeOfSlot[slot] == CodeMap.NULL) {
            return InputError.of("op kind is null")
                    .with("expected=" + OpKind.expected())
                    .advise("drop the op or give its kind");
        }
        if (codeOfSlot[slot] < 0) {
            String word = kindWords.word(codeOfSlot[slot]);
            return InputError.of("unknown op kind")
                    .with("kind=" + word + " expected=" + OpKind.expected())
                    .advise("rename the kind");
        }
        if (keys.sawNull() && isKeyNull[slot] && OpKind.isPredicate(slice.kind[op])) {
            slice.key[op] = HistorySlice.NONE;
            return null;
        }
        if (keys.sawNull() && isKeyNull[slot]) {
            return InputError.of("op key is null").advise("give each op a key");
        }
        return slice.key[op] < 0 && isNegativeBad(keys) ? unacceptable(HistoryColumn.KEY, keys, slice.key[op]) : null;
    }

    private static InputError ofOp(int op, InputError fault) {
        return new InputError(fault.kind(), "op=" + op, fault.advice()).with(fault.details());
    }

    private static InputError unacceptable(HistoryColumn of, LeafReader leaf, long value) {
        String column = of.columnName();
        return leaf.isUnsignedInt64()
                ? InputError.of(column + " does not fit int64")
                        .with(column + "=" + Long.toUnsignedString(value) + " max=" + Long.MAX_VALUE)
                        .advise("use strings")
                : InputError.of(column + " is not utf-8").advise("write strings in utf-8");
    }

    private @Nullable InputError listRead(SliceBatchAssembler slice, int op) {
        if (lists.hasNullElement()) {
            return InputError.of("element is null").advise("leave nulls out of elements");
        }
        long[] elements = lists.elements();
        int length = lists.length();
        if (isNegativeBad(lists.leaf())) {
            for (int i = 0; i < length; i++) {
                if (elements[i] < 0) {
                    return unacceptable(HistoryColumn.ELEMENTS, lists.leaf(), elements[i]);
                }
            }
        }
        sawElement |= length > 0;
        slice.kind[op] = OpKind.READ_LIST;
        slice.value[op] = slice.columns.listRef(slice.key[op], elements, 0, length);
        return null;
    }

    /** Checks the types of columns with values only: tools assign any type to a column in which all values are null. */
    private void checkOneValueType(SliceBatchAssembler slice) {
        everSawValue |= sawValue;
        everSawElement |= sawElement;
        if (everSawValue && everSawElement) {
            ValueType valueType = HistoryLeaves.valueType(valueLeaf);
            ValueType elementType = HistoryLeaves.valueType(elementLeaf);
            if (valueType != elementType) {
                throw new MalformedHistoryException(
                        InputLocation.row(file, slice.firstRow),
                        InputError.of("value types are mixed")
                                .with("value=" + valueType.typeName() + " elements=" + elementType.typeName())
                                .advise("make all values int64 or all string"));
            }
        }
    }

    // ---------------------------------------------------------------- numbers

    private void readNullable(HistoryColumn of, SliceBatchAssembler slice, BadRowMarks marks, int ops)
            throws IOException {
        LeafReader leaf = numbers[of.ordinal()];
        long[] column = slice.numbers[of.ordinal()];
        int skipped = leaf != null && column == null ? leaf.skipAbsent(batch) : 0;
        if (leaf == null || skipped == batch) {
            return; // most histories have no such operation, and no column is created for it
        }
        int opsSkipped = opsAmong(skipped);
        int first = slice.opCount + opsSkipped;
        int count = ops - opsSkipped;
        long[] into = column == null ? slice.emptyOpColumn(first) : column;
        fill(leaf, into, first, isOtherNull, batch - skipped, count, HistorySlice.NONE);
        boolean isText = leaf.leaf.leafType().isBinary();
        for (int slot = 0; slot < count; slot++) {
            long number = into[first + slot];
            boolean isBad = number < 0 && (isText || number == HistorySlice.NONE || leaf.isUnsignedInt64());
            if (isBad && !(leaf.sawNull() && isOtherNull[slot])) {
                int row = rowOf(slice, first + slot);
                int op = first + slot - slice.firstOpOf[slice.txnCount + row];
                InputError fault = isText ? unacceptable(of, leaf, number) : NumberRange.fault(leaf, number);
                marks.add(row, ofOp(op, fault));
            }
        }
        slice.numbers[of.ordinal()] = into;
    }

    private int opsAmong(int entries) {
        int ops = 0;
        for (int entry = 0; entry < entries; entry++) {
            ops += defs[entry] >= leaves.opDef ? 1 : 0;
        }
        return ops;
    }

    private int rowOf(SliceBatchAssembler slice, int op) {
        int row = 0;
        while (slice.firstOpOf[slice.txnCount + row + 1] <= op) {
            row++;
        }
        return row;
    }

    /** Appends an operation of the rows read last in the spelling of the file, to show a bad row. */
    void appendText(StringBuilder text, SliceBatchAssembler slice, int op, int firstOpOfBatch) {
        int slot = op - firstOpOfBatch;
        byte kind = slice.kind[op];
        text.append('[')
                .append(JsonText.quoted(kind == UNKNOWN_KIND ? kindWords.word(codeOfSlot[slot]) : OpKind.name(kind)));
        boolean hasKey = !keys.sawNull() || !isKeyNull[slot];
        text.append(',')
                .append(hasKey ? text(keyLeaf, keyNames, slice.key[op]) : "null")
                .append(',');
        if (kind == OpKind.READ_LIST) {
            text.append("[...]");
        } else if (values == null || values.sawNull() && isValueNull[slot]) {
            text.append("null");
        } else {
            text.append(text(valueLeaf, valueNames, slice.value[op]));
        }
        text.append(']');
    }

    private static String text(SchemaNode leaf, NameMap names, long scalar) {
        if (!leaf.leafType().isBinary()) {
            return Long.toString(scalar);
        }
        return scalar < 0 || scalar >= names.pool().size()
                ? "?"
                : JsonText.quoted(names.pool().get((int) scalar));
    }
}
