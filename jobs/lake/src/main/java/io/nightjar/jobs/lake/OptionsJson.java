package io.nightjar.jobs.lake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options as one JSON object of strings. */
public final class OptionsJson {

    private OptionsJson() {}

    /** Names and values in turn; a null value is written as null. */
    public static String of(@Nullable String... namesAndValues) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            for (int i = 0; i < namesAndValues.length; i += 2) {
                json.writeStringField(namesAndValues[i], namesAndValues[i + 1]);
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Returns values by name; null values are omitted. */
    public static Map<String, String> read(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (json.nextToken() != JsonToken.VALUE_NULL) {
                    values.put(name, json.getText());
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not options: text=" + text, e);
        }
        return values;
    }
}
