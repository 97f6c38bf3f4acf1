package io.nightjar.formats.file;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Opens files for reading, decompresses those with a known compression, and explains failures in the user's terms. */
public final class InputFile {

    private static final int MAGIC_LENGTH = 4;

    private InputFile() {}

    /** Fails with a located message unless the path is a readable file with content. */
    public static void check(Path file) {
        if (!Files.exists(file)) {
            checkAccess(file);
            throw new MalformedHistoryException(InputLocation.file(file.toString()), missing(file));
        }
        if (Files.isDirectory(file)) {
            throw new MalformedHistoryException(
                    InputLocation.file(file.toString()),
                    InputError.of("is a directory").advise("give a file"));
        }
        if (!Files.isReadable(file)) {
            throw new MalformedHistoryException(
                    InputLocation.file(file.toString()),
                    InputError.of("may not be read").advise("check the permissions of the file"));
        }
        if (size(file) == 0 && Files.isRegularFile(file)) {
            throw new MalformedHistoryException(
                    InputLocation.file(file.toString()),
                    InputError.of("file is empty").with("bytes=0").advise("was it written completely"));
        }
    }

    /** Fails if a store denies the access, which would look like a missing file. */
    private static void checkAccess(Path file) {
        if (Addresses.isRemote(file)) {
            try {
                Files.readAttributes(file, BasicFileAttributes.class);
            } catch (IOException e) {
                throw unreadable(file, e);
            }
        }
    }

    /**
     * Returns whether the bytes of a file name are not text, in which case Java programs receive replacement
     * characters.
     */
    public static boolean isNameGarbled(Path file) {
        return file.toString().indexOf('\uFFFD') >= 0;
    }

    private static InputError missing(Path file) {
        InputError missing = InputError.of("no such file or directory");
        return isNameGarbled(file)
                ? missing.with("its name is not UTF-8")
                        .advise("rename it, give the directory that it is in, or its content through a pipe as -")
                : missing;
    }

    public static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Returns the first bytes of the file without decompression, at most {@code count}. */
    public static byte[] head(Path file, int count) throws IOException {
        try (InputStream in = raw(file)) {
            return in.readNBytes(count);
        }
    }

    /** Returns the first decompressed bytes, at most {@code count}; fewer if the compressed data is corrupt. */
    public static byte[] decompressedHead(Path file, int count) throws IOException {
        byte[] head = new byte[count];
        int length = 0;
        try (InputStream in = open(file)) {
            int read = in.read(head, 0, count);
            while (read > 0) {
                length += read;
                read = in.read(head, length, count - length);
            }
        } catch (CorruptDataException damaged) {
            // The readable bytes suffice to recognize the format; its reader will report the corrupt location.
            return Arrays.copyOf(head, length);
        }
        return Arrays.copyOf(head, length);
    }

    /** Opens a file; gzip and zstd are recognized by their first bytes, independent of the file name. */
    public static InputStream open(Path file) throws IOException {
        InputStream in = raw(file);
        try {
            byte[] magic = in.readNBytes(MAGIC_LENGTH);
            InputStream whole = new SequenceInputStream(new ByteArrayInputStream(magic), in);
            if (isGzip(magic)) {
                return new GzipStream(whole);
            }
            return isZstd(magic) ? new ZstdStream(whole) : whole;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Opens a text without decoding; the number of consecutive blanks is limited. */
    public static InputStream openLines(Path file) throws IOException {
        return new BlankLimitStream(open(file));
    }

    /** Opens a text without the byte order mark that some programs write before UTF-8. */
    public static InputStream openText(Path file) throws IOException {
        return new UnmarkedStream(openLines(file));
    }

    public static boolean isGzip(byte[] head) {
        return head.length >= 2 && head[0] == 0x1f && head[1] == (byte) 0x8b;
    }

    public static boolean isZstd(byte[] head) {
        return head.length >= 4
                && head[0] == 0x28
                && head[1] == (byte) 0xb5
                && head[2] == 0x2f
                && head[3] == (byte) 0xfd;
    }

    private static InputStream raw(Path file) {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static MalformedHistoryException unreadable(Path file, IOException e) {
        InputLocation location = InputLocation.file(file.toString());
        if (e instanceof NoSuchFileException) {
            return new MalformedHistoryException(location, InputError.of("no such file or directory"), e);
        }
        if (e instanceof AccessDeniedException) {
            String reason = ((AccessDeniedException) e).getReason();
            InputError denied = InputError.of("may not be read");
            return new MalformedHistoryException(
                    location,
                    (reason == null ? denied : denied.with("reason=" + reason))
                            .advise("check the permissions of the file"),
                    e);
        }
        return new MalformedHistoryException(
                location, InputError.of("cannot be opened").with("reason=" + e.getMessage()), e);
    }

    /** Stream of UTF-8 without the byte order mark. */
    private static final class UnmarkedStream extends BlockStream {

        private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

        private final InputStream in;
        private @Nullable InputStream first; // bytes read while detecting the mark; null before

        UnmarkedStream(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (first == null) {
                byte[] head = in.readNBytes(MARK.length);
                first = new ByteArrayInputStream(Arrays.equals(head, MARK) ? new byte[0] : head);
            }
            int read = first.read(into, offset, length);
            return read > 0 ? read : in.read(into, offset, length);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Zstd stream that distinguishes corrupt data from storage errors. */
    private static final class ZstdStream extends BlockStream {

        private final ZstdInputStream in;

        ZstdStream(InputStream compressed) throws IOException {
            ZstdLibrary.load();
            this.in = new ZstdInputStream(compressed);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return in.read(into, offset, length);
            } catch (ZstdIOException e) {
                throw new CorruptDataException(
                        InputError.of("zstd data is damaged or ends early").with("reason=" + e.getMessage()), e);
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
