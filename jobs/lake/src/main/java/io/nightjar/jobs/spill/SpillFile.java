package io.nightjar.jobs.spill;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Bytes spilled to disk. The file has no name once it is open, so that its space is released with the end of the
 * process, however it ends.
 *
 * <p>It is a sequence of frames: an int with the length, then that many bytes.
 */
public final class SpillFile implements Closeable {

    private static final int READ_AT_ONCE = 1 << 18;

    private final Folders folders;
    private final Path path;
    private final FileChannel file;
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    private long byteCount;

    /**
     * Directories for spill files.
     *
     * @param remedy the advice to the user if the disk is full
     */
    public record Folders(List<Path> directories, String remedy) {

        public LakeException failure(Path directory, IOException failed) {
            return LakeException.at(directory, "cannot spill: reason=" + failed.getMessage() + "; " + remedy, failed);
        }
    }

    /** Creates a file in one of the directories. */
    public SpillFile(Folders folders) {
        UUID name = UUID.randomUUID();
        Path directory = folders.directories()
                .get(Math.floorMod(name.hashCode(), folders.directories().size()));
        this.folders = folders;
        path = directory.resolve("nightjar-spill-" + name);
        try {
            file = FileChannel.open(
                    path,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException failed) {
            throw folders.failure(directory, failed);
        }
    }

    public void append(byte[] bytes, int length) {
        try {
            write(header.clear().putInt(length).flip());
            write(ByteBuffer.wrap(bytes, 0, length));
        } catch (IOException failed) {
            throw folders.failure(requireNonNull(path.getParent()), failed);
        }
        byteCount += Integer.BYTES + length;
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    public long byteCount() {
        return byteCount;
    }

    /**
     * Returns the bytes of the frame after the given number of bytes; they are valid until the scratch is used again.
     */
    public ByteReader frameAt(long position, byte[] scratch) throws IOException {
        read(header.clear(), position);
        int length = header.flip().getInt();
        byte[] frame = scratch.length >= length ? scratch : new byte[length];
        read(ByteBuffer.wrap(frame, 0, length), position + Integer.BYTES);
        return new ByteReader(frame, 0, length);
    }

    private void read(ByteBuffer to, long position) throws IOException {
        long at = position;
        while (to.hasRemaining()) {
            int count = file.read(to, at);
            if (count < 0) {
                throw new EOFException("[" + path + "] spill file is truncated: length=" + at);
            }
            at += count;
        }
    }

    /** Passes on every frame's bytes, which are valid until the next. */
    public void forEach(Consumer<ByteReader> to) throws IOException {
        DataInputStream in =
                new DataInputStream(new BufferedInputStream(Channels.newInputStream(file.position(0)), READ_AT_ONCE));
        byte[] frame = new byte[1 << 16];
        long left = byteCount;
        while (left > 0) {
            int length = in.readInt();
            frame = frame.length >= length ? frame : new byte[length];
            in.readFully(frame, 0, length);
            to.accept(new ByteReader(frame, 0, length));
            left -= Integer.BYTES + length;
        }
        file.position(byteCount);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
