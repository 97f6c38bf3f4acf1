package io.nightjar.jobs.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of small JSON objects stored in the tables. */
final class ReportJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ReportJson() {}

    /** Returns the scalar members of an object as text, without nulls; empty if the text is no object. */
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
