package io.nightjar.formats.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Folders whose manifest says that the recording in them did not come to its end. */
public final class IncompleteRecording {

    private static final String MANIFEST = "_manifest.json";
    private static final long MOST_MANIFEST_BYTES = 64 << 20;
    private static final Pattern NOT_COMPLETE = Pattern.compile("\"complete\"\\s*:\\s*false");

    private IncompleteRecording() {}

    /** Whether the address is that of such a folder. */
    public static boolean isAt(String address) {
        try {
            Path manifest = Path.of(address).resolve(MANIFEST);
            return Files.isRegularFile(manifest)
                    && Files.size(manifest) <= MOST_MANIFEST_BYTES
                    && NOT_COMPLETE.matcher(Files.readString(manifest)).find();
        } catch (IOException | InvalidPathException noManifest) {
            return false;
        }
    }

    /** Whether a file lies in such a folder, so that whoever wrote it may have been killed in the middle of its last line. */
    public static boolean holds(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder != null && isAt(folder.toString());
    }
}
