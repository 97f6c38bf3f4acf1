package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the JSON text of a row, or of an array of parameters, apart into values. */
final class RowCells {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Integers of fewer characters fit into a long. */
    private static final int MAX_LONG_CHARS = 19;

    /** The column of values that are no objects. */
    static final String SCALAR_COLUMN = "value";

    private final Map<String, Integer> ordinalOf = new HashMap<>();

    /** Returns the ordinal of a column by its name, letter by letter or else in any case; -1 if no row has it. */
    int column(String name) {
        Integer exact = ordinalOf.get(name);
        if (exact != null) {
            return exact;
        }
        for (Map.Entry<String, Integer> column : ordinalOf.entrySet()) {
            if (column.getKey().equalsIgnoreCase(name)) {
                return column.getValue();
            }
        }
        return -1;
    }

    int columnCount() {
        return ordinalOf.size();
    }

    private int ordinal(String name) {
        Integer known = ordinalOf.get(name);
        if (known == null) {
            known = ordinalOf.size();
            ordinalOf.put(name, known);
        }
        return known;
    }

    /** Returns the values of a row by the ordinal of their column; a text that is no object is a row with one column. */
    Object[] row(String json) {
        if (json.strip().startsWith("{")) {
            try (JsonParser parser = FACTORY.createParser(json)) {
                Object[] cells = new Object[ordinalOf.size()];
                parser.nextToken();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    int column = ordinal(parser.currentName());
                    cells = column < cells.length ? cells : Arrays.copyOf(cells, column + 1);
                    parser.nextToken();
                    cells[column] = value(parser, json);
                }
                return cells;
            } catch (IOException | IllegalArgumentException noJson) {
                return scalar(json);
            }
        }
        try {
            return scalar(Long.parseLong(json));
        } catch (NumberFormatException noNumber) {
            return scalar(json);
        }
    }

    private Object[] scalar(Object value) {
        Object[] scalar = new Object[ordinal(SCALAR_COLUMN) + 1];
        scalar[scalar.length - 1] = value;
        return scalar;
    }

    /** @throws ConditionException if it is no array */
    static Object[] params(@Nullable String json) {
        List<@Nullable Object> values = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(json == null ? "[]" : json)) {
            boolean isArray = parser.nextToken() == JsonToken.START_ARRAY;
            while (isArray && parser.nextToken() != JsonToken.END_ARRAY) {
                values.add(value(parser, requireNonNull(json)));
            }
            if (isArray) {
                return values.toArray();
            }
        } catch (IOException | IllegalArgumentException noJson) {
            // no array either
        }
        throw new ConditionException("params are no JSON array: params=" + json);
    }

    private static @Nullable Object value(JsonParser parser, String json) {
        try {
            return switch (parser.currentToken()) {
                case VALUE_NULL -> null;
                case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
                case VALUE_NUMBER_INT ->
                    parser.getTextLength() < MAX_LONG_CHARS
                            ? (Object) parser.getLongValue()
                            : RowValues.narrow(parser.getDecimalValue());
                case VALUE_NUMBER_FLOAT -> RowValues.narrow(parser.getDecimalValue());
                case START_OBJECT, START_ARRAY -> {
                    int start = (int) parser.currentTokenLocation().getCharOffset();
                    parser.skipChildren();
                    yield json.substring(start, (int) parser.currentLocation().getCharOffset()); // its text
                }
                default -> parser.getText();
            };
        } catch (IOException noJson) {
            throw new IllegalArgumentException("no JSON: text=" + json, noJson);
        }
    }
}
