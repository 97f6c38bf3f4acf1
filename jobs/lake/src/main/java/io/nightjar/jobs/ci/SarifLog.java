package io.nightjar.jobs.ci;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.history.Contract;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.AnomalyDefinition;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.lake.LakeRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    private final Path root;
    private long chars; // of the results so far

    private SarifLog(Path root) {
        this.root = root;
    }

    /**
     * @param version of the checker
     * @param root the folder that the addresses of files below it are relative to
     */
    public static String write(List<CiHistory> histories, String version, Path root) {
        return new SarifLog(root.toAbsolutePath().normalize())
                        .log(histories, version)
                        .indented() + "\n";
    }

    private JsonObject log(List<CiHistory> histories, String version) {
        List<JsonObject> results = new ArrayList<>();
        for (CiHistory history : histories) {
            for (CiAnomaly anomaly : history.anomalies()) {
                if (results.size() < MAX_RESULTS && chars < MAX_CHARS) {
                    JsonObject result = result(history, anomaly);
                    chars += result.indented().length();
                    results.add(result);
                }
            }
        }
        JsonObject run = new JsonObject()
                .put("tool", new JsonObject().put("driver", driver(histories, version)))
                .put("columnKind", "utf16CodeUnits")
                .put("results", results)
                .put("invocations", List.of(invocation(histories, results.size())));
        return new JsonObject().put("$schema", SCHEMA).put("version", "2.1.0").put("runs", List.of(run));
    }

    // ---------------------------------------------------------------- the tool, and how it went

    private static JsonObject driver(List<CiHistory> histories, String version) {
        TreeSet<String> types = new TreeSet<>();
        histories.forEach(history -> history.anomalies().forEach(anomaly -> types.add(anomaly.type())));
        return new JsonObject()
                .put("name", "nightjar")
                .put("version", version)
                .putEach("rules", List.copyOf(types), SarifLog::rule);
    }

    private static JsonObject rule(String type) {
        JsonObject rule = new JsonObject().put("id", type);
        Anomaly anomaly = Anomaly.bySpelling(type);
        if (anomaly != null) {
            String title = AnomalyTitle.of(type, null, null);
            rule.put("shortDescription", message(sentence(title + ": " + anomaly.rule(null))));
            rule.put("fullDescription", message(sentence(title + ": " + anomaly.rule(IsolationLevel.SERIALIZABLE))));
        }
        return rule.put("help", message(AnomalyDefinition.of(type) + " defines " + type + " and draws it."))
                .putPresent("helpUri", AnomalyDefinition.address(type))
                .put("defaultConfiguration", new JsonObject().put("level", "error"));
    }

    private static String sentence(String rule) {
        return rule.substring(0, 1).toUpperCase(Locale.ROOT) + rule.substring(1) + ".";
    }

    private JsonObject invocation(List<CiHistory> histories, int written) {
        List<JsonObject> notifications = new ArrayList<>();
        long all = 0;
        for (CiHistory history : histories) {
            all += history.anomalyCount();
            if (history.result() == null) {
                CiHistory.Failure failure = history.whyFailed();
                notifications.add(notification("error", failure.message(), failure.location()));
                continue;
            }
            addRemark(notifications, "note", history, history.partlyCounted());
            addRemark(notifications, "warning", history, history.newDoubt());
            history.result().levels().forEach((level, answer) -> {
                if (answer.verdict() == Verdict.UNDECIDED) {
                    addRemark(
                            notifications, "warning", history, level.longName() + " is undecided: " + answer.reason());
                }
            });
        }
        if (all > written) {
            String cut = "not all anomalies are here: written=" + written + " found=" + all;
            notifications.add(notification("warning", cut, null));
        }
        return new JsonObject()
                .put("executionSuccessful", histories.stream().allMatch(history -> history.result() != null))
                .put("toolExecutionNotifications", notifications);
    }

    private void addRemark(List<JsonObject> notifications, String level, CiHistory history, @Nullable String remark) {
        if (remark != null) {
            notifications.add(notification(level, history.history() + ": " + remark, null));
        }
    }

    private JsonObject notification(String level, String message, @Nullable InputLocation location) {
        return new JsonObject()
                .put("level", level)
                .put("message", message(message))
                .putPresent(
                        "locations",
                        location == null ? null : List.of(location(location.file(), location.row(), null)));
    }

    // ---------------------------------------------------------------- an anomaly

    private JsonObject result(CiHistory history, CiAnomaly anomaly) {
        boolean counts = anomaly.level() != null && !(history.mustBeNew() && !anomaly.isNew());
        JsonObject result = new JsonObject()
                .put("ruleId", anomaly.type())
                .put("level", counts ? "error" : anomaly.level() == null ? "note" : "warning")
                .put("message", message(anomaly.row().title() + ": " + anomaly.explanation()))
                .put("locations", List.of(location(history, anomaly.atFault(), null)))
                .put(
                        "partialFingerprints",
                        new JsonObject()
                                // the property that GitHub reads
                                .put("primaryLocationLineHash", anomaly.fingerprint() + ":1")
                                .put("nightjarAnomaly/v1", anomaly.fingerprint()));
        if (history.baseline() != null) {
            result.put("baselineState", anomaly.isNew() ? "new" : "unchanged");
        }
        if (!anomaly.edges().isEmpty() && chars < MAX_CHARS_WITH_STEPS) {
            result.put("codeFlows", flows(history, anomaly));
        }
        return result.put(
                "properties",
                new JsonObject()
                        .put("anomaly_id", anomaly.id())
                        .put("history", history.history())
                        .put("level_violated", anomaly.level())
                        .put("key", cut(anomaly.row().objectKey()))
                        .put("pattern", anomaly.row().pattern())
                        .put(
                                "transactions",
                                anomaly.txns().stream()
                                        .limit(MAX_STEPS)
                                        .map(txn -> "T" + txn.txnId())
                                        .toList()));
    }

    private List<JsonObject> flows(CiHistory history, CiAnomaly anomaly) {
        List<JsonObject> steps = anomaly.edges().stream()
                .limit(MAX_STEPS)
                .map(edge -> new JsonObject()
                        .put("location", location(history, anomaly.txn(edge.fromTxnId()), CiAnomaly.text(edge))))
                .toList();
        JsonObject thread = new JsonObject().put("locations", steps);
        return List.of(new JsonObject().put("threadFlows", List.of(thread)));
    }

    /** Returns the location of a transaction, or that of the history if it is unknown. */
    private JsonObject location(CiHistory history, LakeRow.@Nullable AnomalyTxn txn, @Nullable String message) {
        String file = txn == null ? null : txn.sourceFile();
        long row = txn == null || txn.sourceRow() == null ? 0 : txn.sourceRow();
        return location(file == null ? history.history() : file, row, message);
    }

    /** @param row 0 if it is unknown */
    private JsonObject location(String file, long row, @Nullable String message) {
        boolean isRowKnown = row > 0 && row <= Integer.MAX_VALUE;
        JsonObject place = new JsonObject()
                .put("artifactLocation", new JsonObject().put("uri", address(file)))
                .putPresent("region", isRowKnown ? new JsonObject().put("startLine", row) : null);
        return new JsonObject()
                .put("physicalLocation", place)
                .putPresent("message", message == null ? null : message(message));
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

    private static JsonObject message(@Nullable String message) {
        return new JsonObject().put("text", message == null || message.isEmpty() ? "unknown" : cut(message));
    }

    @Contract("!null -> !null")
    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }
}
