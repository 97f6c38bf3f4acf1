package io.nightjar.jobs.report;

import io.nightjar.jobs.JsonMembers;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of small JSON objects stored in the tables. */
final class ReportJson {

    private ReportJson() {}

    /** Returns the scalar members of an object as text, without nulls; empty if the text is no object. */
    static Map<String, String> members(@Nullable String text) {
        Map<String, String> members = new LinkedHashMap<>();
        if (text == null) {
            return members;
        }
        try {
            JsonMembers.parse(text).values().forEach((name, value) -> {
                if (value != null && !(value instanceof Map) && !(value instanceof List)) {
                    members.put(name, value.toString());
                }
            });
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
