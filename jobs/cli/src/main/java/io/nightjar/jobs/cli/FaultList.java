package io.nightjar.jobs.cli;

import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.command.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
                file.write((object(fault).text() + "\n").getBytes(StandardCharsets.UTF_8));
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

    private static JsonObject object(PlantedFault fault) {
        return new JsonObject()
                .put("fault", fault.fault().word())
                .put("transactions", fault.transactions())
                .put("key", fault.key())
                .putEach("changes", fault.changes(), change -> new JsonObject()
                        .put("transaction", change.txnId())
                        .putPresent("op", change.op() >= 0 ? change.op() : null)
                        .put("field", change.field())
                        .put("from", (JsonObjectText.Raw) change::from)
                        .put("to", (JsonObjectText.Raw) change::to))
                .putEach("expected", fault.expected(), anomaly -> new JsonObject()
                        .put("type", anomaly.type().spelling())
                        .put("level", anomaly.level().longName())
                        .put("transactions", anomaly.transactions())
                        .put("key", anomaly.key()));
    }
}
