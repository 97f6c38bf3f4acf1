package io.nightjar.formats.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** Copies values from a stream of JSON into cells, and reports errors in Nightjar's terms. */
public final class JsonCells {

    /** Reads UTF-8 without detection of encodings. */
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    private JsonCells() {}

    /** Opens a parser; the caller closes the stream. */
    public static JsonParser parser(InputStream in) throws IOException {
        return FACTORY.createParser(in).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
    }

    public static JsonParser parser(byte[] utf8, int from, int length) throws IOException {
        return FACTORY.createParser(utf8, from, length);
    }

    /** Copies the current value of the parser into the cell, for any type; arrays and objects as compact JSON. */
    public static void take(JsonParser parser, Cell cell) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_NULL -> cell.setNull();
            case VALUE_NUMBER_INT -> takeInteger(parser, cell);
            case VALUE_NUMBER_FLOAT -> cell.setDouble(parser.getDoubleValue());
            case VALUE_STRING -> takeString(parser, cell);
            case START_ARRAY, START_OBJECT -> cell.setString(structure(parser));
            default -> cell.setString(parser.getText());
        }
    }

    private static void takeInteger(JsonParser parser, Cell cell) throws IOException {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            byte[] digits = parser.getText().getBytes(StandardCharsets.US_ASCII);
            cell.setText(Cell.Kind.PLAIN, digits, 0, digits.length);
        } else {
            cell.setLong(parser.getLongValue());
        }
    }

    private static void takeString(JsonParser parser, Cell cell) throws IOException {
        char[] chars = parser.getTextCharacters();
        int from = parser.getTextOffset();
        int length = parser.getTextLength();
        byte[] bytes = cell.reserve(length);
        for (int i = 0; i < length; i++) {
            char c = chars[from + i];
            if (c >= 0x80) {
                cell.setString(new String(chars, from, length));
                return;
            }
            bytes[i] = (byte) c;
        }
        cell.setText(Cell.Kind.STRING, bytes, 0, length);
    }

    /** Returns the current array or object of the parser as compact JSON; the parser is then at its end. */
    public static String structure(JsonParser parser) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            generator.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    /** Returns the error for text that is not JSON, with its location in the file. */
    public static BadRowException notJson(JsonProcessingException fault) {
        String reason = String.valueOf(fault.getOriginalMessage());
        int end = reason.indexOf('\n');
        String first = end < 0 ? reason : reason.substring(0, end);
        int source = first.indexOf(" (start marker at");
        return BadRowException.of("not JSON")
                .with("reason=" + (source < 0 ? first : first.substring(0, source)) + " "
                        + location(fault.getLocation()));
    }

    private static String location(JsonLocation at) {
        return at == null ? "" : "at-line=" + at.getLineNr() + " column=" + at.getColumnNr();
    }
}
