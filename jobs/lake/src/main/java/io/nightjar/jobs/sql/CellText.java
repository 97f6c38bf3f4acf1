package io.nightjar.jobs.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.history.Contract;
import io.nightjar.jobs.JsonNumbers;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts cells, as {@link CellValue} returns them, to text for people and to JSON. */
final class CellText {

    private static final JsonFactory JSON = JsonFactory.builder()
            .configure(com.fasterxml.jackson.core.StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN, true)
            .build();

    private CellText() {}

    /** Returns text without quotes; lists and structs are JSON. Null stays null. */
    @Contract("!null -> !null")
    static @Nullable String text(@Nullable Object cell) {
        if (cell == null) {
            return null;
        }
        if (cell instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return cell instanceof List || cell instanceof Map ? json(cell) : cell.toString();
    }

    private static String json(Object cell) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = generator(text)) {
            write(json, cell);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Returns a generator that writes numbers as they are. */
    static JsonGenerator generator(StringWriter into) throws IOException {
        return JSON.createGenerator(into);
    }

    static void write(JsonGenerator json, @Nullable Object cell) throws IOException {
        if (cell == null) {
            json.writeNull();
        } else if (cell instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (cell instanceof Number number) {
            writeNumber(json, number);
        } else if (cell instanceof CellValue.Json text) {
            json.writeRawValue(text.text());
        } else if (cell instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (cell instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(entry.getKey().toString());
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else {
            json.writeString(cell.toString());
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
