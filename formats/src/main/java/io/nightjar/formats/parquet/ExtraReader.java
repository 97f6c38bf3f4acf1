package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.ExtraJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads all columns that are not part of the history schema into one JSON object per transaction. */
final class ExtraReader {

    private final ExtraJson json = new ExtraJson();
    private final @Nullable Field extra;
    private final List<Field> others = new ArrayList<>();

    /** A column, and its values in the current rows. */
    private static final class Field {
        private final LeafReader leaf;
        private final NameMap names;
        private long[] values = new long[0];
        private boolean[] isNull = new boolean[0];

        private Field(SchemaNode node, BiFunction<SchemaNode, StringEncoder, LeafReader> open) {
            this.names = new NameMap(false);
            this.leaf = open.apply(node, names);
        }

        private void read(int rows) throws IOException {
            if (values.length < rows) {
                values = new long[rows];
                isNull = new boolean[rows];
            }
            names.begin();
            leaf.forgetWords();
            leaf.fill(values, 0, isNull, rows, 0, 0);
        }

        private boolean has(int row) {
            return !leaf.sawNull() || !isNull[row];
        }
    }

    ExtraReader(HistoryLeaves leaves, BiFunction<SchemaNode, StringEncoder, LeafReader> open) {
        SchemaNode extraNode = leaves.leaf(HistoryColumn.EXTRA);
        extra = extraNode == null ? null : new Field(extraNode, open);
        for (SchemaNode other : leaves.others) {
            if (other.type != PhysicalType.INT96) {
                others.add(new Field(other, open));
            }
        }
    }

    void read(SliceBatchAssembler slice, int first, int rows) throws IOException {
        if (extra != null) {
            extra.read(rows);
        }
        for (Field other : others) {
            other.read(rows);
        }
        for (int row = 0; row < rows; row++) {
            String object = object(row);
            requireNonNull(slice.extra)[first + row] = object;
            slice.hasExtra |= object != null;
        }
    }

    private @Nullable String object(int row) throws IOException {
        String given = extra != null && extra.has(row) ? extra.names.pool().get((int) extra.values[row]) : null;
        if (given == null && others.isEmpty()) {
            return null;
        }
        json.begin(given == null ? null : trimmed(given));
        for (Field other : others) {
            if (other.has(row)) {
                value(other.leaf.leaf.path(), other, row);
            }
        }
        return json.build();
    }

    /** Returns an object without surrounding white space; any other text unchanged. */
    private static String trimmed(String text) {
        String stripped = text.strip();
        return stripped.startsWith("{") ? stripped : text;
    }

    private void value(String name, Field field, int row) {
        SchemaNode leaf = field.leaf.leaf;
        long value = field.values[row];
        switch (leaf.leafType()) {
            case BOOLEAN -> json.raw(name, Boolean.toString(value != 0));
            case INT32, INT64 -> json.raw(name, integer(field, value));
            case FLOAT -> floating(name, Float.toString(Float.intBitsToFloat((int) value)));
            case DOUBLE -> floating(name, Double.toString(Double.longBitsToDouble(value)));
            default -> bytes(name, leaf, field.names.pool(), (int) value);
        }
    }

    private static String integer(Field field, long value) {
        SchemaNode leaf = field.leaf.leaf;
        if (leaf.annotation == Annotation.DECIMAL) {
            return BigDecimal.valueOf(value, leaf.scale).toPlainString();
        }
        return field.leaf.isUnsignedInt64() ? Long.toUnsignedString(value) : Long.toString(value);
    }

    private void floating(String name, String text) {
        if (text.endsWith("NaN") || text.endsWith("Infinity")) {
            json.string(name, text);
        } else {
            json.raw(name, text);
        }
    }

    private void bytes(String name, SchemaNode leaf, StringPool names, int ordinal) {
        byte[] bytes = names.bytes();
        int from = names.firstByte(ordinal);
        int length = names.length(ordinal);
        boolean isText =
                switch (leaf.annotation) {
                    case STRING, ENUM, JSON -> true;
                    case NONE -> leaf.typeLength == 0 && NameMap.isUtf8(bytes, from, length);
                    default -> false;
                };
        if (isText) {
            json.string(name, names.get(ordinal));
        } else if (leaf.annotation == Annotation.DECIMAL && length > 0) {
            json.raw(name, new BigDecimal(new BigInteger(bytes, from, length), leaf.scale).toPlainString());
        } else {
            byte[] raw = Arrays.copyOfRange(bytes, from, from + length);
            json.string(name, Base64.getEncoder().encodeToString(raw));
        }
    }
}
