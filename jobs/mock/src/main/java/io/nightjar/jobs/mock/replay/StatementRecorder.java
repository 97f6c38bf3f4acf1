package io.nightjar.jobs.mock.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.mock.CanonicalOrder;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.StatementOrder;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Recorder of the statement order of a run, in a file next to its archive. */
public final class StatementRecorder implements StatementOrder {

    /*
     * Layout. JSON Lines. The first line is an object with the options. Each step is an array: session number, action
     * (its text, or the number of the line with that text, for the first texts), and a hash of the parameters. An
     * object with the client's name introduces a session. A complete file ends with a marker object.
     *
     * Lines are flushed at the latest with the first step after a tenth of a second, so a killed mock loses only the
     * last steps.
     */

    private static final int TEXTS_KEPT = 10_000;
    private static final int CHARACTERS_KEPT = 1 << 22;
    static final String GONE = "(gone)";
    static final String END = "end";
    private static final int BUFFER = 1 << 13;
    private static final long FLUSH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path file;
    private final Consumer<String> notes;
    private final StringBuilder lines = new StringBuilder();
    private final Object2IntOpenHashMap<String> textNumber = new Object2IntOpenHashMap<>();
    private final Object2IntOpenHashMap<MockSession> introduced = new Object2IntOpenHashMap<>();
    private int sessionCount;
    private int charactersKept;
    private MockStore store;
    private MockOptions options;
    private @Nullable Writer out;
    private long flushedNs;

    /** @param notes called once writing fails */
    public StatementRecorder(Path file, Consumer<String> notes) {
        this.file = file;
        this.notes = notes;
        textNumber.defaultReturnValue(-1);
    }

    @Override
    @SetsFields
    public void begin(MockStore ofStore) throws IOException {
        store = ofStore;
        out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        options = store.options();
        writeOptions();
        flush();
    }

    private void writeOptions() {
        String text = JsonObjectText.of(object -> {
            object.writeNumberField("schema", 1);
            object.writeStringField("recorded", "statements");
            object.writeStringField("isolation", options.level().longName());
            object.writeNumberField("seed", options.seed());
            object.writeStringField("choice", choices());
            object.writeStringField("updates", options.reads().updatesReadNewest() ? "newest" : "any");
            object.writeStringField("constraints", options.reads().constraintsReadNewest() ? "newest" : "any");
            object.writeStringField("granularity", options.rules().isByCell() ? "cell" : "row");
            object.writeNumberField("staleness", options.reads().staleness());
            object.writeStringField("schedule", options.schedule().isSerial() ? "serial" : "interleaved");
            object.writeStringField(
                    "faults",
                    "abort=" + options.faults().abort() + ",unknown-commit="
                            + options.faults().unknownCommit() + ",disconnect="
                            + options.faults().disconnect());
        });
        lines.append(text).append('\n');
    }

    private String choices() {
        StringBuilder text = new StringBuilder(word(options.reads().choice()));
        for (Map.Entry<String, ChoiceMode> rule :
                options.rules().choiceOfTable().entrySet()) {
            text.append(',').append(rule.getKey()).append('=').append(word(rule.getValue()));
        }
        return text.toString();
    }

    private static String word(ChoiceMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the part of a step that is compared: without comments, which may contain a different trace in each run.
     */
    static String plain(String what) {
        return CanonicalOrder.withoutComments(what);
    }

    /** Returns a hash of parameters. */
    static int number(List<?> parameters) {
        return parameters.isEmpty() ? 0 : Arrays.deepHashCode(parameters.toArray());
    }

    @Override
    public void step(MockSession session, String what, List<?> parameters) {
        if (out == null) {
            return;
        }
        if (!introduced.containsKey(session)) {
            introduced.put(session, sessionCount++);
            lines.append("{\"session\":").append(introduced.getInt(session)).append(",\"client\":");
            quote(session.client() == null ? "" : session.client());
            lines.append("}\n");
        }
        lines.append('[').append(introduced.getInt(session)).append(',');
        String text = plain(what);
        int known = textNumber.getInt(text);
        if (known >= 0) {
            lines.append(known);
        } else {
            if (textNumber.size() < TEXTS_KEPT && charactersKept < CHARACTERS_KEPT) {
                textNumber.put(text, textNumber.size());
                charactersKept += text.length();
            }
            quote(text);
        }
        lines.append(',').append(number(parameters)).append("]\n");
        if (lines.length() > BUFFER || System.nanoTime() - flushedNs > FLUSH_NS) {
            flush();
        }
    }

    private void quote(String text) {
        lines.append('"')
                .append(JsonStringEncoder.getInstance().quoteAsString(text))
                .append('"');
    }

    @Override
    public void gone(MockSession session) {
        if (introduced.containsKey(session)) {
            step(session, GONE, List.of());
            introduced.removeInt(session);
        }
    }

    private void flush() {
        flushedNs = System.nanoTime();
        try {
            Writer to = requireNonNull(out);
            to.append(lines);
            to.flush();
        } catch (IOException full) {
            abandon(full);
        }
        lines.setLength(0);
    }

    private void abandon(IOException full) {
        try {
            requireNonNull(out).close();
        } catch (IOException alsoFull) {
            full.addSuppressed(alsoFull);
        }
        out = null;
        notes.accept("the order of statements is no longer recorded: file=" + file + " reason=" + full.getMessage());
    }

    @Override
    public void close() throws IOException {
        if (out == null) {
            return;
        }
        store.lock().lock();
        try {
            if (out != null) {
                lines.append("{\"").append(END).append("\":true}\n");
                flush();
            }
            if (out != null) {
                out.close();
                out = null;
            }
        } finally {
            store.lock().unlock();
        }
    }
}
