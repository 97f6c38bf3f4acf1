package io.nightjar.jobs.flink;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.pipeline.primitive.ByteFeed;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Chunks that a task put aside on disk. The file has no name once it is open, so that its space comes back with the end of
 * the process, however it ends.
 *
 * <p>It is a sequence of frames: an int with the length, then that many bytes.
 */
final class ChunkFile implements Closeable {

    private final Path path;
    private final FileChannel file;
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    private byte[] frame = new byte[1 << 16];

    private ChunkFile(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** A new one in one of the directories of Flink's temporary files. */
    static ChunkFile in(File[] directories) {
        UUID name = UUID.randomUUID();
        File directory = directories[Math.floorMod(name.hashCode(), directories.length)];
        Path path = directory.toPath().resolve("nightjar-" + name);
        try {
            FileChannel file = FileChannel.open(
                    path,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            return new ChunkFile(path, file);
        } catch (IOException failed) {
            throw failure(path, failed);
        }
    }

    private static LakeException failure(Path path, IOException failed) {
        return new LakeException(
                "[" + path.getParent() + "] cannot spill: reason=" + failed.getMessage()
                        + "; free some room, or set io.tmp.dirs (TMPDIR where there is no --cluster) to a larger disk",
                failed);
    }

    void append(Chunk chunk) {
        try {
            write(header.clear().putInt(chunk.length).flip());
            write(ByteBuffer.wrap(chunk.bytes, 0, chunk.length));
        } catch (IOException failed) {
            throw failure(path, failed);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Gives every chunk's bytes, which are valid until the next. */
    void forEach(Consumer<ByteFeed> to) throws IOException {
        long end = file.size();
        long at = 0;
        while (at < end) {
            read(header.clear(), at);
            int length = header.getInt(0);
            if (frame.length < length) {
                frame = new byte[length];
            }
            read(ByteBuffer.wrap(frame, 0, length), at + Integer.BYTES);
            to.accept(new ByteFeed(frame, 0, length));
            at += Integer.BYTES + length;
        }
    }

    private void read(ByteBuffer into, long from) throws IOException {
        long at = from;
        while (into.hasRemaining()) {
            int count = file.read(into, at);
            if (count < 0) {
                throw new EOFException("[" + path + "] spilled file is shorter than what was written: at=" + at);
            }
            at += count;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
