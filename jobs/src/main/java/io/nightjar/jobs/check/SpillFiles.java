package io.nightjar.jobs.check;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneCodec;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lanes on disk, a file each. The files have no names once they are open, so that their space comes back with the end of
 * the process, however it ends.
 *
 * <p>A file is a sequence of frames: an int with the length, then that many bytes of chunks.
 */
final class SpillFiles implements Closeable {

    private final Path directory;
    private final FileChannel[] files;
    private final AtomicLong bytesWritten = new AtomicLong();

    SpillFiles(Path parent, int laneCount) throws IOException {
        this.directory = newDirectory(parent);
        this.files = new FileChannel[laneCount];
        boolean isOpen = false;
        try {
            for (int lane = 0; lane < laneCount; lane++) {
                files[lane] = FileChannel.open(
                        directory.resolve("lane-" + lane),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
            }
            directory.toFile().delete(); // where open files keep their names, it goes with the last of them
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

    static LakeException failure(Path where, IOException failed) {
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
        double total = files[lane].size();
        long bytesRead = 0;
        DataInputStream in =
                new DataInputStream(new BufferedInputStream(Channels.newInputStream(files[lane].position(0)), 1 << 18));
        while (bytesRead < total) {
            int length = in.readInt();
            frame = frame.length >= length ? frame : new byte[length];
            in.readFully(frame, 0, length);
            bytesRead += 4L + length;
            ByteFeed feed = new ByteFeed(frame, 0, length);
            while (!feed.isEmpty()) {
                to.accept(codec.decode(feed), bytesRead / total);
            }
        }
    }

    /** Gives a lane's disk space back. */
    void delete(int lane) throws IOException {
        if (files[lane] != null) {
            files[lane].close();
        }
    }

    @Override
    public void close() throws IOException {
        for (int lane = 0; lane < files.length; lane++) {
            delete(lane);
        }
        Files.deleteIfExists(directory);
    }
}
