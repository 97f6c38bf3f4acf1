package io.nightjar.jobs.local;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneCodec;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lanes on disk, a file each, in a directory that disappears with the process, also after Ctrl-C.
 *
 * <p>A file is a sequence of frames: an int with the length, then that many bytes of chunks.
 */
final class SpillFiles implements Closeable {

    private final Path directory;
    private final FileChannel[] files;
    private final AtomicLong bytesWritten = new AtomicLong();
    private final Thread cleanUpAtExit;

    SpillFiles(Path parent, int laneCount) throws IOException {
        this.directory = newDirectory(parent);
        this.cleanUpAtExit = new Thread(() -> deleteAll(laneCount), "clean-up-spill");
        Runtime.getRuntime().addShutdownHook(cleanUpAtExit);
        this.files = new FileChannel[laneCount];
        boolean isOpen = false;
        try {
            for (int lane = 0; lane < laneCount; lane++) {
                files[lane] = FileChannel.open(file(lane), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
            isOpen = true;
        } catch (IOException failed) {
            throw failure(failed);
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    private static Path newDirectory(Path parent) {
        try {
            return Files.createTempDirectory(parent, "nightjar-spill-");
        } catch (IOException failed) {
            throw failure(parent, failed);
        }
    }

    private LakeException failure(IOException failed) {
        return failure(directory, failed);
    }

    private static LakeException failure(Path where, IOException failed) {
        return new LakeException(
                "[" + where + "] cannot spill: reason=" + failed.getMessage()
                        + "; free some room, set TMPDIR to a larger disk, or give more --memory",
                failed);
    }

    Path directory() {
        return directory;
    }

    long bytesWritten() {
        return bytesWritten.get();
    }

    /** Appends what a sink holds to a lane's file, and empties the sink. */
    void append(int lane, ByteSink sink) {
        ByteBuffer header = ByteBuffer.allocate(4).putInt(sink.size()).flip();
        ByteBuffer body = ByteBuffer.wrap(sink.bytes(), 0, sink.size());
        FileChannel file = files[lane];
        synchronized (file) {
            try {
                write(file, header);
                write(file, body);
            } catch (IOException failed) {
                throw failure(failed);
            }
        }
        bytesWritten.addAndGet(4L + sink.size());
        sink.clear();
    }

    private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Told of each chunk of a lane, and of the share of the lane's bytes that were read up to then. */
    @FunctionalInterface
    interface ChunkReader {
        void accept(LaneChunk chunk, double shareRead);
    }

    /** Reads a lane's chunks back, in no particular order. */
    void read(int lane, ChunkReader to) throws IOException {
        LaneCodec codec = new LaneCodec();
        byte[] frame = new byte[1 << 16];
        double total = Files.size(file(lane));
        long bytesRead = 0;
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file(lane)), 1 << 18))) {
            while (true) {
                int length;
                try {
                    length = in.readInt();
                } catch (EOFException end) {
                    return;
                }
                frame = frame.length >= length ? frame : new byte[length];
                in.readFully(frame, 0, length);
                bytesRead += 4L + length;
                ByteFeed feed = new ByteFeed(frame, 0, length);
                while (!feed.isEmpty()) {
                    to.accept(codec.decode(feed), bytesRead / total);
                }
            }
        }
    }

    /** Gives a lane's disk space back. */
    void delete(int lane) throws IOException {
        if (files[lane] != null) {
            files[lane].close();
        }
        Files.deleteIfExists(file(lane));
    }

    @Override
    public void close() throws IOException {
        for (int lane = 0; lane < files.length; lane++) {
            delete(lane);
        }
        Files.deleteIfExists(directory);
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUpAtExit);
        } catch (IllegalStateException shuttingDown) {
            return; // the hook runs already and finds nothing left to do
        }
    }

    private Path file(int lane) {
        return directory.resolve("lane-" + lane);
    }

    private void deleteAll(int laneCount) {
        for (int lane = 0; lane < laneCount; lane++) {
            file(lane).toFile().delete();
        }
        directory.toFile().delete();
    }
}
