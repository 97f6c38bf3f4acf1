package io.nightjar.pipeline.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a row by their names in small letters, or the parameters of a condition, read from JSON. */
final class RowReading {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private RowReading() {}

    /** Parses a row; a value that is no object is a row with one column. */
    static Map<String, Object> row(String json) {
        Map<String, Object> row = new HashMap<>();
        if (json.strip().startsWith("{")) {
            try (JsonParser parser = FACTORY.createParser(json)) {
                parser.nextToken();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName().toLowerCase(Locale.ROOT);
                    parser.nextToken();
                    row.put(name, value(parser, json));
                }
                return row;
            } catch (IOException | IllegalArgumentException noJson) {
                row.clear(); // a text like any other
            }
        }
        row.put("value", json.matches("-?\\d{1,18}") ? new BigDecimal(json) : json);
        return row;
    }

    static List<?> params(@Nullable String json) {
        List<@Nullable Object> params = new ArrayList<>();
        String text = json == null ? "[]" : json;
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                params.add(value(parser, text));
            }
            return params;
        } catch (IOException noJson) {
            throw new IllegalArgumentException("params are no JSON array: params=" + json, noJson);
        }
    }

    private static @Nullable Object value(JsonParser parser, String json) {
        try {
            return switch (parser.currentToken()) {
                case VALUE_NULL -> null;
                case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
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
