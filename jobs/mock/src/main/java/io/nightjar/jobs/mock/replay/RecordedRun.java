package io.nightjar.jobs.mock.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recording of a mock run: the options of the mock and the ordered steps of its clients. */
public final class RecordedRun {

    private static final List<String> OPTIONS = List.of(
            "isolation", "seed", "choice", "updates", "constraints", "granularity", "staleness", "schedule", "faults");

    private final Map<String, String> options = new HashMap<>();
    private final List<String> clients = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final IntArrayList sessionOf = new IntArrayList();
    private final IntArrayList textOf = new IntArrayList();
    private final IntArrayList parametersOf = new IntArrayList();

    private boolean isComplete;

    private RecordedRun() {}

    /** Returns whether a file begins like a recording. */
    public static boolean isOne(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) { // accepts any bytes
            String first = lines.readLine();
            return first != null && first.startsWith("{\"schema\":1,\"recorded\":\"statements\"");
        }
    }

    /**
     * Reads a file, without an incomplete last line, which a killed mock may leave.
     *
     * @throws IllegalArgumentException if the file is no recording
     */
    public static RecordedRun read(Path file) throws IOException {
        RecordedRun run = new RecordedRun();
        JsonFactory json = new JsonFactory();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long number = 1;
            String line = lines.readLine();
            while (line != null) {
                String next = lines.readLine();
                try (JsonParser parser = json.createParser(line)) {
                    run.add(parser, number == 1);
                } catch (JsonProcessingException | IllegalStateException wrong) {
                    if (next != null) {
                        throw new IllegalArgumentException(
                                "no recorded order of statements: file=" + file + " line=" + number
                                        + "; give one that a mock has written",
                                wrong);
                    }
                }
                line = next;
                number++;
            }
        } catch (CharacterCodingException noText) {
            throw new IllegalArgumentException(
                    "no recorded order of statements: file=" + file + " holds=bytes that are no UTF-8"
                            + "; give one that a mock has written",
                    noText);
        }
        for (String name : OPTIONS) {
            if (!run.options.containsKey(name)) {
                throw new IllegalArgumentException("no recorded order of statements: file=" + file + " missing=" + name
                        + "; give one that a mock has written");
            }
        }
        return run;
    }

    private void add(JsonParser parser, boolean isFirst) throws IOException {
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (isFirst) {
                    options.put(name, parser.getText());
                } else if (name.equals(StatementRecorder.END)) {
                    isComplete = true;
                } else if (name.equals("client")) {
                    clients.add(parser.getText());
                }
            }
            return;
        }
        int session = number(parser, clients.size());
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(parser.getText());
            textOf.add(texts.size() - 1);
        } else {
            int text = parser.getIntValue();
            if (text < 0 || text >= texts.size()) {
                throw new IllegalStateException("no text");
            }
            textOf.add(text);
        }
        parser.nextToken();
        int parameters = parser.getIntValue();
        if (parser.nextToken() != JsonToken.END_ARRAY) {
            throw new IllegalStateException("more than three members");
        }
        sessionOf.add(session);
        parametersOf.add(parameters);
    }

    private static int number(JsonParser parser, int bound) throws IOException {
        if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT
                || parser.getIntValue() < 0
                || parser.getIntValue() >= bound) {
            throw new IllegalStateException("no session");
        }
        return parser.getIntValue();
    }

    /** Returns the options of every recording. */
    public static List<String> optionNames() {
        return OPTIONS;
    }

    /** Returns an option of the mock, in command-line form. */
    public @Nullable String option(String name) {
        return options.get(name);
    }

    /** Returns whether it has all steps of the run: not if the mock was killed or the file truncated. */
    public boolean isComplete() {
        return isComplete;
    }

    /** Returns the number of client steps. */
    public int count() {
        return parametersOf.size();
    }

    int sessionCount() {
        return clients.size();
    }

    String client(int session) {
        return clients.get(session);
    }

    int session(int step) {
        return sessionOf.getInt(step);
    }

    String text(int step) {
        return texts.get(textOf.getInt(step));
    }

    int parameters(int step) {
        return parametersOf.getInt(step);
    }
}
