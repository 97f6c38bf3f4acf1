package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
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
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An {@link InspectedHistory} as the single-line JSON object that {@code inspect --json} prints. */
final class InspectJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator json;

    private InspectJson(JsonGenerator json) {
        this.json = json;
    }

    /** Returns the object on one line, without a line end. */
    static String write(InspectedHistory history) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            new InspectJson(json).writeMembers(history);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** Returns the object of a rejected history, with all its problems. */
    static String rejected(String history, String error, List<InspectedProblem> problems) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("schema", RunResultJson.SCHEMA);
            json.writeStringField("history", history);
            json.writeStringField("verdict", "rejected");
            json.writeStringField("error", error);
            new InspectJson(json).writeProblems(problems);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private void writeProblems(List<InspectedProblem> problems) throws IOException {
        json.writeArrayFieldStart("problems");
        for (InspectedProblem problem : problems) {
            json.writeStartObject();
            json.writeStringField("problem", problem.description());
            write("rows", problem.count());
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
        write("bytes", history.stored().bytes());
        write("transactions", facts.txnCount());
        write("operations", facts.opCount());
        write("sessions", inspection.validation().sessionCount());
        write("keys", inspection.keys().keyCount());
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
        write("dead_letters", history.setAside().count());
        writeProblems(history.setAside().problems());
        writeForecast(history.forecast());
        write("passes", inspection.passCount());
        json.writeNumberField("values_compared", inspection.values().comparedShare());
        json.writeFieldName("seconds");
        JsonNumbers.writeSeconds(json, history.seconds());
    }

    private void writeStatuses(HistoryFacts facts) throws IOException {
        json.writeObjectFieldStart("status");
        for (byte status = TxnStatus.COMMITTED; status <= TxnStatus.UNKNOWN; status++) {
            write(TxnStatus.name(status), facts.txnCount(status));
        }
        json.writeEndObject();
    }

    private void writeKinds(HistoryFacts facts, Inspection inspection) throws IOException {
        json.writeObjectFieldStart("kinds");
        for (String word : OpKind.words()) {
            if (OpKind.isItem((byte) OpKind.code(word)) || facts.opCount(word) > 0) {
                write(word, facts.opCount(word));
            }
        }
        json.writeEndObject();
        write("initial_reads", InspectText.initialReadCount(inspection));
    }

    private void writeSpread(OperationSpread spread) throws IOException {
        json.writeObjectFieldStart("operations_per_transaction");
        write("min", spread.minOps());
        write("median", spread.medianOps());
        write("max", spread.maxOps());
        json.writeEndObject();
        write("longest_list", spread.maxListLength());
    }

    private void writeKeys(Inspection inspection) throws IOException {
        KeyProfile keys = inspection.keys();
        json.writeStringField("key_type", typeName(inspection.validation().keyType()));
        json.writeStringField("value_type", typeName(inspection.validation().valueType()));
        json.writeObjectFieldStart("keys_by_model");
        for (KeyProfile.Model model : KeyProfile.Model.values()) {
            write(model.name().toLowerCase(Locale.ROOT), keys.keyCount(model));
        }
        json.writeEndObject();
        write("written_keys", keys.writtenKeyCount());
        write("single_writer_keys", keys.singleWriterKeyCount());
        json.writeObjectFieldStart("largest_key");
        json.writeStringField("key", keys.largestKey());
        write("operations", keys.largestOpCount());
        json.writeEndObject();
    }

    private static @Nullable String typeName(ValueType type) {
        return type == ValueType.NONE ? null : type.typeName();
    }

    private void writeTimes(HistoryFacts facts, Inspection inspection) throws IOException {
        json.writeObjectFieldStart("timestamps");
        json.writeBooleanField("complete", facts.areTimestampsComplete());
        write("transactions", facts.timestampedCount());
        if (facts.timestampedCount() > 0) {
            write("min", facts.minTs());
            write("max", facts.maxTs());
        }
        write("tied_writers", inspection.ties().tiedCount());
        json.writeEndObject();
        json.writeObjectFieldStart("client_times");
        json.writeBooleanField("complete", facts.clientTimedCount() == facts.committedCount());
        write("transactions", facts.clientTimedCount());
        json.writeEndObject();
        write("versions", facts.versionedCount());
        write("known_writers", facts.knownWriterCount());
    }

    private void writeComponents(InspectedComponents components) throws IOException {
        json.writeObjectFieldStart("components");
        if (components.areCounted()) {
            write("count", components.count());
            write("largest_sessions", components.largestSessions());
            write("largest_transactions", components.largestTxns());
            write("largest_keys", components.largestKeys());
            write("cut_sessions", components.cutSessions());
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
        write("finding_count", finding.count());
        json.writeStringField("example", finding.example());
        json.writeStringField("message", finding.message());
        json.writeEndObject();
    }

    private void writeForecast(CostForecast forecast) throws IOException {
        json.writeObjectFieldStart("forecast");
        write("memory_bytes", forecast.memoryBytes());
        json.writeFieldName("cpu_seconds");
        JsonNumbers.writeSeconds(json, forecast.cpuSeconds());
        json.writeEndObject();
    }

    private void write(String name, long number) throws IOException {
        json.writeFieldName(name);
        JsonNumbers.write(json, number);
    }
}
