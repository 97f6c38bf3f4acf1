package io.nightjar.jobs.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Options as one JSON object of strings. */
final class OptionsJson {

    private OptionsJson() {}

    /** Names and values in turn; a null value is written as null. */
    static String of(String... namesAndValues) {
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
}
