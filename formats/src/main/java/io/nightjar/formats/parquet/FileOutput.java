package io.nightjar.formats.parquet;

import io.nightjar.formats.file.HiddenFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;

/** A file that grows hidden beside its place, counts its bytes, and appears there when it is complete. */
final class FileOutput implements AutoCloseable {

    private final HiddenFile hidden;
    private final OutputStream out;
    private long position;

    FileOutput(Path file) throws IOException {
        this.hidden = new HiddenFile(file);
        this.out = Channels.newOutputStream(hidden.openChannel());
    }

    long position() {
        return position;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
    }

    void finish() throws IOException {
        out.close();
        hidden.publish();
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            hidden.close();
        }
    }
}
