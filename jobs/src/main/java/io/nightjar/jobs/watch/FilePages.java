package io.nightjar.jobs.watch;

import io.nightjar.pipeline.online.AtticPages;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The pages of an attic that memory does not hold, in a file in which the last ones take the place of the oldest. */
public final class FilePages implements AtticPages, AutoCloseable {

    private final FileChannel file;
    private final long capacity;

    /** @param capacity how many pages there may be */
    public FilePages(Path path, long capacity) throws IOException {
        this.capacity = Math.max(1, capacity);
        this.file = FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public void write(long number, byte[] page) {
        ByteBuffer bytes = ByteBuffer.wrap(page);
        long at = number % capacity * page.length;
        try {
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public byte[] read(long number, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        long at = number % capacity * length;
        try {
            while (bytes.hasRemaining()) {
                int count = file.read(bytes, at);
                if (count < 0) {
                    throw new EOFException("page of sealed rows is cut: page=" + number);
                }
                at += count;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return bytes.array();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
