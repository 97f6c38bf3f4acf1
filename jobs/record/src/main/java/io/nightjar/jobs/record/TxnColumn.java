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
        int place = placeOf(txnId / NUMBERS_OF_A_PAGE);
        numbers[place][(int) (txnId % NUMBERS_OF_A_PAGE)] = number;
        isChanged[place] = true;
    }

    /** Returns the number of a transaction, {@code NONE} if it has none. */
    synchronized long get(long txnId) throws IOException {
        return numbers[placeOf(txnId / NUMBERS_OF_A_PAGE)][(int) (txnId % NUMBERS_OF_A_PAGE)];
    }

    private int placeOf(long page) throws IOException {
        for (int place = 0; place < PAGES; place++) {
            if (pageAt[place] == page) {
                return place;
            }
        }
        int place = next;
        next = (next + 1) % PAGES;
        if (isChanged[place]) {
            write(place);
        }
        read(page, place);
        return place;
    }

    private void write(int place) throws IOException {
        bytes.clear();
        for (long number : numbers[place]) {
            bytes.putLong(number ^ HistorySlice.NONE);
        }
        bytes.flip();
        long start = pageAt[place] * NUMBERS_OF_A_PAGE * Long.BYTES;
        while (bytes.hasRemaining()) {
            file.write(bytes, start + bytes.position());
        }
        isChanged[place] = false;
    }

    private void read(long page, int place) throws IOException {
        pageAt[place] = -1; // empty if loading fails
        bytes.clear();
        long start = page * NUMBERS_OF_A_PAGE * Long.BYTES;
        while (bytes.hasRemaining() && file.read(bytes, start + bytes.position()) >= 0) {
            continue;
        }
        bytes.flip();
        numbers[place] = numbers[place] == null ? new long[NUMBERS_OF_A_PAGE] : numbers[place];
        for (int i = 0; i < NUMBERS_OF_A_PAGE; i++) {
            numbers[place][i] = (bytes.hasRemaining() ? bytes.getLong() : 0) ^ HistorySlice.NONE;
        }
        pageAt[place] = page;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
