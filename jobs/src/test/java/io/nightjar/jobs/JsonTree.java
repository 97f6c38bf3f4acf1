package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps in the order of their keys, lists, strings, longs, doubles, booleans and nulls. */
public final class JsonTree {

    private JsonTree() {}

    /** The object that a text is. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        return (Map<String, Object>) parse(text);
    }

    /** One object for each line. */
    public static List<Map<String, Object>> lines(String text) {
        return text.lines().map(JsonTree::object).toList();
    }

    /** What stands behind a path of keys. */
    @SuppressWarnings("unchecked")
    public static <T> T at(Object from, String... keys) {
        Object found = from;
        for (String key : keys) {
            found = ((Map<String, Object>) found).get(key);
        }
        return (T) found;
    }

    private static Object parse(String text) {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            Object value = value(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("more than one value: text=" + text);
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: text=" + text, e);
        }
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String key = json.currentName();
                    json.nextToken();
                    object.put(key, value(json));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(json));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }
}
