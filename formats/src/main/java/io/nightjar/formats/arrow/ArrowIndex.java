package io.nightjar.formats.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

/** What stands where in one Arrow file or stream. */
final class ArrowIndex {

    /*
     *   file:    ARROW1 00 00 | stream | footer | footer's length i32 | ARROW1
     *   stream:  message of the schema, messages of dictionaries and record batches in any order, end
     *   message: ff ff ff ff | length of the metadata i32 | metadata | body        (the first four bytes: since 0.15)
     *   end:     ff ff ff ff | 0 i32
     *
     * A file is found by its footer, a stream by walking from message to message over the bodies.
     */

    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    static final int CONTINUATION = -1;

    private static final long UNKNOWN = -1;
    private static final int TAIL_LENGTH = 4 + 6;
    private static final int MAX_METADATA = 1 << 28;

    final List<ArrowField> columns = new ArrayList<>();
    final List<Batch> batches = new ArrayList<>();

    private final FileChannel channel;
    private final long size;

    private ArrowIndex(FileChannel channel) throws IOException {
        this.channel = channel;
        this.size = channel.size();
    }

    static ArrowIndex read(FileChannel channel) throws IOException {
        ArrowIndex index = new ArrowIndex(channel);
        try {
            if (index.startsWithMagic()) {
                index.readFile();
            } else {
                index.readStream();
            }
        } catch (RuntimeException e) {
            throw damaged(e);
        }
        return index;
    }

    /**
     * What went wrong while metadata was read. The library reads it without checks of its own, so damage shows as an
     * exception of any kind.
     */
    static DamagedArrowException damaged(RuntimeException e) {
        return e instanceof DamagedArrowException damaged
                ? damaged
                : new DamagedArrowException("metadata is damaged", e);
    }

    // ---------------------------------------------------------------- files

    private boolean startsWithMagic() throws IOException {
        return size >= MAGIC.length && Arrays.equals(bytes(0, MAGIC.length).array(), MAGIC);
    }

    private void readFile() throws IOException {
        long tail = size - TAIL_LENGTH;
        if (tail < 8 || !Arrays.equals(bytes(size - MAGIC.length, MAGIC.length).array(), MAGIC)) {
            throw new DamagedArrowException(
                    "file ends without a footer: bytes=%d; was it written completely".formatted(size));
        }
        int length = bytes(tail, 4).getInt();
        if (length <= 0 || length > tail) {
            throw new DamagedArrowException("footer is damaged: length=" + length);
        }
        Footer footer = Footer.getRootAsFooter(bytes(tail - length, length));
        readSchema(footer.schema(), footer.version());
        Map<Long, List<Piece>> inForce = new HashMap<>();
        for (int i = 0; i < footer.dictionariesLength(); i++) {
            put(inForce, dictionary(piece(footer.dictionaries(i).offset())));
        }
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            addBatch(piece(footer.recordBatches(i).offset()), inForce);
        }
    }

    /** A delta goes behind what is there, anything else replaces it. */
    private static void put(Map<Long, List<Piece>> inForce, Dictionary dictionary) {
        List<Piece> pieces = new ArrayList<>();
        if (dictionary.isDelta) {
            pieces.addAll(inForce.getOrDefault(dictionary.id, List.of()));
        }
        pieces.add(dictionary.piece);
        inForce.put(dictionary.id, pieces);
    }

    // ---------------------------------------------------------------- streams

    private void readStream() throws IOException {
        Map<Long, List<Piece>> inForce = new HashMap<>();
        long position = 0;
        while (true) {
            Piece piece = pieceOrEnd(position);
            if (piece == null) {
                return;
            }
            position = piece.bodyOffset + piece.bodyLength;
            byte kind = message(piece).headerType();
            if (kind == MessageHeader.Schema && columns.isEmpty()) {
                Message message = message(piece);
                readSchema((Schema) message.header(new Schema()), message.version());
            } else if (kind == MessageHeader.DictionaryBatch) {
                inForce = new HashMap<>(inForce);
                put(inForce, dictionary(piece));
            } else if (kind == MessageHeader.RecordBatch && !columns.isEmpty()) {
                addBatch(piece, inForce);
            } else {
                throw new DamagedArrowException(
                        "unexpected message: kind=%d byte=%d".formatted(kind, piece.metadataOffset));
            }
        }
    }

    // ---------------------------------------------------------------- messages

    private Piece pieceOrEnd(long offset) throws IOException {
        if (offset + 4 > size) {
            throw new DamagedArrowException("stream has no end: bytes=%d; was it written completely".formatted(size));
        }
        int length = bytes(offset, 4).getInt();
        long metadata = offset + 4;
        if (length == CONTINUATION) {
            length = bytes(metadata, 4).getInt();
            metadata += 4;
        }
        if (length == 0) {
            return null;
        }
        if (length < 0 || length > MAX_METADATA || length > size - metadata) {
            throw new DamagedArrowException(
                    "message is damaged or ends early: byte=%d length=%d".formatted(offset, length));
        }
        Message message = Message.getRootAsMessage(bytes(metadata, length));
        long body = metadata + length;
        if (message.bodyLength() < 0 || message.bodyLength() > size - body) {
            throw new DamagedArrowException(
                    "file ends early: bytes=%d needed=%d".formatted(size, body + message.bodyLength()));
        }
        checkVersion(message.version());
        return new Piece(metadata, length, body, message.bodyLength());
    }

    private Piece piece(long offset) throws IOException {
        if (offset < 0 || offset > size) {
            throw new DamagedArrowException("footer is damaged: offset=" + offset);
        }
        Piece piece = pieceOrEnd(offset);
        if (piece == null) {
            throw new DamagedArrowException("footer is damaged: offset=" + offset);
        }
        return piece;
    }

    /** The metadata of a message. */
    static Message message(FileChannel channel, Piece piece) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(piece.metadataLength).order(ByteOrder.LITTLE_ENDIAN);
        ArrowBytes.readFully(channel, piece.metadataOffset, bytes);
        return Message.getRootAsMessage(bytes.flip());
    }

    private Message message(Piece piece) throws IOException {
        return message(channel, piece);
    }

    private void addBatch(Piece piece, Map<Long, List<Piece>> dictionaries) throws IOException {
        Message message = message(piece);
        if (message.headerType() != MessageHeader.RecordBatch) {
            throw new DamagedArrowException("footer is damaged: kind=" + message.headerType());
        }
        RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
        if (batch.length() < 0 || batch.length() > 8 * size) {
            throw new DamagedArrowException("record batch is damaged: rows=" + batch.length());
        }
        batches.add(new Batch(piece, batch.length(), opCount(piece, batch), dictionaries));
    }

    /** Operations of a batch, as its metadata promises. */
    private long opCount(Piece piece, RecordBatch batch) {
        for (ArrowField column : columns) {
            if (column.name.equals(ArrowColumns.OPS) && !column.children.isEmpty()) {
                return new ArrowBatch(channel, piece, batch, columns).length(column.children.get(0));
            }
        }
        return UNKNOWN;
    }

    private Dictionary dictionary(Piece piece) throws IOException {
        Message message = message(piece);
        if (message.headerType() != MessageHeader.DictionaryBatch) {
            throw new DamagedArrowException("footer is damaged: kind=" + message.headerType());
        }
        DictionaryBatch batch = (DictionaryBatch) message.header(new DictionaryBatch());
        return new Dictionary(batch.id(), batch.isDelta(), piece);
    }

    private void readSchema(Schema schema, short version) {
        checkVersion(version);
        if (schema.endianness() != Endianness.Little) {
            throw new DamagedArrowException("numbers are big-endian; write the file little-endian");
        }
        for (int i = 0; i < schema.fieldsLength(); i++) {
            columns.add(ArrowField.parse(schema.fields(i)));
        }
        if (columns.isEmpty()) {
            throw new DamagedArrowException("schema has no columns");
        }
    }

    private static void checkVersion(short version) {
        if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
            throw new DamagedArrowException(
                    "unknown version of the format: version=%d expected=V4|V5".formatted(version));
        }
    }

    private ByteBuffer bytes(long offset, int count) throws IOException {
        if (offset < 0 || count > size - offset) {
            throw new DamagedArrowException("file ends early: bytes=%d needed=%d".formatted(size, offset + count));
        }
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        ArrowBytes.readFully(channel, offset, bytes);
        return bytes.flip();
    }

    /** A message and its body. */
    record Piece(long metadataOffset, int metadataLength, long bodyOffset, long bodyLength) {}

    /**
     * A record batch.
     *
     * @param dictionaries the messages whose values, one after another, are the dictionary of this id
     */
    record Batch(Piece piece, long rowCount, long opCount, Map<Long, List<Piece>> dictionaries) {}

    private record Dictionary(long id, boolean isDelta, Piece piece) {}
}
