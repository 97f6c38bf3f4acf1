package io.nightjar.jobs.mock.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A posted statement.
 *
 * @param session name of the session
 * @param parameters strings, numbers, booleans and nulls, for its question marks
 */
record SqlRequest(String session, String sql, List<Object> parameters) {

    static SqlRequest parse(String json) {
        String session = "default";
        String sql = null;
        List<Object> parameters = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            check(parser.nextToken() == JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "session" -> session = parser.getText();
                    case "sql" -> sql = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                    case "params" -> {
                        check(value == JsonToken.START_ARRAY);
                        while (parser.nextToken() != JsonToken.END_ARRAY) {
                            parameters.add(parameter(parser));
                        }
                    }
                    default ->
                        throw new IllegalArgumentException(
                                "unknown member: name=" + name + "; known: session, sql and params");
                }
            }
            check(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
        } catch (IOException noJson) {
            check(false);
        }
        if (sql == null) {
            throw none();
        }
        return new SqlRequest(session, sql, parameters);
    }

    private static @Nullable Object parameter(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            default -> throw new IllegalArgumentException("parameters are strings, numbers, booleans and nulls");
        };
    }

    private static void check(boolean isRight) {
        if (!isRight) {
            throw none();
        }
    }

    private static IllegalArgumentException none() {
        return new IllegalArgumentException(
                "no statement: give {\"session\":\"a\",\"sql\":\"SELECT 1\",\"params\":[]}");
    }
}
