package io.nightjar.jobs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A JSON object under construction: members in their order, with values as in {@link JsonObjectText#writeValue}. */
public final class JsonObject {

    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    /** Adds a member. */
    public JsonObject put(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    /** Adds a member unless it is null. */
    public JsonObject putPresent(String name, @Nullable Object value) {
        return value == null ? this : put(name, value);
    }

    /** Adds an array with an object for each element. */
    public <T> JsonObject putEach(String name, List<T> elements, Function<T, JsonObject> toObject) {
        return put(name, elements.stream().map(toObject).toList());
    }

    /** Adds the members of another object. */
    public JsonObject putAll(JsonObject other) {
        members.putAll(other.members);
        return this;
    }

    Map<String, @Nullable Object> members() {
        return Collections.unmodifiableMap(members);
    }

    /** Returns the object on one line, without a line end. */
    public String text() {
        return JsonObjectText.ofValue(this);
    }

    /** Returns the object on several lines, without a line end. */
    public String indented() {
        return JsonObjectText.indented(this);
    }
}
