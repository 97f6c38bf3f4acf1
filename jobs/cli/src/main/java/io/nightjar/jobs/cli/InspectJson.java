package io.nightjar.jobs.cli;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.local.InspectedComponents;
import io.nightjar.jobs.local.InspectedHistory;
import io.nightjar.jobs.local.InspectedProblem;
import io.nightjar.pipeline.validate.Capability;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.Inspection;
import io.nightjar.pipeline.validate.KeyProfile;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.OperationSpread;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An {@link InspectedHistory} as the single-line JSON object that {@code inspect --json} prints. */
final class InspectJson {

    private InspectJson() {}

    /** Returns the object on one line, without a line end. */
    static String write(InspectedHistory history) {
        Inspection inspection = history.inspection();
        HistoryFacts facts = inspection.facts();
        KeyProfile keys = inspection.keys();
        OperationSpread spread = inspection.spread();
        return new JsonObject()
                .put("schema", RunResultJson.SCHEMA)
                .put("history", history.stored().uri())
                .put("format", history.stored().format())
                .put("bytes", history.stored().bytes())
                .put("transactions", facts.txnCount())
                .put("operations", facts.opCount())
                .put("sessions", inspection.validation().sessionCount())
                .put("keys", keys.keyCount())
                .put("status", statuses(facts))
                .put("kinds", kinds(facts))
                .put("initial_reads", InspectText.initialReadCount(inspection))
                .put(
                        "operations_per_transaction",
                        new JsonObject()
                                .put("min", spread.minOps())
                                .put("median", spread.medianOps())
                                .put("max", spread.maxOps()))
                .put("longest_list", spread.maxListLength())
                .put("key_type", typeName(inspection.validation().keyType()))
                .put("value_type", typeName(inspection.validation().valueType()))
                .put("keys_by_model", models(keys))
                .put("written_keys", keys.writtenKeyCount())
                .put("single_writer_keys", keys.singleWriterKeyCount())
                .put(
                        "largest_key",
                        new JsonObject().put("key", keys.largestKey()).put("operations", keys.largestOpCount()))
                .put("timestamps", timestamps(facts, inspection))
                .put(
                        "client_times",
                        new JsonObject()
                                .put("complete", facts.clientTimedCount() == facts.committedCount())
                                .put("transactions", facts.clientTimedCount()))
                .put("versions", facts.versionedCount())
                .put("known_writers", facts.knownWriterCount())
                .put("components", components(history.components()))
                .put("initial_value", history.stored().initialValue())
                .putEach("capabilities", inspection.capabilities(), InspectJson::capability)
                .putEach("lint", history.findings(), InspectJson::finding)
                .put("dead_letters", history.setAside().count())
                .putEach("problems", history.setAside().problems(), InspectJson::problem)
                .put(
                        "forecast",
                        new JsonObject()
                                .put("memory_bytes", history.forecast().memoryBytes())
                                .put(
                                        "cpu_seconds",
                                        JsonNumbers.seconds(history.forecast().cpuSeconds())))
                .put("passes", inspection.passCount())
                .put("values_compared", inspection.values().comparedShare())
                .put("seconds", JsonNumbers.seconds(history.seconds()))
                .text();
    }

    /** Returns the object of a rejected history, with all its problems. */
    static String rejected(String history, String error, List<InspectedProblem> problems) {
        return new JsonObject()
                .put("schema", RunResultJson.SCHEMA)
                .put("history", history)
                .put("verdict", "rejected")
                .put("error", error)
                .putEach("problems", problems, InspectJson::problem)
                .text();
    }

    private static JsonObject problem(InspectedProblem problem) {
        return new JsonObject()
                .put("problem", problem.description())
                .put("rows", problem.count())
                .put("first", problem.first())
                .put("ends_inspection", problem.endsReading());
    }

    private static JsonObject statuses(HistoryFacts facts) {
        JsonObject statuses = new JsonObject();
        for (byte status = TxnStatus.COMMITTED; status <= TxnStatus.UNKNOWN; status++) {
            statuses.put(TxnStatus.name(status), facts.txnCount(status));
        }
        return statuses;
    }

    private static JsonObject kinds(HistoryFacts facts) {
        JsonObject kinds = new JsonObject();
        for (String word : OpKind.words()) {
            if (OpKind.isItem((byte) OpKind.code(word)) || facts.opCount(word) > 0) {
                kinds.put(word, facts.opCount(word));
            }
        }
        return kinds;
    }

    private static JsonObject models(KeyProfile keys) {
        JsonObject models = new JsonObject();
        for (KeyProfile.Model model : KeyProfile.Model.values()) {
            models.put(model.name().toLowerCase(Locale.ROOT), keys.keyCount(model));
        }
        return models;
    }

    private static @Nullable String typeName(ValueType type) {
        return type == ValueType.NONE ? null : type.typeName();
    }

    private static JsonObject timestamps(HistoryFacts facts, Inspection inspection) {
        boolean areAny = facts.timestampedCount() > 0;
        return new JsonObject()
                .put("complete", facts.areTimestampsComplete())
                .put("transactions", facts.timestampedCount())
                .putPresent("min", areAny ? facts.minTs() : null)
                .putPresent("max", areAny ? facts.maxTs() : null)
                .put("tied_writers", inspection.ties().tiedCount());
    }

    private static JsonObject components(InspectedComponents components) {
        if (!components.areCounted()) {
            return new JsonObject().put("count", null).put("reason", InspectText.whyNotCounted(components));
        }
        return new JsonObject()
                .put("count", components.count())
                .put("largest_sessions", components.largestSessions())
                .put("largest_transactions", components.largestTxns())
                .put("largest_keys", components.largestKeys())
                .put("cut_sessions", components.cutSessions());
    }

    private static JsonObject capability(Capability capability) {
        return new JsonObject()
                .put("evidence", capability.evidence().word())
                .put(
                        "levels",
                        capability.levels().stream()
                                .map(IsolationLevel::longName)
                                .toList())
                .put("decides", capability.extent().word())
                .put("checked", capability.isChecked())
                .put("why", capability.why());
    }

    private static JsonObject finding(LintFinding finding) {
        return new JsonObject()
                .put("rule_id", finding.ruleId())
                .put("severity", finding.severity().word())
                .put("finding_count", finding.count())
                .put("example", finding.example())
                .put("message", finding.message());
    }
}
