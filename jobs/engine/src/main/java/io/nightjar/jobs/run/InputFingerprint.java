package io.nightjar.jobs.run;

import io.nightjar.formats.file.Addresses;
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
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A hash by which a run recognizes its input: of every byte of small files; of large files, size, modification time,
 * beginning and end, because reading them once more would cost as much as the check.
 */
public final class InputFingerprint {

    /*
     * SHA-256 of files of some megabytes took a fifth of a short check: only the JVM's second compiler uses the
     * processor's instructions for it. Both compilers use the instructions for checksums, so such files are summed up
     * block by block, twice 32 bits each, and the digest is of the sums. The hash does not protect from forgery; it
     * shows that a file was changed.
     */

    private static final long LARGE = 64L << 20;
    private static final int BLOCK = 1 << 20;
    private static final String OF_BYTES = "sha256:";
    private static final String OF_BLOCKS = "blocks:";

    private InputFingerprint() {}

    public static String of(Path address) throws IOException {
        List<Path> files = files(address);
        boolean isLong = false;
        for (Path file : files) {
            isLong |= !Addresses.isRemote(file) && Files.size(file) > BLOCK && Files.size(file) <= LARGE;
        }
        return of(files, isLong);
    }

    /**
     * Returns whether a fingerprint is that of an input; accepts the fingerprints of earlier runs, SHA-256 of every
     * byte, too.
     */
    public static boolean isOf(Path address, String fingerprint) throws IOException {
        return fingerprint.equals(of(address))
                || fingerprint.startsWith(OF_BYTES) && fingerprint.equals(of(files(address), false));
    }

    private static String of(List<Path> files, boolean byBlocks) throws IOException {
        MessageDigest digest = sha256();
        for (Path file : files) {
            digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
            digest.update(longBytes(Files.size(file)));
            if (Addresses.isRemote(file)) {
                update(file, digest);
            } else if (Files.size(file) > LARGE) {
                digest.update(longBytes(Files.getLastModifiedTime(file).toMillis()));
                sample(file, digest);
            } else if (byBlocks) {
                sumUp(file, digest);
            } else {
                try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
            }
        }
        return (byBlocks ? OF_BLOCKS : OF_BYTES) + HexFormat.of().formatHex(digest.digest());
    }

    /** Adds the identity of an object's content, since its bytes would have to be fetched. */
    private static void update(Path object, MessageDigest digest) throws IOException {
        BasicFileAttributes found = Files.readAttributes(object, BasicFileAttributes.class);
        digest.update(String.valueOf(found.fileKey()).getBytes(StandardCharsets.UTF_8));
        digest.update(longBytes(found.lastModifiedTime().toMillis()));
    }

    private static void sumUp(Path file, MessageDigest digest) throws IOException {
        CRC32 one = new CRC32();
        CRC32C other = new CRC32C();
        byte[] block = new byte[BLOCK];
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.readNBytes(block, 0, BLOCK); length > 0; length = in.readNBytes(block, 0, BLOCK)) {
                one.reset();
                one.update(block, 0, length);
                other.reset();
                other.update(block, 0, length);
                digest.update(longBytes(one.getValue() << Integer.SIZE | other.getValue()));
            }
        }
    }

    /** Returns the file, or the files of a directory that are parts of a history, by name. */
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
            for (long from : new long[] {0, channel.size() - BLOCK}) {
                ByteBuffer buffer = ByteBuffer.allocate(BLOCK);
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
            throw new AssertionError("bug: every JDK has SHA-256", impossible);
        }
    }
}
