package io.nightjar.jobs.watch;

import io.nightjar.pipeline.online.KeyPageCache;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** File with pages of keys that memory does not hold; it is removed with the watch. */
public final class PageFile implements KeyPageCache.Storage, AutoCloseable {

    private final FileChannel file;

    public PageFile(Path path) throws IOException {
        this.file = FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    @Override
    public void write(long at, ByteBuffer from) {
        try {
            for (long to = at; from.hasRemaining(); ) {
                to += file.write(from, to);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void read(long at, ByteBuffer into) {
        try {
            for (long from = at; into.hasRemaining(); ) {
                int count = file.read(into, from);
                if (count < 0) {
                    throw new EOFException("page is cut: at=" + at);
                }
                from += count;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
