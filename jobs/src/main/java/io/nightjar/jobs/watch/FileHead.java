package io.nightjar.jobs.watch;

import java.util.zip.CRC32C;

/** A sum of the first bytes of a file that grows, as far as they have been read. */
final class FileHead {

    /** Of a file of which nothing has been read. */
    static final long NONE = 0;

    private static final int MOST_BYTES = 1 << 12;

    private final CRC32C sum = new CRC32C();
    private int count;

    /** How many bytes of so many are summed. */
    static int count(long bytes) {
        return (int) Math.min(bytes, MOST_BYTES);
    }

    /** The next bytes of the file. */
    void add(byte[] bytes, int from, int length) {
        int more = Math.min(length, MOST_BYTES - count);
        if (more > 0) {
            sum.update(bytes, from, more);
            count += more;
        }
    }

    long value() {
        return sum.getValue();
    }
}
