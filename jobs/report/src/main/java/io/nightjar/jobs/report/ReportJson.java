package io.nightjar.jobs.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what the tables hold as small JSON objects. */
final class ReportJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ReportJson() {}

    /** The members of an object that are no objects or arrays, as text, nulls left out; empty if it is no object. */
    static Map<String, String> members(@Nullable String text) {
        Map<String, String> members = new LinkedHashMap<>();
        if (text == null) {
            return members;
        }
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return members;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value.isStructStart()) {
                    json.skipChildren();
                } else if (value != JsonToken.VALUE_NULL) {
                    members.put(name, json.getText());
                }
            }
            return members;
        } catch (IOException noJson) {
            return Map.of();
        }
    }

    /** Returns one member as text, or null. */
    static @Nullable String textOf(String text, String name) {
        return members(text).get(name);
    }
}
