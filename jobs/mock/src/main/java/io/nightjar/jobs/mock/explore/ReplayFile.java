package io.nightjar.jobs.mock.explore;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonMembers;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.mock.ChoiceLog;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        List<Integer> turns = new ArrayList<>();
        for (boolean isTurn : choices.isTurn()) {
            turns.add(isTurn ? TURN : 0);
        }
        JsonObject object = new JsonObject()
                .put("schema", 1)
                .put("isolation", level.longName())
                .put("behind", IntArrayList.wrap(choices.taken(), choices.count()))
                .put("answers", IntArrayList.wrap(choices.bounds()))
                .put("turns", turns);
        Files.writeString(file, object.text());
    }

    /**
     * Reads a replay file.
     *
     * @throws IllegalArgumentException if the file is no replay file
     */
    public static ReplayFile read(Path file) throws IOException {
        try {
            JsonMembers members = JsonMembers.parse(Files.readString(file));
            IsolationLevel level = IsolationLevel.byName(members.text("isolation"));
            if (level == null || !members.has("behind")) {
                throw none(file);
            }
            int[] laterChoices = numbers(members, "behind");
            int[] turns = numbers(members, "turns");
            boolean[] isTurn = new boolean[laterChoices.length];
            for (int choice = 0; choice < Math.min(turns.length, isTurn.length); choice++) {
                isTurn[choice] = turns[choice] == TURN;
            }
            return new ReplayFile(level, ChoiceLog.of(laterChoices, numbers(members, "answers"), isTurn));
        } catch (JsonProcessingException | CharacterCodingException | NumberFormatException noJson) {
            throw none(file);
        }
    }

    private static int[] numbers(JsonMembers members, String name) {
        return members.numbers(name).stream().mapToInt(Math::toIntExact).toArray();
    }

    private static IllegalArgumentException none(Path file) {
        return new IllegalArgumentException(
                "no answers to replay: file=" + file + "; give one that explore or mock has written");
    }
}
