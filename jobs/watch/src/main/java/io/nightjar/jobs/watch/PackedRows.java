package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history of rows in scratch files, which only the process that wrote them reads. */
final class PackedRows implements HistorySource {

    /*
     * Layout. A file is a sequence of slices, each as its length (4 bytes) and that many bytes of SliceCodec.
     */

    static final String EXTENSION = ".rows";

    private static final long UNKNOWN = -1;
    private static final int BUFFER = 1 << 16;

    private final List<RowArchive.Part> parts;
    private final String name;
    private final List<Split> splits = new ArrayList<>();

    /** @param name of the history */
    PackedRows(List<RowArchive.Part> parts, String name) {
        this.parts = List.copyOf(parts);
        this.name = name;
        for (RowArchive.Part part : parts) {
            splits.add(new Split(part.file().toString(), UNKNOWN, UNKNOWN, part.bytes()));
        }
    }

    /** Returns whether a file of rows is packed. */
    static boolean isOf(Path file) {
        return file.toString().endsWith(EXTENSION);
    }

    /** Begins a file of rows: packed or Parquet, by its name. */
    static HistoryWriter createPart(Path file) throws IOException {
        return isOf(file) ? create(file) : Histories.create(file, "parquet");
    }

    /** Begins a file. */
    static HistoryWriter create(Path file) throws IOException {
        FileChannel to = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        SliceCodec codec = new SliceCodec();
        ByteWriter bytes = new ByteWriter(BUFFER);
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        return new HistoryWriter() {
            @Override
            public void write(HistorySlice slice) throws IOException {
                bytes.clear();
                codec.encode(slice, SliceForm.ALL, bytes);
                put(length.clear().putInt(bytes.size()).flip());
                put(ByteBuffer.wrap(bytes.bytes(), 0, bytes.size()));
            }

            private void put(ByteBuffer from) throws IOException {
                while (from.hasRemaining()) {
                    to.write(from);
                }
            }

            @Override
            public void finish() {
                // every slice is written at once
            }

            @Override
            public void close() throws IOException {
                to.close();
            }
        };
    }

    @Override
    public String uri() {
        return name;
    }

    @Override
    public String format() {
        return "memory";
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        Path file = parts.get(split).file();
        DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
        SliceCodec codec = new SliceCodec();
        return new SliceReader() {
            private long rest = parts.get(split).bytes(); // of the file, as it was when the part was completed

            @Override
            public @Nullable HistorySlice next() throws IOException {
                if (rest == 0) {
                    return null;
                }
                int length = in.readInt();
                rest -= Integer.BYTES + length;
                if (length < 0 || rest < 0) {
                    throw new EOFException("rows are damaged: file=" + file);
                }
                byte[] bytes = new byte[length];
                in.readFully(bytes);
                return codec.decode(new ByteReader(bytes, 0, length)).withOnly(wanted);
            }

            @Override
            public void close() throws IOException {
                in.close();
            }
        };
    }

    @Override
    public void close() {}
}
