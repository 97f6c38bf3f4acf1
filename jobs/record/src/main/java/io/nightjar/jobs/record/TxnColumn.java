package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/** A number for each transaction of a recording, on disk until the archive is merged. */
final class TxnColumn implements Closeable {

    /*
     * Layout. Eight bytes per id, in a file without a name once it is open. The stored value is the number XOR NONE, so
     * that an unwritten entry, which reads as 0, is NONE.
     *
     * Cost. Requested ids are close together, so a few pages are cached in memory, and written when they are evicted.
     */

    private static final int NUMBERS_OF_A_PAGE = 1_024;
    private static final int PAGES = 16;

    private final FileChannel file;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(NUMBERS_OF_A_PAGE * Long.BYTES);
    private final long[] pageAt = new long[PAGES];
    private final boolean[] isChanged = new boolean[PAGES];
    private final long[][] numbers = new long[PAGES][];
    private int next;

    TxnColumn() throws IOException {
        Path path = Path.of(System.getProperty("java.io.tmpdir")).resolve("nightjar-record-" + UUID.randomUUID());
        file = FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        Arrays.fill(pageAt, -1);
    }

    synchronized void put(long txnId, long number) throws IOException {
        int position = positionOf(txnId / NUMBERS_OF_A_PAGE);
        numbers[position][(int) (txnId % NUMBERS_OF_A_PAGE)] = number;
        isChanged[position] = true;
    }

    /** Returns the number of a transaction, {@code NONE} if it has none. */
    synchronized long get(long txnId) throws IOException {
        return numbers[positionOf(txnId / NUMBERS_OF_A_PAGE)][(int) (txnId % NUMBERS_OF_A_PAGE)];
    }

    private int positionOf(long page) throws IOException {
        for (int position = 0; position < PAGES; position++) {
            if (pageAt[position] == page) {
                return position;
            }
        }
        int position = next;
        next = (next + 1) % PAGES;
        if (isChanged[position]) {
            write(position);
        }
        read(page, position);
        return position;
    }

    private void write(int position) throws IOException {
        bytes.clear();
        for (long number : numbers[position]) {
            bytes.putLong(number ^ HistorySlice.NONE);
        }
        bytes.flip();
        long start = pageAt[position] * NUMBERS_OF_A_PAGE * Long.BYTES;
        while (bytes.hasRemaining()) {
            file.write(bytes, start + bytes.position());
        }
        isChanged[position] = false;
    }

    private void read(long page, int position) throws IOException {
        pageAt[position] = -1; // empty if loading fails
        bytes.clear();
        long start = page * NUMBERS_OF_A_PAGE * Long.BYTES;
        while (bytes.hasRemaining() && file.read(bytes, start + bytes.position()) >= 0) {
            continue;
        }
        bytes.flip();
        numbers[position] = numbers[position] == null ? new long[NUMBERS_OF_A_PAGE] : numbers[position];
        for (int i = 0; i < NUMBERS_OF_A_PAGE; i++) {
            numbers[position][i] = (bytes.hasRemaining() ? bytes.getLong() : 0) ^ HistorySlice.NONE;
        }
        pageAt[position] = page;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
