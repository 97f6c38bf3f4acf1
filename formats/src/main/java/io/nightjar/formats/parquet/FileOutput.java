package io.nightjar.formats.parquet;

import io.nightjar.formats.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Output file that is hidden in its target folder until it is complete, and counts its bytes. */
final class FileOutput implements AutoCloseable {

    private final AtomicFile hidden;
    private final OutputStream out;
    private long position;

    FileOutput(Path file) throws IOException {
        this.hidden = new AtomicFile(file);
        this.out = hidden.openPlain();
    }

    long position() {
        return position;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
    }

    /** Syncs the complete file to the disk, still hidden. */
    void complete() throws IOException {
        out.close();
        hidden.complete();
    }

    @Nullable
    Path hiddenPath() {
        return hidden.hiddenPath();
    }

    void publish() throws IOException {
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
