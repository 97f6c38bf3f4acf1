package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.PlantedFault.Change;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The side file: one JSON object a line for each planted fault. */
public final class FaultFile {

    private static final String SUFFIX = ".faults.jsonl";

    private FaultFile() {}

    /** Where the side file of a history stands: {@code OUT.faults.jsonl}. */
    public static Path beside(Path history) {
        return history.resolveSibling(history.getFileName() + SUFFIX);
    }

    /** Writes the file; it appears under its name when it is complete. */
    public static void write(Path file, List<PlantedFault> faults) throws IOException {
        Path unfinished = file.resolveSibling("." + file.getFileName() + ".part");
        try {
            try (Writer out = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8)) {
                for (PlantedFault fault : faults) {
                    out.write(line(fault));
                    out.write('\n');
                }
            }
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** A fault as one JSON object, without a line end. */
    public static String line(PlantedFault fault) {
        String changes = fault.changes().stream().map(FaultFile::change).collect(Collectors.joining(","));
        String expected = fault.expected().stream().map(FaultFile::expected).collect(Collectors.joining(","));
        return "{\"fault\":\"" + fault.fault().word() + "\",\"transactions\":" + ids(fault.transactions()) + ",\"key\":"
                + key(fault.key()) + ",\"changes\":[" + changes + "],\"expected\":[" + expected + "]}";
    }

    private static String change(Change change) {
        String op = change.op() == Change.WHOLE_TXN ? "" : "\"op\":" + change.op() + ",";
        return "{\"transaction\":" + change.txnId() + "," + op + "\"field\":\"" + change.field() + "\",\"from\":"
                + change.from() + ",\"to\":" + change.to() + "}";
    }

    private static String expected(ExpectedAnomaly anomaly) {
        return "{\"type\":\"" + anomaly.type().spelling() + "\",\"level\":\""
                + anomaly.level().longName() + "\",\"transactions\":" + ids(anomaly.transactions()) + ",\"key\":"
                + key(anomaly.key()) + "}";
    }

    private static String ids(List<Long> txns) {
        return txns.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    /** Keys of generated histories are numbers, so nothing needs escaping; a string, as in the verdict's JSON. */
    private static String key(@Nullable String key) {
        return key == null ? "null" : "\"" + key + "\"";
    }
}
