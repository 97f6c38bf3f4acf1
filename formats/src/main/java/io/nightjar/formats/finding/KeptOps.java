package io.nightjar.formats.finding;

import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.function.IntPredicate;

/** The operations of a transaction stored in columns; a row is created for each access. */
final class KeptOps extends AbstractList<OpRow> implements RandomAccess {

    private final HistorySlice slice;
    private final int first;
    private final int size;

    KeptOps(HistorySlice slice, int txn) {
        this.slice = slice;
        this.first = slice.firstOpOf[txn];
        this.size = slice.firstOpOf[txn + 1] - first;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public OpRow get(int index) {
        int op = first + index;
        String word = OpKind.name(slice.kind[op]);
        return OpKind.isPredicate(slice.kind[op])
                ? new OpRow(word, slice.hasKey(op) ? slice.keyText(op) : "", predicateText(op))
                : new OpRow(word, slice.keyText(op), ParticipantRows.valueText(slice, op));
    }

    /** Returns a test of which operations are on a key. */
    IntPredicate onKey(String key) {
        long scalar = scalarOf(key);
        boolean isThere = slice.keyType == ValueType.STRING ? scalar >= 0 : key.equals(String.valueOf(scalar));
        return index -> {
            int op = first + index;
            return slice.hasKey(op)
                    ? isThere && slice.key[op] == scalar
                    : key.isEmpty() && OpKind.isPredicate(slice.kind[op]);
        };
    }

    private long scalarOf(String key) {
        if (slice.keyType == ValueType.STRING) {
            byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
            return slice.keyNames.find(utf8, 0, utf8.length);
        }
        try {
            return Long.parseLong(key);
        } catch (NumberFormatException notNumber) {
            return 0; // a different text
        }
    }

    /** Returns the condition with its parameters, and the aggregate of its rows if the operation has one. */
    private String predicateText(int op) {
        String params = slice.text(HistoryColumn.PARAMS, op);
        String answer = OpKind.hasValue(slice.kind[op]) ? ")=(" + slice.valueText(slice.value[op]) : "";
        String order = slice.text(HistoryColumn.ORDER, op);
        String limit = slice.has(HistoryColumn.LIMIT, op) ? " LIMIT " + slice.number(HistoryColumn.LIMIT, op) : "";
        return slice.text(HistoryColumn.PREDICATE, op)
                + (order == null ? "" : " ORDER BY " + order)
                + limit
                + (params == null ? "" : "," + params)
                + answer;
    }

    /** Appends {@link OpRow#text} of an operation, without creating a row for the common kinds. */
    void appendText(StringBuilder text, int index) {
        int op = first + index;
        byte kind = slice.kind[op];
        boolean isPlain = kind == OpKind.READ || kind == OpKind.WRITE || kind == OpKind.APPEND;
        if (!isPlain && kind != OpKind.READ_NOTHING || !slice.hasKey(op)) {
            text.append(get(index).text());
            return;
        }
        text.append(OpKind.name(kind)).append('(');
        append(text, slice.keyType, slice.keyNames, slice.key[op]);
        text.append(',');
        if (isPlain) {
            append(text, slice.valueType, slice.valueNames, slice.value[op]);
        } else {
            text.append('_');
        }
        text.append(')');
    }

    private static void append(StringBuilder text, ValueType type, StringPool names, long scalar) {
        if (type == ValueType.STRING) {
            text.append(SanitizedText.flat(names.get((int) scalar)));
        } else {
            text.append(scalar);
        }
    }
}
