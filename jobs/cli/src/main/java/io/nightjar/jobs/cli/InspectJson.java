package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.local.InspectedComponents;
import io.nightjar.jobs.local.InspectedHistory;
import io.nightjar.jobs.local.InspectedProblem;
import io.nightjar.pipeline.validate.Capability;
import io.nightjar.pipeline.validate.CostForecast;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.Inspection;
import io.nightjar.pipeline.validate.KeyProfile;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.OperationSpread;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An {@link InspectedHistory} as the single-line JSON object that {@code inspect --json} prints. */
final class InspectJson {

    private final JsonGenerator json;

    private InspectJson(JsonGenerator json) {
        this.json = json;
    }

    /** Returns the object on one line, without a line end. */
    static String write(InspectedHistory history) {
        return JsonObjectText.of(json -> {
            new InspectJson(json).writeMembers(history);
        });
    }

    /** Returns the object of a rejected history, with all its problems. */
    static String rejected(String history, String error, List<InspectedProblem> problems) {
        return JsonObjectText.of(json -> {
            json.writeNumberField("schema", RunResultJson.SCHEMA);
            json.writeStringField("history", history);
            json.writeStringField("verdict", "rejected");
            json.writeStringField("error", error);
            new InspectJson(json).writeProblems(problems);
        });
    }

    private void writeProblems(List<InspectedProblem> problems) throws IOException {
        json.writeArrayFieldStart("problems");
        for (InspectedProblem problem : problems) {
            json.writeStartObject();
            json.writeStringField("problem", problem.description());
            JsonNumbers.write(json, "rows", problem.count());
            json.writeStringField("first", problem.first());
            json.writeBooleanField("ends_inspection", problem.endsReading());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeMembers(InspectedHistory history) throws IOException {
        Inspection inspection = history.inspection();
        HistoryFacts facts = inspection.facts();
        json.writeNumberField("schema", RunResultJson.SCHEMA);
        json.writeStringField("history", history.stored().uri());
        json.writeStringField("format", history.stored().format());
        JsonNumbers.write(json, "bytes", history.stored().bytes());
        JsonNumbers.write(json, "transactions", facts.txnCount());
        JsonNumbers.write(json, "operations", facts.opCount());
        JsonNumbers.write(json, "sessions", inspection.validation().sessionCount());
        JsonNumbers.write(json, "keys", inspection.keys().keyCount());
        writeStatuses(facts);
        writeKinds(facts, inspection);
        writeSpread(inspection.spread());
        writeKeys(inspection);
        writeTimes(facts, inspection);
        writeComponents(history.components());
        json.writeStringField("initial_value", history.stored().initialValue());
        json.writeArrayFieldStart("capabilities");
        for (Capability capability : inspection.capabilities()) {
            writeCapability(capability);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("lint");
        for (LintFinding finding : history.findings()) {
            writeFinding(finding);
        }
        json.writeEndArray();
        JsonNumbers.write(json, "dead_letters", history.setAside().count());
        writeProblems(history.setAside().problems());
        writeForecast(history.forecast());
        JsonNumbers.write(json, "passes", inspection.passCount());
        json.writeNumberField("values_compared", inspection.values().comparedShare());
        JsonNumbers.writeSeconds(json, "seconds", history.seconds());
    }

    private void writeStatuses(HistoryFacts facts) throws IOException {
        json.writeObjectFieldStart("status");
        for (byte status = TxnStatus.COMMITTED; status <= TxnStatus.UNKNOWN; status++) {
            JsonNumbers.write(json, TxnStatus.name(status), facts.txnCount(status));
        }
        json.writeEndObject();
    }

    private void writeKinds(HistoryFacts facts, Inspection inspection) throws IOException {
        json.writeObjectFieldStart("kinds");
        for (String word : OpKind.words()) {
            if (OpKind.isItem((byte) OpKind.code(word)) || facts.opCount(word) > 0) {
                JsonNumbers.write(json, word, facts.opCount(word));
            }
        }
        json.writeEndObject();
        JsonNumbers.write(json, "initial_reads", InspectText.initialReadCount(inspection));
    }

    private void writeSpread(OperationSpread spread) throws IOException {
        json.writeObjectFieldStart("operations_per_transaction");
        JsonNumbers.write(json, "min", spread.minOps());
        JsonNumbers.write(json, "median", spread.medianOps());
        JsonNumbers.write(json, "max", spread.maxOps());
        json.writeEndObject();
        JsonNumbers.write(json, "longest_list", spread.maxListLength());
    }

    private void writeKeys(Inspection inspection) throws IOException {
        KeyProfile keys = inspection.keys();
        json.writeStringField("key_type", typeName(inspection.validation().keyType()));
        json.writeStringField("value_type", typeName(inspection.validation().valueType()));
        json.writeObjectFieldStart("keys_by_model");
        for (KeyProfile.Model model : KeyProfile.Model.values()) {
            JsonNumbers.write(json, model.name().toLowerCase(Locale.ROOT), keys.keyCount(model));
        }
        json.writeEndObject();
        JsonNumbers.write(json, "written_keys", keys.writtenKeyCount());
        JsonNumbers.write(json, "single_writer_keys", keys.singleWriterKeyCount());
        json.writeObjectFieldStart("largest_key");
        json.writeStringField("key", keys.largestKey());
        JsonNumbers.write(json, "operations", keys.largestOpCount());
        json.writeEndObject();
    }

    private static @Nullable String typeName(ValueType type) {
        return type == ValueType.NONE ? null : type.typeName();
    }

    private void writeTimes(HistoryFacts facts, Inspection inspection) throws IOException {
        json.writeObjectFieldStart("timestamps");
        json.writeBooleanField("complete", facts.areTimestampsComplete());
        JsonNumbers.write(json, "transactions", facts.timestampedCount());
        if (facts.timestampedCount() > 0) {
            JsonNumbers.write(json, "min", facts.minTs());
            JsonNumbers.write(json, "max", facts.maxTs());
        }
        JsonNumbers.write(json, "tied_writers", inspection.ties().tiedCount());
        json.writeEndObject();
        json.writeObjectFieldStart("client_times");
        json.writeBooleanField("complete", facts.clientTimedCount() == facts.committedCount());
        JsonNumbers.write(json, "transactions", facts.clientTimedCount());
        json.writeEndObject();
        JsonNumbers.write(json, "versions", facts.versionedCount());
        JsonNumbers.write(json, "known_writers", facts.knownWriterCount());
    }

    private void writeComponents(InspectedComponents components) throws IOException {
        json.writeObjectFieldStart("components");
        if (components.areCounted()) {
            JsonNumbers.write(json, "count", components.count());
            JsonNumbers.write(json, "largest_sessions", components.largestSessions());
            JsonNumbers.write(json, "largest_transactions", components.largestTxns());
            JsonNumbers.write(json, "largest_keys", components.largestKeys());
            JsonNumbers.write(json, "cut_sessions", components.cutSessions());
        } else {
            json.writeNullField("count");
            json.writeStringField("reason", InspectText.whyNotCounted(components));
        }
        json.writeEndObject();
    }

    private void writeCapability(Capability capability) throws IOException {
        json.writeStartObject();
        json.writeStringField("evidence", capability.evidence().word());
        json.writeArrayFieldStart("levels");
        for (IsolationLevel level : capability.levels()) {
            json.writeString(level.longName());
        }
        json.writeEndArray();
        json.writeStringField("decides", capability.extent().word());
        json.writeBooleanField("checked", capability.isChecked());
        json.writeStringField("why", capability.why());
        json.writeEndObject();
    }

    private void writeFinding(LintFinding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("rule_id", finding.ruleId());
        json.writeStringField("severity", finding.severity().word());
        JsonNumbers.write(json, "finding_count", finding.count());
        json.writeStringField("example", finding.example());
        json.writeStringField("message", finding.message());
        json.writeEndObject();
    }

    private void writeForecast(CostForecast forecast) throws IOException {
        json.writeObjectFieldStart("forecast");
        JsonNumbers.write(json, "memory_bytes", forecast.memoryBytes());
        JsonNumbers.writeSeconds(json, "cpu_seconds", forecast.cpuSeconds());
        json.writeEndObject();
    }
}
