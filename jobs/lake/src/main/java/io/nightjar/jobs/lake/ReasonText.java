package io.nightjar.jobs.lake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.finding.EdgeReason;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reason of an edge as in the column {@code because}: a JSON array of its word and its fields, strings or null. */
public final class ReasonText {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_CHARS = 1 << 16;

    private ReasonText() {}

    /** Returns the reason as text; null for none, and for one that is too long: then only its sentence is stored. */
    public static @Nullable String of(@Nullable EdgeReason reason) {
        if (reason == null || reason instanceof EdgeReason.Explained) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartArray();
            json.writeString(reason.word());
            for (String field : reason.fields()) {
                json.writeString(field);
            }
            json.writeEndArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException("bug: text in memory", impossible);
        }
        return text.getBuffer().length() > MAX_CHARS ? null : text.toString();
    }

    /**
     * Returns the reason of a row.
     *
     * @param because its data; null in rows of earlier versions
     * @param sentence the fallback if the data is missing, or unknown to this version; null if the row has no reason
     */
    public static @Nullable EdgeReason parse(@Nullable String because, @Nullable String sentence) {
        if (because != null) {
            try {
                List<String> words = words(because);
                return EdgeReason.of(words.get(0), words.subList(1, words.size()));
            } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException unknown) {
                return sentence == null ? null : new EdgeReason.Explained(sentence);
            }
        }
        return sentence == null ? null : new EdgeReason.Explained(sentence);
    }

    private static List<String> words(String because) throws IOException {
        List<String> words = new ArrayList<>();
        try (JsonParser json = JSON.createParser(because)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("not an array");
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                words.add(json.currentToken() == JsonToken.VALUE_NULL ? null : json.getText());
            }
        }
        return words;
    }
}
