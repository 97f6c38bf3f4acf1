package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A number for each transaction of a recording, on disk until the archive is put together. */
final class TxnColumn implements Closeable {

    /*
     * Eight bytes an id, in a file that has no name once it is open. They differ from the number by NONE, so that what was
     * never written, which reads as 0, is NONE.
     */

    private final FileChannel file;
    private final ByteBuffer one = ByteBuffer.allocate(Long.BYTES);

    TxnColumn() throws IOException {
        Path path = Path.of(System.getProperty("java.io.tmpdir")).resolve("nightjar-record-" + UUID.randomUUID());
        file = FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    synchronized void put(long txnId, long number) throws IOException {
        one.clear().putLong(number ^ HistorySlice.NONE).flip();
        while (one.hasRemaining()) {
            file.write(one, txnId * Long.BYTES + one.position());
        }
    }

    /** The number of a transaction, {@code NONE} if it has none. */
    synchronized long get(long txnId) throws IOException {
        one.clear();
        while (one.hasRemaining()) {
            if (file.read(one, txnId * Long.BYTES + one.position()) < 0) {
                return HistorySlice.NONE;
            }
        }
        return one.flip().getLong() ^ HistorySlice.NONE;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
