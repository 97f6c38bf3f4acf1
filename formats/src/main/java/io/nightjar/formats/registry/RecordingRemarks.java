package io.nightjar.formats.registry;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.text.JsonItems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reports data that the manifest of a recording describes as missing from the recording. */
public final class RecordingRemarks {

    private static final String MANIFEST = "_manifest.json";
    private static final long MAX_MANIFEST_BYTES = 1 << 20;

    private RecordingRemarks() {}

    /** Returns one sentence per remark; empty if the recording has no manifest. */
    public static List<String> at(String address) {
        Path path;
        try {
            path = Addresses.path(address);
        } catch (AddressException | InvalidPathException noFolder) { // such as a topic
            return List.of();
        }
        if (Addresses.isRemote(path) && !Files.isDirectory(path)) {
            return List.of();
        }
        try {
            Path manifest = path.resolve(MANIFEST);
            if (!Addresses.isFile(manifest) || Files.size(manifest) > MAX_MANIFEST_BYTES) {
                return List.of();
            }
            Object content = JsonItems.parse(Files.readString(manifest));
            List<String> remarks = new ArrayList<>();
            if (JsonItems.member(content, "not_recorded") instanceof Map<?, ?> tables) {
                tables.forEach((table, why) -> remarks.add("table " + table + " is not recorded: " + why));
            }
            for (Object remark : JsonItems.list(JsonItems.member(content, "remarks"))) {
                remarks.add(String.valueOf(remark));
            }
            return remarks;
        } catch (IOException noManifest) {
            if (Addresses.isRemote(path)) { // a failing store may have one
                throw new UncheckedIOException(noManifest);
            }
            return List.of();
        }
    }
}
