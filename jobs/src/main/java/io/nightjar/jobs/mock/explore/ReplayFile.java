package io.nightjar.jobs.mock.explore;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The answers of a run, kept so that it can be run again.
 *
 * @param level that was kept
 * @param behind how many versions behind the newest that was allowed each answer was
 * @param bounds how many answers each choice had
 */
public record ReplayFile(IsolationLevel level, int[] behind, int[] bounds) {

    /** Writes it as a JSON object. */
    public void write(Path file) throws IOException {
        try (JsonGenerator object = new JsonFactory().createGenerator(file.toFile(), JsonEncoding.UTF8)) {
            object.writeStartObject();
            object.writeNumberField("schema", 1);
            object.writeStringField("isolation", level.longName());
            object.writeFieldName("behind");
            object.writeArray(behind, 0, behind.length);
            object.writeFieldName("answers");
            object.writeArray(bounds, 0, bounds.length);
            object.writeEndObject();
        }
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if the file is none
     */
    public static ReplayFile read(Path file) throws IOException {
        IsolationLevel level = null;
        int[] behind = null;
        int[] bounds = {};
        try (JsonParser parser = new JsonFactory().createParser(Files.newBufferedReader(file))) {
            check(parser.nextToken() == JsonToken.START_OBJECT, file);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "isolation" -> level = IsolationLevel.byName(parser.getText());
                    case "behind" -> behind = numbers(parser, file);
                    case "answers" -> bounds = numbers(parser, file);
                    default -> parser.skipChildren();
                }
            }
        } catch (JsonProcessingException noJson) {
            check(false, file);
        }
        check(level != null && behind != null, file);
        return new ReplayFile(level, behind, bounds);
    }

    private static int[] numbers(JsonParser parser, Path file) throws IOException {
        check(parser.currentToken() == JsonToken.START_ARRAY, file);
        IntArrayList numbers = new IntArrayList();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            check(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, file);
            numbers.add(parser.getIntValue());
        }
        return numbers.toIntArray();
    }

    private static void check(boolean isRight, Path file) {
        if (!isRight) {
            throw new IllegalArgumentException(
                    "no answers to replay: file=" + file + "; give one that explore or mock has written");
        }
    }
}
