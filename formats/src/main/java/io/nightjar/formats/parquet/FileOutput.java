package io.nightjar.formats.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** A file that grows hidden beside its place and appears there when it is complete. */
final class FileOutput implements AutoCloseable {

    private static final AtomicLong COUNTER = new AtomicLong();

    private final Path file;
    private final Path hidden;
    private final OutputStream out;
    private long position;
    private boolean isFinished;

    FileOutput(Path file) throws IOException {
        this.file = file;
        String suffix = ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet() + ".partial";
        this.hidden = file.resolveSibling("." + file.getFileName() + "." + suffix);
        this.out = Files.newOutputStream(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
        Files.move(hidden, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        isFinished = true;
    }

    @Override
    public void close() throws IOException {
        if (isFinished) {
            return;
        }
        try {
            out.close();
        } finally {
            Files.deleteIfExists(hidden);
        }
    }
}
