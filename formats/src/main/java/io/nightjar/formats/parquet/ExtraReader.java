package io.nightjar.formats.parquet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.history.StringTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Reads everything else that a file says of its transactions into one JSON object each. */
final class ExtraReader {

    private static final JsonFactory JSON = new JsonFactory();

    private final Field extra;
    private final List<Field> others = new ArrayList<>();

    /** A column, and its values of the rows being read. */
    private static final class Field {
        private final LeafReader leaf;
        private final NameMap names;
        private long[] values = new long[0];
        private boolean[] isNull = new boolean[0];

        private Field(SchemaNode node, BiFunction<SchemaNode, WordMap, LeafReader> open) {
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

    ExtraReader(HistoryLeaves leaves, BiFunction<SchemaNode, WordMap, LeafReader> open) {
        extra = leaves.extra == null ? null : new Field(leaves.extra, open);
        for (SchemaNode other : leaves.others) {
            if (other.type != PhysicalType.INT96) {
                others.add(new Field(other, open));
            }
        }
    }

    void read(SliceColumns slice, int first, int rows) throws IOException {
        if (extra != null) {
            extra.read(rows);
        }
        for (Field other : others) {
            other.read(rows);
        }
        for (int row = 0; row < rows; row++) {
            String object = object(row);
            slice.extra[first + row] = object;
            slice.hasExtra |= object != null;
        }
    }

    private String object(int row) throws IOException {
        String given = extra == null || !extra.has(row)
                ? null
                : objectOf(extra.names.table().get((int) extra.values[row]));
        StringBuilder json = null;
        Set<String> names = null;
        for (Field other : others) {
            if (!other.has(row)) {
                continue;
            }
            if (json == null) {
                json = new StringBuilder(given == null ? "{" : given.substring(0, given.length() - 1));
                names = given == null ? new HashSet<>() : namesOf(given);
            }
            String name = other.leaf.leaf.path();
            boolean isFirst = names.isEmpty();
            if (names.add(name)) {
                JsonText.quote(isFirst ? json : json.append(','), name);
                value(json.append(':'), other, row);
            }
        }
        return json == null ? given : json.append('}').toString();
    }

    /** The text if it is a JSON object, without white space around it, else an object that holds the text. */
    private static String objectOf(String text) throws IOException {
        String stripped = text.strip();
        return namesOf(stripped) != null ? stripped : "{\"extra\":" + JsonText.quote(text) + "}";
    }

    /** The names in a JSON object; null if the text is something else. */
    private static Set<String> namesOf(String text) throws IOException {
        if (!text.startsWith("{")) {
            return null;
        }
        try (JsonParser parser = JSON.createParser(text)) {
            Set<String> names = new HashSet<>();
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                names.add(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
            return parser.nextToken() == null ? names : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static void value(StringBuilder json, Field field, int row) {
        SchemaNode leaf = field.leaf.leaf;
        long value = field.values[row];
        switch (leaf.type) {
            case BOOLEAN -> json.append(value != 0);
            case INT32, INT64 -> integer(json, field, value);
            case FLOAT -> floating(json, Float.toString(Float.intBitsToFloat((int) value)));
            case DOUBLE -> floating(json, Double.toString(Double.longBitsToDouble(value)));
            default -> bytes(json, leaf, field.names.table(), (int) value);
        }
    }

    private static void integer(StringBuilder json, Field field, long value) {
        SchemaNode leaf = field.leaf.leaf;
        if (leaf.annotation == Annotation.DECIMAL) {
            json.append(BigDecimal.valueOf(value, leaf.scale).toPlainString());
        } else {
            json.append(field.leaf.isUnsignedInt64() ? Long.toUnsignedString(value) : Long.toString(value));
        }
    }

    private static void floating(StringBuilder json, String text) {
        if (text.endsWith("NaN") || text.endsWith("Infinity")) {
            JsonText.quote(json, text);
        } else {
            json.append(text);
        }
    }

    private static void bytes(StringBuilder json, SchemaNode leaf, StringTable names, int ordinal) {
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
            JsonText.quote(json, names.get(ordinal));
        } else if (leaf.annotation == Annotation.DECIMAL && length > 0) {
            json.append(new BigDecimal(new BigInteger(bytes, from, length), leaf.scale).toPlainString());
        } else {
            byte[] raw = Arrays.copyOfRange(bytes, from, from + length);
            JsonText.quote(json, Base64.getEncoder().encodeToString(raw));
        }
    }
}
