package io.nightjar.formats.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Detector of incomplete recordings: folders whose manifest, and files whose first line, carries the mark. */
public final class IncompleteRecording {

    private static final String MANIFEST = "_manifest.json";
    private static final long MAX_MANIFEST_BYTES = 64 << 20;
    private static final Pattern NOT_COMPLETE = Pattern.compile("\"complete\"\\s*:\\s*false");

    /** The first line of a JSON Lines file until it is complete; readers treat it as blank. */
    private static final byte[] MARK = "\t\t\t\t\t\t\t\n".getBytes(StandardCharsets.US_ASCII);

    private IncompleteRecording() {}

    /** Returns the first line of a file that is being written. */
    public static byte[] mark() {
        return MARK.clone();
    }

    /** Returns the bytes of the same length that replace the mark once the file is complete. */
    public static byte[] endMark() {
        return "       \n".getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns whether the address is an incomplete folder or file. */
    public static boolean isAt(String address) {
        Path path;
        try {
            path = Addresses.path(address);
        } catch (AddressException | InvalidPathException noFile) { // such as a topic
            return false;
        }
        try {
            if (Files.isRegularFile(path)) {
                return isMarked(path);
            }
            Path manifest = path.resolve(MANIFEST);
            return Addresses.isFile(manifest)
                    && Files.size(manifest) <= MAX_MANIFEST_BYTES
                    && NOT_COMPLETE.matcher(Files.readString(manifest)).find();
        } catch (IOException noManifest) {
            if (Addresses.isRemote(path)) { // a failing store may have one
                throw new UncheckedIOException(noManifest);
            }
            return false;
        }
    }

    private static boolean isMarked(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(MARK.length), MARK);
        }
    }

    /** Returns whether the last line of a file may be incomplete: the file, or its folder, has the mark. */
    public static boolean holds(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return isAt(file.toString()) || folder != null && !Addresses.isRemote(folder) && isAt(folder.toString());
    }
}
