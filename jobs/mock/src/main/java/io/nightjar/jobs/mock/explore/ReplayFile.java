package io.nightjar.jobs.mock.explore;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.ChoiceLog;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Answers of a run, stored for replay.
 *
 * @param level level of the mock
 * @param choices choices of the run
 */
public record ReplayFile(IsolationLevel level, ChoiceLog choices) {

    private static final int TURN = 1;

    /** Writes a JSON object. */
    public void write(Path file) throws IOException {
        try (JsonGenerator object = new JsonFactory().createGenerator(file.toFile(), JsonEncoding.UTF8)) {
            object.writeStartObject();
            object.writeNumberField("schema", 1);
            object.writeStringField("isolation", level.longName());
            object.writeFieldName("behind");
            object.writeArray(choices.taken(), 0, choices.count());
            object.writeFieldName("answers");
            object.writeArray(choices.bounds(), 0, choices.bounds().length);
            object.writeFieldName("turns");
            object.writeStartArray();
            for (boolean isTurn : choices.isTurn()) {
                object.writeNumber(isTurn ? TURN : 0);
            }
            object.writeEndArray();
            object.writeEndObject();
        }
    }

    /**
     * Reads a replay file.
     *
     * @throws IllegalArgumentException if the file is no replay file
     */
    public static ReplayFile read(Path file) throws IOException {
        IsolationLevel level = null;
        int[] laterChoices = null;
        int[] bounds = {};
        int[] turns = {};
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = new JsonFactory().createParser(in)) {
            check(parser.nextToken() == JsonToken.START_OBJECT, file);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "isolation" -> level = IsolationLevel.byName(parser.getText());
                    case "behind" -> laterChoices = numbers(parser, file);
                    case "answers" -> bounds = numbers(parser, file);
                    case "turns" -> turns = numbers(parser, file);
                    default -> parser.skipChildren();
                }
            }
        } catch (JsonProcessingException noJson) {
            check(false, file);
        }
        if (level == null || laterChoices == null) {
            throw none(file);
        }
        boolean[] isTurn = new boolean[laterChoices.length];
        for (int choice = 0; choice < Math.min(turns.length, isTurn.length); choice++) {
            isTurn[choice] = turns[choice] == TURN;
        }
        return new ReplayFile(level, ChoiceLog.of(laterChoices, bounds, isTurn));
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
            throw none(file);
        }
    }

    private static IllegalArgumentException none(Path file) {
        return new IllegalArgumentException(
                "no answers to replay: file=" + file + "; give one that explore or mock has written");
    }
}
