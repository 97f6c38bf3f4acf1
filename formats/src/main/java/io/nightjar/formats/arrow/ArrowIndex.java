package io.nightjar.formats.arrow;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.text.CommonTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Locations of the schema, dictionaries and batches in one Arrow file or stream. */
final class ArrowIndex {

    /*
     * Layout.
     *
     *   file:    ARROW1 00 00 | stream | footer | footer's length i32 | ARROW1
     *   stream:  message of the schema, messages of dictionaries and record batches in any order, end
     *   message: ff ff ff ff | length of the metadata i32 | metadata | body        (the first four bytes: since 0.15)
     *   end:     ff ff ff ff | 0 i32
     *
     * Algorithm. The messages of a file are located by its footer; in a stream the reader skips from message to
     * message.
     */

    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    static final int CONTINUATION = -1;

    private static final long UNKNOWN = -1;
    private static final int TAIL_LENGTH = 4 + 6;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_CHILDREN = 1 << 12;
    private static final int MAX_METADATA = 1 << 28;
    private static final int FIRST_MESSAGE = 8; // offset of the first message of a file

    /** Minimum length of a message. Shorter gaps between messages are alignment or the end mark. */
    private static final int SHORTEST_MESSAGE = 72;

    final List<Field> columns = new ArrayList<>();
    final List<Batch> batches = new ArrayList<>();

    boolean areKeysJson;
    boolean areValuesJson;

    @Nullable
    String doubt; // reason why no level can hold; null if none

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
     * Converts a failure while metadata was read. The library reads without checks, so corrupt data causes an exception
     * of any kind.
     */
    static CorruptArrowException damaged(RuntimeException e) {
        return e instanceof CorruptArrowException damaged
                ? damaged
                : new CorruptArrowException(InputError.of("metadata is damaged"), e);
    }

    // ---------------------------------------------------------------- files

    private boolean startsWithMagic() throws IOException {
        return size >= MAGIC.length && Arrays.equals(bytes(0, MAGIC.length).array(), MAGIC);
    }

    private void readFile() throws IOException {
        long tail = size - TAIL_LENGTH;
        if (tail < 8 || !Arrays.equals(bytes(size - MAGIC.length, MAGIC.length).array(), MAGIC)) {
            throw new CorruptArrowException(InputError.of("file ends without a footer")
                    .with("bytes=%d", size)
                    .advise("was it written completely"));
        }
        int length = bytes(tail, 4).getInt();
        if (length <= 0 || length > tail) {
            throw new CorruptArrowException(InputError.of("footer is damaged").with("length=" + length));
        }
        Footer footer = Footer.getRootAsFooter(bytes(tail - length, length));
        readSchema(footer.schema(), footer.version());
        for (int i = 0; i < footer.customMetadataLength(); i++) {
            KeyValue member = footer.customMetadata(i);
            doubt = ArrowMetadata.DOUBT_KEY.equals(member.key()) ? member.value() : doubt;
        }
        Map<Long, List<Piece>> inForce = new HashMap<>();
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < footer.dictionariesLength(); i++) {
            Piece piece = piece(footer.dictionaries(i).offset());
            pieces.add(piece);
            put(inForce, dictionary(piece));
        }
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            Piece piece = piece(footer.recordBatches(i).offset());
            pieces.add(piece);
            addBatch(piece, inForce);
        }
        checkNothingIsLeftOut(pieces, tail - length);
    }

    /** Rejects a footer that names fewer messages than the file contains: rows would be lost. */
    private void checkNothingIsLeftOut(List<Piece> pieces, long footerOffset) throws IOException {
        List<Piece> ordered = new ArrayList<>(pieces);
        ordered.sort(Comparator.comparingLong(Piece::metadataOffset));
        long end = FIRST_MESSAGE;
        Piece schema = pieceOrEnd(end);
        if (schema != null && message(schema).headerType() == MessageHeader.Schema) {
            end = schema.end();
        }
        for (Piece piece : ordered) {
            checkGap(end, piece.metadataOffset());
            end = piece.end();
        }
        checkGap(end, footerOffset);
    }

    private static void checkGap(long from, long to) {
        if (to < from || to - from >= SHORTEST_MESSAGE) {
            throw new CorruptArrowException(InputError.of("footer omits data of the file")
                    .with("from-byte=%d to-byte=%d", from, to)
                    .advise("write the file again or restore it from its source"));
        }
    }

    /** Appends a delta to the dictionary in force; any other batch replaces it. */
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
            position = piece.end();
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
                throw new CorruptArrowException(
                        InputError.of("unexpected message").with("kind=%d byte=%d", kind, piece.metadataOffset));
            }
        }
    }

    // ---------------------------------------------------------------- messages

    private @Nullable Piece pieceOrEnd(long offset) throws IOException {
        if (offset + 4 > size) {
            throw new CorruptArrowException(
                    InputError.of("stream has no end").with("bytes=%d", size).advise("was it written completely"));
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
            throw new CorruptArrowException(
                    InputError.of("message is damaged or ends early").with("byte=%d length=%d", offset, length));
        }
        Message message = Message.getRootAsMessage(bytes(metadata, length));
        long body = metadata + length;
        if (message.bodyLength() < 0 || message.bodyLength() > size - body) {
            throw new CorruptArrowException(
                    InputError.of("file ends early").with("bytes=%d needed=%d", size, body + message.bodyLength()));
        }
        checkVersion(message.version());
        return new Piece(metadata, length, body, message.bodyLength());
    }

    private Piece piece(long offset) throws IOException {
        if (offset < 0 || offset > size) {
            throw new CorruptArrowException(InputError.of("footer is damaged").with("offset=" + offset));
        }
        Piece piece = pieceOrEnd(offset);
        if (piece == null) {
            throw new CorruptArrowException(InputError.of("footer is damaged").with("offset=" + offset));
        }
        return piece;
    }

    /** Reads the metadata of a message. */
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
            throw new CorruptArrowException(InputError.of("footer is damaged").with("kind=" + message.headerType()));
        }
        RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
        ArrowBatch columnsOfBatch = new ArrowBatch(channel, piece, batch, columns);
        columnsOfBatch.checkRows(columns, batch.length());
        batches.add(new Batch(piece, batch.length(), opCount(columnsOfBatch), dictionaries));
    }

    /** Returns the number of operations of a batch; compares it with the length of each field of operations. */
    private long opCount(ArrowBatch batch) {
        for (Field column : columns) {
            if (column.getName().equals(HistoryColumn.OPS.columnName()) && ArrowColumns.isList(column)) {
                Field op = column.getChildren().get(0);
                batch.checkRows(op.getChildren(), batch.length(op));
                return batch.length(op);
            }
        }
        return UNKNOWN;
    }

    private Dictionary dictionary(Piece piece) throws IOException {
        Message message = message(piece);
        if (message.headerType() != MessageHeader.DictionaryBatch) {
            throw new CorruptArrowException(InputError.of("footer is damaged").with("kind=" + message.headerType()));
        }
        DictionaryBatch batch = (DictionaryBatch) message.header(new DictionaryBatch());
        return new Dictionary(batch.id(), batch.isDelta(), piece);
    }

    private void readSchema(Schema schema, short version) {
        checkVersion(version);
        if (schema.endianness() != Endianness.Little) {
            throw new CorruptArrowException(
                    InputError.of("numbers are big-endian").advise("write the file little-endian"));
        }
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            KeyValue member = schema.customMetadata(i);
            boolean isJson = CommonTypes.JSON.equals(member.value());
            areKeysJson |= isJson && CommonTypes.KEY_TYPE.equals(member.key());
            areValuesJson |= isJson && CommonTypes.VALUE_TYPE.equals(member.key());
        }
        for (int i = 0; i < schema.fieldsLength(); i++) {
            checkDepth(schema.fields(i), 0);
            columns.add(Field.convertField(schema.fields(i)));
        }
        if (columns.isEmpty()) {
            throw new CorruptArrowException(InputError.of("schema has no columns"));
        }
    }

    private static void checkDepth(org.apache.arrow.flatbuf.Field field, int depth) {
        if (depth > MAX_DEPTH || field.childrenLength() > MAX_CHILDREN) {
            throw new CorruptArrowException(InputError.of("schema is nested too deeply or too wide"));
        }
        for (int i = 0; i < field.childrenLength(); i++) {
            checkDepth(field.children(i), depth + 1);
        }
    }

    private static void checkVersion(short version) {
        if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
            throw new CorruptArrowException(
                    InputError.of("unknown version of the format").with("version=%d expected=V4|V5", version));
        }
    }

    private ByteBuffer bytes(long offset, int count) throws IOException {
        if (offset < 0 || count > size - offset) {
            throw new CorruptArrowException(
                    InputError.of("file ends early").with("bytes=%d needed=%d", size, offset + count));
        }
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        ArrowBytes.readFully(channel, offset, bytes);
        return bytes.flip();
    }

    /** A message and its body. */
    record Piece(long metadataOffset, int metadataLength, long bodyOffset, long bodyLength) {

        /** Returns the offset after the body. */
        long end() {
            return bodyOffset + bodyLength;
        }
    }

    /**
     * A record batch.
     *
     * @param dictionaries the messages whose values, one after another, are the dictionary of this id
     */
    record Batch(Piece piece, long rowCount, long opCount, Map<Long, List<Piece>> dictionaries) {}

    private record Dictionary(long id, boolean isDelta, Piece piece) {}
}
