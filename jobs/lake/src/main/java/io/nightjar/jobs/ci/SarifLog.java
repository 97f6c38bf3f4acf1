package io.nightjar.jobs.ci;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.history.Contract;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.AnomalyDefinition;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.lake.LakeRow;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Anomalies as SARIF 2.1.0: a rule for each type, a result for each anomaly, its cycle as the steps of a flow. */
public final class SarifLog {

    /** Maximum number of results; the log states whether it was cut. GitHub keeps five times as many. */
    public static final int MAX_RESULTS = 1_000;

    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    /** Receivers accept ten megabytes when zipped; steps are omitted first. */
    private static final long MAX_CHARS_WITH_STEPS = 8_000_000;

    private static final long MAX_CHARS = 16_000_000;
    private static final int MAX_TEXT = 2_000;
    private static final int MAX_STEPS = 1_000;

    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator json;
    private final StringWriter text;
    private final Path root;

    private SarifLog(JsonGenerator json, StringWriter text, Path root) {
        this.json = json;
        this.text = text;
        this.root = root;
    }

    /**
     * @param version of the checker
     * @param root the folder that the addresses of files below it are relative to
     */
    public static String write(List<CiHistory> histories, String version, Path root) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            new SarifLog(json, text, root.toAbsolutePath().normalize()).write(histories, version);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text + "\n";
    }

    private void write(List<CiHistory> histories, String version) throws IOException {
        json.writeStartObject();
        json.writeStringField("$schema", SCHEMA);
        json.writeStringField("version", "2.1.0");
        json.writeArrayFieldStart("runs");
        json.writeStartObject();
        writeTool(histories, version);
        json.writeStringField("columnKind", "utf16CodeUnits");
        json.writeArrayFieldStart("results");
        int written = 0;
        for (CiHistory history : histories) {
            for (CiAnomaly anomaly : history.anomalies()) {
                if (written < MAX_RESULTS && chars() < MAX_CHARS) {
                    writeResult(history, anomaly);
                    written++;
                }
            }
        }
        json.writeEndArray();
        writeInvocation(histories, written);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private long chars() throws IOException {
        json.flush();
        return text.getBuffer().length();
    }

    // ---------------------------------------------------------------- the tool, and how it went

    private void writeTool(List<CiHistory> histories, String version) throws IOException {
        TreeSet<String> types = new TreeSet<>();
        histories.forEach(history -> history.anomalies().forEach(anomaly -> types.add(anomaly.type())));
        json.writeObjectFieldStart("tool");
        json.writeObjectFieldStart("driver");
        json.writeStringField("name", "nightjar");
        json.writeStringField("version", version);
        json.writeArrayFieldStart("rules");
        for (String type : types) {
            Anomaly anomaly = Anomaly.bySpelling(type);
            json.writeStartObject();
            json.writeStringField("id", type);
            if (anomaly != null) {
                String title = AnomalyTitle.of(type, null, null);
                writeMessage("shortDescription", sentence(title + ": " + anomaly.rule(null)));
                writeMessage("fullDescription", sentence(title + ": " + anomaly.rule(IsolationLevel.SERIALIZABLE)));
            }
            writeMessage("help", AnomalyDefinition.of(type) + " defines " + type + " and draws it.");
            String address = AnomalyDefinition.address(type);
            if (address != null) {
                json.writeStringField("helpUri", address);
            }
            json.writeObjectFieldStart("defaultConfiguration");
            json.writeStringField("level", "error");
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static String sentence(String rule) {
        return rule.substring(0, 1).toUpperCase(Locale.ROOT) + rule.substring(1) + ".";
    }

    private void writeInvocation(List<CiHistory> histories, int written) throws IOException {
        json.writeArrayFieldStart("invocations");
        json.writeStartObject();
        json.writeBooleanField("executionSuccessful", histories.stream().allMatch(history -> history.result() != null));
        json.writeArrayFieldStart("toolExecutionNotifications");
        long all = 0;
        for (CiHistory history : histories) {
            all += history.anomalyCount();
            if (history.result() == null) {
                writeNotification(
                        "error",
                        history.whyFailed().message(),
                        history.whyFailed().location());
                continue;
            }
            String partly = history.partlyCounted();
            if (partly != null) {
                writeNotification("note", history.history() + ": " + partly, null);
            }
            if (history.newDoubt() != null) {
                writeNotification("warning", history.history() + ": " + history.newDoubt(), null);
            }
            for (Map.Entry<IsolationLevel, LevelResult> level :
                    history.result().levels().entrySet()) {
                if (level.getValue().verdict() == Verdict.UNDECIDED) {
                    String reason = level.getValue().reason();
                    writeNotification(
                            "warning",
                            history.history() + ": " + level.getKey().longName() + " is undecided: " + reason,
                            null);
                }
            }
        }
        if (all > written) {
            writeNotification("warning", "not all anomalies are here: written=" + written + " found=" + all, null);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    private void writeNotification(String level, String message, @Nullable InputLocation location) throws IOException {
        json.writeStartObject();
        json.writeStringField("level", level);
        writeMessage("message", message);
        if (location != null) {
            json.writeArrayFieldStart("locations");
            writeLocation(location.file(), location.row(), null);
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    // ---------------------------------------------------------------- an anomaly

    private void writeResult(CiHistory history, CiAnomaly anomaly) throws IOException {
        json.writeStartObject();
        json.writeStringField("ruleId", anomaly.type());
        boolean counts = anomaly.level() != null && !(history.mustBeNew() && !anomaly.isNew());
        json.writeStringField("level", counts ? "error" : anomaly.level() == null ? "note" : "warning");
        writeMessage("message", anomaly.row().title() + ": " + anomaly.explanation());
        json.writeArrayFieldStart("locations");
        writeLocation(history, anomaly.atFault(), null);
        json.writeEndArray();
        json.writeObjectFieldStart("partialFingerprints");
        // the property that GitHub reads
        json.writeStringField("primaryLocationLineHash", anomaly.fingerprint() + ":1");
        json.writeStringField("nightjarAnomaly/v1", anomaly.fingerprint());
        json.writeEndObject();
        if (history.baseline() != null) {
            json.writeStringField("baselineState", anomaly.isNew() ? "new" : "unchanged");
        }
        if (!anomaly.edges().isEmpty() && chars() < MAX_CHARS_WITH_STEPS) {
            writeFlow(history, anomaly);
        }
        json.writeObjectFieldStart("properties");
        json.writeStringField("anomaly_id", anomaly.id());
        json.writeStringField("history", history.history());
        json.writeStringField("level_violated", anomaly.level());
        json.writeStringField("key", cut(anomaly.row().objectKey()));
        json.writeStringField("pattern", anomaly.row().pattern());
        json.writeArrayFieldStart("transactions");
        for (LakeRow.AnomalyTxn txn :
                anomaly.txns().subList(0, Math.min(MAX_STEPS, anomaly.txns().size()))) {
            json.writeString("T" + txn.txnId());
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeFlow(CiHistory history, CiAnomaly anomaly) throws IOException {
        json.writeArrayFieldStart("codeFlows");
        json.writeStartObject();
        json.writeArrayFieldStart("threadFlows");
        json.writeStartObject();
        json.writeArrayFieldStart("locations");
        for (LakeRow.AnomalyEdge edge :
                anomaly.edges().subList(0, Math.min(MAX_STEPS, anomaly.edges().size()))) {
            json.writeStartObject();
            json.writeFieldName("location");
            writeLocation(history, anomaly.txn(edge.fromTxnId()), CiAnomaly.text(edge));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    /** Writes the location of a transaction, or that of the history if it is unknown. */
    private void writeLocation(CiHistory history, LakeRow.@Nullable AnomalyTxn txn, @Nullable String message)
            throws IOException {
        String file = txn == null ? null : txn.sourceFile();
        writeLocation(
                file == null ? history.history() : file,
                txn == null || txn.sourceRow() == null ? 0 : txn.sourceRow(),
                message);
    }

    /** @param row 0 if it is unknown */
    private void writeLocation(String file, long row, @Nullable String message) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("physicalLocation");
        json.writeObjectFieldStart("artifactLocation");
        json.writeStringField("uri", address(file));
        json.writeEndObject();
        if (row > 0 && row <= Integer.MAX_VALUE) {
            json.writeObjectFieldStart("region");
            json.writeNumberField("startLine", row);
            json.writeEndObject();
        }
        json.writeEndObject();
        if (message != null) {
            writeMessage("message", message);
        }
        json.writeEndObject();
    }

    /** Returns the address relative to the root if the file is below it, as GitHub requires. */
    private String address(String file) {
        if (file.equals("-")) {
            return "stdin";
        }
        Path path;
        try {
            path = root.resolve(file).normalize();
        } catch (InvalidPathException e) {
            return encoded(file);
        }
        return path.startsWith(root) && !path.equals(root)
                ? encoded(root.relativize(path).toString())
                : "file://" + encoded(path.toString());
    }

    private static String encoded(String path) {
        StringBuilder uri = new StringBuilder();
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (isPlain || "-._~/=+,@".indexOf(c) >= 0) {
                uri.append(c);
            } else {
                uri.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return uri.toString();
    }

    private void writeMessage(String name, @Nullable String message) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("text", message == null || message.isEmpty() ? "unknown" : cut(message));
        json.writeEndObject();
    }

    @Contract("!null -> !null")
    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }
}
