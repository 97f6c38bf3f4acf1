package io.nightjar.jobs.watch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A sum of the first bytes of a file that grows, as far as they have been read. */
final class FilePrefixHash {

    /** The sum of a file of which nothing has been read. */
    static final long NONE = 0;

    private static final int MAX_BYTES = 1 << 12;

    private final CRC32C sum = new CRC32C();
    private int count;

    /** Returns the sum of a file as if the given number of its bytes had been read. */
    static FilePrefixHash of(Path file, long bytes) throws IOException {
        FilePrefixHash head = new FilePrefixHash();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes((int) Math.min(bytes, MAX_BYTES));
            head.add(first, 0, first.length);
        }
        return head;
    }

    /** Returns whether a file begins with the same bytes. */
    boolean isOf(Path file) throws IOException {
        return of(file, count).value() == value();
    }

    /** Adds the next bytes of the file. */
    void add(byte[] bytes, int from, int length) {
        int more = Math.min(length, MAX_BYTES - count);
        if (more > 0) {
            sum.update(bytes, from, more);
            count += more;
        }
    }

    long value() {
        return sum.getValue();
    }
}
