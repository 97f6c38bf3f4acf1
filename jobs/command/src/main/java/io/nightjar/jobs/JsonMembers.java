package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object that was read as a whole. A member that is null is as one that is missing. */
public final class JsonMembers {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Object> members;

    private JsonMembers(Map<String, Object> members) {
        this.members = members;
    }

    /** @throws IOException if the text is no object */
    public static JsonMembers parse(String text) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            json.nextToken();
            return of(json);
        }
    }

    /** @throws IOException if the bytes are no object */
    public static JsonMembers parse(InputStream utf8) throws IOException {
        try (JsonParser json = FACTORY.createParser(utf8)) {
            json.nextToken();
            return of(json);
        }
    }

    /** Reads the object that begins at the parser; afterwards the parser is at its end. */
    public static JsonMembers of(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("not a JSON object");
        }
        return of(value(json));
    }

    private static JsonMembers of(@Nullable Object value) {
        Map<String, Object> named = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> named.put((String) name, member));
        }
        return new JsonMembers(named);
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    members.put(name, value(json));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(json));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    public Set<String> names() {
        return members.keySet();
    }

    /** Returns a value: a text, a number, a truth value, a list or a map. */
    public @Nullable Object value(String name) {
        return members.get(name);
    }

    /** Returns all values by their names, as {@link #value} does. */
    public Map<String, Object> values() {
        return members;
    }

    /** Returns the object as JSON without spaces. */
    public String json() {
        return JsonObjectText.ofValue(members);
    }

    public @Nullable String textOrNull(String name) {
        Object value = members.get(name);
        return value == null ? null : value.toString();
    }

    /** @throws IOException if it is missing */
    public String text(String name) throws IOException {
        String text = textOrNull(name);
        if (text == null) {
            throw new IOException("key missing: needed=" + name);
        }
        return text;
    }

    /** Returns an integer, which may be written as a text. */
    public long number(String name, long otherwise) {
        Object value = members.get(name);
        return value == null ? otherwise : number(value);
    }

    private static long number(Object value) {
        return value instanceof Number number ? number.longValue() : Long.parseLong(value.toString());
    }

    public double fraction(String name) {
        return members.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    /** Returns the members of an object; none if it is missing. */
    public JsonMembers object(String name) {
        return of(members.get(name));
    }

    /** Returns the objects of an array; none if it is missing. */
    public List<JsonMembers> objects(String name) {
        return elements(name).stream().map(JsonMembers::of).toList();
    }

    public List<String> texts(String name) {
        return elements(name).stream().map(Object::toString).toList();
    }

    public List<Long> numbers(String name) {
        return elements(name).stream().map(JsonMembers::number).toList();
    }

    private List<?> elements(String name) {
        return members.get(name) instanceof List<?> elements ? elements : List.of();
    }
}
