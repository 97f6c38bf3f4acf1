package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.datasets.inject.ExpectedAnomaly;
import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.jobs.command.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file next to a generated history that lists its injected faults, one JSON object a line. A history without faults
 * has none, and deletes an older one.
 */
final class FaultList implements AutoCloseable {

    private static final String SUFFIX = ".faults.jsonl";

    private final @Nullable Path path;
    private final @Nullable AtomicFile hidden;

    private FaultList(@Nullable Path path, @Nullable AtomicFile hidden) {
        this.path = path;
        this.hidden = hidden;
    }

    static FaultList forHistory(Path history, boolean isWanted) {
        if (AtomicFile.isStream(history)) {
            if (isWanted) {
                Terminal.printNote(
                        "cannot write the list of planted faults: output=" + history + "; name a file as output");
            }
            return new FaultList(null, null);
        }
        Path path = history.resolveSibling(history.getFileName() + SUFFIX);
        return new FaultList(path, isWanted ? new AtomicFile(path) : null);
    }

    void write(List<PlantedFault> faults) throws IOException {
        if (hidden == null) {
            return;
        }
        try (OutputStream file = hidden.open()) {
            for (PlantedFault fault : faults) {
                JsonGenerator json = new JsonFactory().createGenerator(file);
                json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
                write(json, fault);
                json.close();
                file.write('\n');
            }
        }
    }

    /** Publishes the list, once its history is published. */
    void publish() throws IOException {
        if (path == null) {
            return;
        }
        if (hidden == null) {
            Files.deleteIfExists(path);
        } else {
            hidden.publish();
        }
    }

    @Override
    public void close() throws IOException {
        if (hidden != null) {
            hidden.close();
        }
    }

    private static void write(JsonGenerator json, PlantedFault fault) throws IOException {
        json.writeStartObject();
        json.writeStringField("fault", fault.fault().word());
        writeIds(json, fault.transactions());
        json.writeStringField("key", fault.key());
        json.writeArrayFieldStart("changes");
        for (PlantedFault.Change change : fault.changes()) {
            json.writeStartObject();
            json.writeNumberField("transaction", change.txnId());
            if (change.op() >= 0) {
                json.writeNumberField("op", change.op());
            }
            json.writeStringField("field", change.field());
            json.writeFieldName("from");
            json.writeRawValue(change.from());
            json.writeFieldName("to");
            json.writeRawValue(change.to());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("expected");
        for (ExpectedAnomaly anomaly : fault.expected()) {
            json.writeStartObject();
            json.writeStringField("type", anomaly.type().spelling());
            json.writeStringField("level", anomaly.level().longName());
            writeIds(json, anomaly.transactions());
            json.writeStringField("key", anomaly.key());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeIds(JsonGenerator json, List<Long> transactions) throws IOException {
        json.writeArrayFieldStart("transactions");
        for (long id : transactions) {
            json.writeNumber(id);
        }
        json.writeEndArray();
    }
}
