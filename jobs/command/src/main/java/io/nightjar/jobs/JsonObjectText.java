package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Text of JSON objects. */
public final class JsonObjectText {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .configure(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN, true)
            .build();

    private JsonObjectText() {}

    /**
     * Writer of the members of an object.
     *
     * @param <E> exception of the source of the members
     */
    @FunctionalInterface
    public interface Members<E extends Exception> {
        void write(JsonGenerator json) throws IOException, E;
    }

    /** Returns an object on one line, without a line end. */
    public static <E extends Exception> String of(Members<E> members) throws E {
        return of(members, false);
    }

    /** Returns an object on several lines, without a line end. */
    public static <E extends Exception> String indented(Members<E> members) throws E {
        return of(members, true);
    }

    private static <E extends Exception> String of(Members<E> members, boolean isIndented) throws E {
        return text(
                json -> {
                    json.writeStartObject();
                    members.write(json);
                    json.writeEndObject();
                },
                isIndented);
    }

    static String indented(JsonObject object) {
        return text(json -> writeValue(json, object), true);
    }

    /** Returns the JSON of a value that {@link #writeValue} can write. */
    public static String ofValue(@Nullable Object value) {
        return text(json -> writeValue(json, value), false);
    }

    private static <E extends Exception> String text(Members<E> content, boolean isIndented) throws E {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            if (isIndented) {
                json.useDefaultPrettyPrinter();
            }
            content.write(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Writes a member that is an array of texts. */
    public static void writeTexts(JsonGenerator json, String name, Iterable<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /** A value that has its own JSON. */
    public interface Raw {
        String json();
    }

    /** Writes null, a truth value, a number, {@link Raw} JSON, an object, a list or a map of these; all else as a text. */
    public static void writeValue(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Number number) {
            writeNumber(json, number);
        } else if (value instanceof Raw raw) {
            json.writeRawValue(raw.json());
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                writeValue(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof JsonObject object) {
            writeValue(json, object.members());
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(entry.getKey().toString());
                writeValue(json, entry.getValue());
            }
            json.writeEndObject();
        } else {
            json.writeString(value.toString());
        }
    }

    private static void writeNumber(JsonGenerator json, Number number) throws IOException {
        if (number instanceof Double || number instanceof Float) {
            json.writeNumber(number.doubleValue());
        } else if (number instanceof BigInteger big) {
            JsonNumbers.write(json, big);
        } else if (number instanceof BigDecimal decimal) {
            boolean isExact = decimal.abs().compareTo(BigDecimal.valueOf(JsonNumbers.MAX_EXACT)) <= 0;
            if (isExact) {
                json.writeNumber(decimal);
            } else {
                json.writeString(decimal.toPlainString());
            }
        } else {
            JsonNumbers.write(json, number.longValue());
        }
    }
}
