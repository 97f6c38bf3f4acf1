package io.nightjar.jobs.lake;

import io.nightjar.jobs.JsonMembers;
import io.nightjar.jobs.JsonObjectText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options as one JSON object of strings. */
public final class OptionsJson {

    private OptionsJson() {}

    /** Names and values in turn; a null value is written as null. */
    public static String of(@Nullable String... namesAndValues) {
        return JsonObjectText.of(json -> {
            for (int i = 0; i < namesAndValues.length; i += 2) {
                json.writeStringField(namesAndValues[i], namesAndValues[i + 1]);
            }
        });
    }

    /** Returns values by name; null values are omitted. */
    public static Map<String, String> read(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        try {
            JsonMembers options = JsonMembers.parse(text);
            for (String name : options.names()) {
                if (options.has(name)) {
                    values.put(name, options.text(name));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not options: text=" + text, e);
        }
        return values;
    }
}
