package io.nightjar.jobs.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * A hash by which a run knows its input again: every byte of small files; of large ones size, time of change, beginning
 * and end, because reading them once more would cost as much as the check.
 */
public final class InputFingerprint {

    private static final long LARGE = 64L << 20;
    private static final int SAMPLE = 1 << 20;

    private InputFingerprint() {}

    public static String of(Path address) throws IOException {
        MessageDigest digest = sha256();
        for (Path file : files(address)) {
            digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
            digest.update(longBytes(Files.size(file)));
            if (Files.size(file) <= LARGE) {
                try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
            } else {
                digest.update(longBytes(Files.getLastModifiedTime(file).toMillis()));
                sample(file, digest);
            }
        }
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }

    /** The file, or the files of a directory that are parts of a history, by name. */
    private static List<Path> files(Path address) throws IOException {
        if (!Files.isDirectory(address)) {
            return Files.isRegularFile(address) ? List.of(address) : List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(address, "[!_.]*")) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry)) {
                    files.add(entry);
                }
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        Collections.sort(files);
        return files;
    }

    private static void sample(Path file, MessageDigest digest) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            for (long from : new long[] {0, channel.size() - SAMPLE}) {
                ByteBuffer buffer = ByteBuffer.allocate(SAMPLE);
                while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
                    continue;
                }
                digest.update(buffer.flip());
            }
        }
    }

    private static byte[] longBytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("cannot happen: every JDK has SHA-256", impossible);
        }
    }
}
