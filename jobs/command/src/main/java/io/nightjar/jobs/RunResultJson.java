package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.Lint;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResult.Tellings;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link RunResult} as the single-line JSON object that {@code check --json} prints, and back. */
public final class RunResultJson {

    /** The version of the object's shape, in its key {@code schema}. */
    public static final int SCHEMA = 1;

    private static final JsonFactory FACTORY = new JsonFactory();

    private RunResultJson() {}

    /** Returns the object on one line, without a line end. */
    public static String write(RunResult result) {
        return write(result, false);
    }

    /**
     * Writes the same with the result of a comparison.
     *
     * @param baseline the run that it was compared with
     */
    public static String writeCompared(RunResult result, String baseline, long newAnomalies) {
        String alone = write(result);
        return alone.substring(0, alone.length() - 1) + ",\"baseline\":\"" + baseline + "\",\"new_anomalies\":"
                + newAnomalies + "}";
    }

    /** Writes a result with all data that {@link #read} needs to restore it. */
    public static String writeWhole(RunResult result) {
        return write(result, true);
    }

    private static String write(RunResult result, boolean isWhole) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(result, json, isWhole);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /**
     * Writes the object that replaces a missing result.
     *
     * @param verdict {@code rejected} if the input is not a history, else {@code failed}
     * @param location location of the error; null if it has none
     */
    public static String notChecked(String history, String verdict, String error, @Nullable InputLocation location) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("schema", SCHEMA);
            json.writeStringField("history", history);
            json.writeStringField("verdict", verdict);
            json.writeStringField("error", error);
            if (location != null) {
                json.writeStringField("file", location.file());
                if (location.row() > 0) {
                    json.writeNumberField("row", location.row());
                }
                if (location.column() != null) {
                    json.writeStringField("column", location.column());
                }
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Writes the object as a part of another one. */
    public static void write(RunResult result, JsonGenerator json) throws IOException {
        write(result, json, true);
    }

    private static void write(RunResult result, JsonGenerator json, boolean isWhole) throws IOException {
        json.writeStartObject();
        json.writeNumberField("schema", SCHEMA);
        json.writeStringField("history", result.history());
        json.writeStringField("verdict", result.verdict().word());
        writeCount(json, "transactions", result.transactions());
        writeCount(json, "operations", result.operations());
        writeCount(json, "sessions", result.sessions());
        writeCount(json, "keys", result.keys());
        json.writeStringField("evidence", result.evidence());
        json.writeStringField("engine", result.engine());
        json.writeStringField("run_id", result.runId());
        json.writeFieldName("seconds");
        JsonNumbers.writeSeconds(json, result.seconds());
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            json.writeFieldName(level.getKey().longName());
            writeLevel(json, level.getValue());
        }
        json.writeEndObject();
        if (result.ruledOut() != null) {
            writeRuledOut(json, result.ruledOut());
        }
        json.writeArrayFieldStart("anomalies");
        for (ListedAnomaly anomaly : result.anomalies()) {
            writeAnomaly(json, anomaly);
        }
        json.writeEndArray();
        if (isWhole) {
            writeCount(json, "anomaly_count", result.report().anomalyCount());
            writeCount(json, "fault_count", result.report().faults().count());
            json.writeBooleanField("fault_count_exact", result.report().faults().isExact());
            writeTellings(json, result.anomalies());
        }
        json.writeArrayFieldStart("lint");
        for (Lint lint : result.lint()) {
            json.writeStartObject();
            json.writeStringField("rule_id", lint.ruleId());
            json.writeStringField("severity", lint.severity());
            writeCount(json, "count", lint.count());
            json.writeStringField("message", lint.message());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Writes the forms of faults of reads, and of faults with several forms. */
    private static void writeTellings(JsonGenerator json, List<ListedAnomaly> anomalies) throws IOException {
        if (anomalies.stream().allMatch(anomaly -> anomaly.tellings().equals(Tellings.ALONE))) {
            return;
        }
        json.writeObjectFieldStart("tellings");
        for (ListedAnomaly anomaly : anomalies) {
            if (!anomaly.tellings().equals(Tellings.ALONE)) {
                json.writeObjectFieldStart(anomaly.id());
                json.writeStringField("observed_origin", anomaly.tellings().origin());
                json.writeStringField("related_anomaly_id", anomaly.tellings().relatedTo());
                writeTexts(json, "also", anomaly.tellings().also());
                json.writeEndObject();
            }
        }
        json.writeEndObject();
    }

    private static Map<String, Tellings> readTellings(JsonParser json) throws IOException {
        Map<String, Tellings> tellingsOf = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String id = json.currentName();
            json.nextToken();
            String origin = null;
            String relatedTo = null;
            List<String> also = List.of();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "observed_origin" -> origin = text(json);
                    case "related_anomaly_id" -> relatedTo = text(json);
                    case "also" -> also = texts(json);
                    default -> json.skipChildren();
                }
            }
            tellingsOf.put(id, new Tellings(origin, relatedTo, also));
        }
        return tellingsOf;
    }

    private static void writeLevel(JsonGenerator json, LevelResult level) throws IOException {
        json.writeStartObject();
        json.writeStringField("verdict", level.verdict().word());
        json.writeStringField("evidence", level.evidence());
        if (level.reason() != null) {
            json.writeStringField("reason", level.reason());
        }
        writeCount(json, "anomalies", level.anomalies());
        json.writeObjectFieldStart("types");
        for (Map.Entry<String, Long> type : level.types().entrySet()) {
            writeCount(json, type.getKey(), type.getValue());
        }
        json.writeEndObject();
        if (level.verdict() == Verdict.VIOLATED) {
            json.writeBooleanField("exact", level.isExact());
        }
        json.writeEndObject();
    }

    private static void writeRuledOut(JsonGenerator json, ElleRuledOutLevels ruledOut) throws IOException {
        writeTexts(json, "not", ruledOut.not());
        writeTexts(json, "also_not", ruledOut.alsoNot());
        json.writeObjectFieldStart("not_because");
        for (Map.Entry<String, List<String>> level : ruledOut.because().entrySet()) {
            writeTexts(json, level.getKey(), level.getValue());
        }
        json.writeEndObject();
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private static void writeAnomaly(JsonGenerator json, ListedAnomaly anomaly) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", anomaly.id());
        json.writeStringField("type", anomaly.type());
        json.writeStringField("pattern", anomaly.pattern());
        json.writeStringField(
                "level", anomaly.level() == null ? null : anomaly.level().longName());
        json.writeArrayFieldStart("transactions");
        for (Long txnId : anomaly.transactions()) {
            JsonNumbers.write(json, txnId);
        }
        json.writeEndArray();
        json.writeStringField("key", anomaly.key());
        json.writeStringField("explanation", anomaly.explanation());
        json.writeEndObject();
    }

    private static void writeCount(JsonGenerator json, String name, long count) throws IOException {
        json.writeFieldName(name);
        JsonNumbers.write(json, count);
    }

    /**
     * Returns the result that {@link #writeWhole(RunResult)} wrote; seconds of single levels are not in the object and
     * are 0.
     */
    public static RunResult read(String text) {
        try (JsonParser json = FACTORY.createParser(text)) {
            json.nextToken();
            return read(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("not a result: text=" + text, e);
        }
    }

    /** Returns the result whose object begins at the parser; afterwards the parser is at its end. */
    public static RunResult read(JsonParser json) throws IOException {
        String history = null;
        Verdict verdict = null;
        long transactions = 0;
        long operations = 0;
        long sessions = 0;
        long keys = 0;
        String evidence = null;
        String engine = null;
        String runId = null;
        double seconds = 0;
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>();
        List<ListedAnomaly> anomalies = new ArrayList<>();
        List<Lint> lint = new ArrayList<>();
        long anomalyCount = 0;
        long faultCount = -1; // missing in runs stored by older versions
        boolean isFaultCountExact = false;
        List<String> not = null;
        List<String> alsoNot = List.of();
        Map<String, List<String>> because = Map.of();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "history" -> history = text(json);
                case "verdict" -> verdict = verdict(json);
                case "transactions" -> transactions = JsonNumbers.readLong(json);
                case "operations" -> operations = JsonNumbers.readLong(json);
                case "sessions" -> sessions = JsonNumbers.readLong(json);
                case "keys" -> keys = JsonNumbers.readLong(json);
                case "evidence" -> evidence = text(json);
                case "engine" -> engine = text(json);
                case "run_id" -> runId = text(json);
                case "seconds" -> seconds = json.getDoubleValue();
                case "levels" -> readLevels(json, levels);
                case "not" -> not = texts(json);
                case "also_not" -> alsoNot = texts(json);
                case "not_because" -> because = textsByName(json);
                case "anomalies" -> readAnomalies(json, anomalies);
                case "tellings" -> {
                    Map<String, Tellings> tellingsOf = readTellings(json);
                    anomalies.replaceAll(
                            anomaly -> anomaly.withTellings(tellingsOf.getOrDefault(anomaly.id(), Tellings.ALONE)));
                }
                case "anomaly_count" -> anomalyCount = JsonNumbers.readLong(json);
                case "fault_count" -> faultCount = JsonNumbers.readLong(json);
                case "fault_count_exact" -> isFaultCountExact = json.getBooleanValue();
                case "lint" -> {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        lint.add(readLint(json));
                    }
                }
                default -> json.skipChildren();
            }
        }
        return new RunResult(
                needed(history, "history"),
                needed(verdict, "verdict"),
                new RunResult.Size(transactions, operations, sessions, keys),
                new RunResult.How(needed(evidence, "evidence"), needed(engine, "engine"), runId, seconds),
                levels,
                new RunResult.Report(
                        anomalies,
                        anomalyCount,
                        new RunResult.Faults(faultCount < 0 ? anomalyCount : faultCount, isFaultCountExact),
                        lint,
                        not == null ? null : new ElleRuledOutLevels(not, alsoNot, because)));
    }

    private static <T> T needed(@Nullable T value, String name) throws IOException {
        if (value == null) {
            throw new IOException("key missing: needed=" + name);
        }
        return value;
    }

    private static Lint readLint(JsonParser json) throws IOException {
        String ruleId = null;
        String severity = null;
        long count = 0;
        String message = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "rule_id" -> ruleId = text(json);
                case "severity" -> severity = text(json);
                case "count" -> count = JsonNumbers.readLong(json);
                case "message" -> message = text(json);
                default -> json.skipChildren();
            }
        }
        return new Lint(needed(ruleId, "rule_id"), needed(severity, "severity"), count, needed(message, "message"));
    }

    private static void readLevels(JsonParser json, Map<IsolationLevel, LevelResult> into) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            IsolationLevel level = level(json, json.currentName());
            json.nextToken();
            into.put(level, readLevel(json));
        }
    }

    private static LevelResult readLevel(JsonParser json) throws IOException {
        Verdict verdict = null;
        String evidence = null;
        String reason = null;
        long anomalies = 0;
        boolean isExact = false;
        Map<String, Long> types = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "verdict" -> verdict = verdict(json);
                case "evidence" -> evidence = text(json);
                case "reason" -> reason = text(json);
                case "anomalies" -> anomalies = JsonNumbers.readLong(json);
                case "exact" -> isExact = json.getBooleanValue();
                case "types" -> {
                    while (json.nextToken() == JsonToken.FIELD_NAME) {
                        String type = json.currentName();
                        json.nextToken();
                        types.put(type, JsonNumbers.readLong(json));
                    }
                }
                default -> json.skipChildren();
            }
        }
        return new LevelResult(
                needed(verdict, "verdict"), needed(evidence, "evidence"), reason, anomalies, types, isExact, 0);
    }

    private static void readAnomalies(JsonParser json, List<ListedAnomaly> into) throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            into.add(readAnomaly(json));
        }
    }

    private static ListedAnomaly readAnomaly(JsonParser json) throws IOException {
        String id = null;
        String type = null;
        String pattern = null;
        IsolationLevel level = null;
        List<Long> transactions = new ArrayList<>();
        String key = null;
        String explanation = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "id" -> id = text(json);
                case "type" -> type = text(json);
                case "pattern" -> pattern = text(json);
                case "level" ->
                    level = json.currentToken() == JsonToken.VALUE_NULL ? null : level(json, json.getText());
                case "transactions" -> {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        transactions.add(JsonNumbers.readLong(json));
                    }
                }
                case "key" -> key = text(json);
                case "explanation" -> explanation = text(json);
                default -> json.skipChildren();
            }
        }
        return new ListedAnomaly(
                needed(id, "id"),
                needed(type, "type"),
                pattern,
                level,
                transactions,
                key,
                needed(explanation, "explanation"));
    }

    private static @Nullable String text(JsonParser json) throws IOException {
        return json.currentToken() == JsonToken.VALUE_NULL ? null : json.getText();
    }

    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            texts.add(json.getText());
        }
        return texts;
    }

    private static Map<String, List<String>> textsByName(JsonParser json) throws IOException {
        Map<String, List<String>> textsByName = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            textsByName.put(name, texts(json));
        }
        return textsByName;
    }

    private static Verdict verdict(JsonParser json) throws IOException {
        String word = json.getText();
        for (Verdict verdict : Verdict.values()) {
            if (verdict.word().equals(word.toLowerCase(Locale.ROOT))) {
                return verdict;
            }
        }
        throw new IOException("not a verdict: word=" + word);
    }

    private static IsolationLevel level(JsonParser json, String name) throws IOException {
        IsolationLevel level = IsolationLevel.byName(name);
        if (level == null) {
            throw new IOException("unknown level: name=" + name + " at=" + json.currentLocation());
        }
        return level;
    }
}
