package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the columns of some transactions of a slice, in the order of the schema. */
record ArrowRows(HistorySlice slice, int from, int to, ColumnTypes types, ArrowBody body) {

    private static final byte[][] STATUS_WORDS = words(TxnStatus.UNKNOWN + 1, code -> TxnStatus.name((byte) code));
    private static final byte[][] KIND_WORDS = words(OpKind.COUNT, code -> OpKind.name((byte) code));

    private static byte[][] words(int count, IntFunction<String> nameOf) {
        return IntStream.range(0, count).mapToObj(nameOf).map(ArrowRows::utf8).toArray(byte[][]::new);
    }

    static void write(HistorySlice slice, int from, int to, ColumnTypes types, ArrowBody body) {
        ArrowRows rows = new ArrowRows(slice, from, to, types, body);
        HistoryColumn.OF_TXNS.forEach(column -> rows.write(column, from, to));
    }

    private void write(HistoryColumn column, int begin, int end) {
        switch (column.type()) {
            case INT64 -> writeNumbers(column, begin, end, Long.SIZE);
            case INT32 -> writeNumbers(column, begin, end, Integer.SIZE);
            case BOOLEAN -> writeNumbers(column, begin, end, 1);
            case STRING -> writeStrings(column, begin, end);
            case KEY -> writeKeys(begin, end);
            case VALUE -> {
                for (int op = begin; op < end; op++) {
                    write(OpKind.hasValue(slice.kind[op]), types.valueType(), slice.valueNames, slice.value[op]);
                }
                endScalars(types.valueType());
            }
            case VALUES -> writeElements(begin, end);
            case OPERATIONS -> writeOps();
        }
    }

    private void writeNumbers(HistoryColumn column, int begin, int end, int bits) {
        long[] numbers =
                switch (column) {
                    case TXN_ID -> slice.txnId;
                    case SESSION_ID -> slice.sessionId;
                    case SESSION_SEQ -> slice.sessionSeq;
                    default -> slice.numbers(column);
                };
        if (!column.isNullable()) {
            body.longs(numbers, begin, end);
            return;
        }
        for (int i = begin; i < end; i++) {
            if (numbers == null || numbers[i] == HistorySlice.NONE) {
                body.nothing();
            } else {
                body.number(numbers[i]);
            }
        }
        body.endNumbers(bits);
    }

    private void writeStrings(HistoryColumn column, int begin, int end) {
        switch (column) {
            case STATUS -> writeWords(slice.status, STATUS_WORDS, begin, end);
            case KIND -> writeWords(slice.kind, KIND_WORDS, begin, end);
            case EXTRA -> {
                for (int i = begin; i < end; i++) {
                    word(slice.extra == null || slice.extra[i] == null ? null : utf8(slice.extra[i]));
                }
            }
            default -> {
                long[] texts = slice.numbers(column);
                for (int i = begin; i < end; i++) {
                    boolean isThere = texts != null && texts[i] != HistorySlice.NONE;
                    write(isThere, ValueType.STRING, slice.texts, isThere ? texts[i] : 0);
                }
            }
        }
        body.endStrings();
    }

    private void writeWords(byte[] codes, byte[][] words, int begin, int end) {
        for (int i = begin; i < end; i++) {
            word(words[codes[i]]);
        }
    }

    private void writeKeys(int begin, int end) {
        if (types.keyType() == ValueType.LONG && !slice.isRelational()) {
            body.longs(slice.key, begin, end);
            return;
        }
        for (int op = begin; op < end; op++) {
            write(slice.hasKey(op), types.keyType(), slice.keyNames, slice.key[op]);
        }
        endScalars(types.keyType());
    }

    private void writeElements(int begin, int end) {
        int entries = 0;
        for (int op = begin; op < end; op++) {
            boolean isList = OpKind.hasList(slice.kind[op]);
            entries += isList ? ListRef.length(slice.value[op]) : 0;
            body.list(entries, !isList);
        }
        body.endLists();
        for (int op = begin; op < end; op++) {
            if (OpKind.hasList(slice.kind[op])) {
                int list = ListRef.list(slice.value[op]);
                for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                    write(true, types.valueType(), slice.valueNames, slice.lists.element(list, i));
                }
            }
        }
        endScalars(types.valueType());
    }

    private void writeOps() {
        int firstOp = slice.firstOpOf[from];
        int endOp = slice.firstOpOf[to];
        for (int txn = from; txn < to; txn++) {
            body.list(slice.firstOpOf[txn + 1] - firstOp, false);
        }
        body.endLists();
        body.structs(endOp - firstOp);
        for (HistoryColumn column : types.opColumns().list()) {
            write(column, firstOp, endOp);
        }
    }

    private void write(boolean isThere, ValueType type, @Nullable StringPool names, long scalar) {
        if (!isThere) {
            body.nothing();
        } else if (type == ValueType.STRING) {
            int name = (int) scalar;
            StringPool pool = requireNonNull(names);
            body.string(pool.bytes(), pool.firstByte(name), pool.length(name));
        } else {
            body.number(scalar);
        }
    }

    private void endScalars(ValueType type) {
        if (type == ValueType.STRING) {
            body.endStrings();
        } else {
            body.endNumbers(Long.SIZE);
        }
    }

    private void word(byte @Nullable [] utf8) {
        if (utf8 == null) {
            body.nothing();
        } else {
            body.string(utf8, 0, utf8.length);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
