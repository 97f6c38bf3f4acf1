package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputFault;
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
import java.util.zip.CRC32;

/** Reads the footer of a file, of whichever writer; throws {@link CorruptFileException} with a reason for users. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
final class FooterReader {

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL = Integer.BYTES + MAGIC.length;
    private static final int LARGEST_FOOTER = 1 << 30;
    private static final long ABSENT = -1;
    private static final long MOST_ROWS = 1L << 48;

    private byte[] bytes;
    private ThriftReader in;

    private SchemaNode root;
    private final List<RawGroup> rawGroups = new ArrayList<>();
    private final Map<String, String> metadata = new HashMap<>();
    private long fileRowCount = ABSENT;
    private String createdBy = "";
    private int crcEnd;

    private record RawGroup(long rowCount, List<ChunkInfo> chunks) {}

    private FooterReader() {}

    static FileFooter read(FileChannel channel) throws IOException {
        return new FooterReader().readFrom(channel);
    }

    private FileFooter readFrom(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size == 0) {
            throw new CorruptFileException(
                    InputFault.of("file is empty").with("bytes=0").advise("write the history again"));
        }
        byte[] head = read(channel, 0, (int) Math.min(size, MAGIC.length));
        if (Arrays.equals(head, ENCRYPTED_MAGIC)) {
            throw encrypted();
        }
        if (!Arrays.equals(head, MAGIC)) {
            throw new CorruptFileException(InputFault.of("not a parquet file")
                    .with("first-bytes=" + hex(head) + " expected=50415231")
                    .advise("give the right --from or a parquet file"));
        }
        if (size < MAGIC.length + TAIL) {
            throw truncated(size);
        }
        byte[] tail = read(channel, size - TAIL, TAIL);
        byte[] endMark = Arrays.copyOfRange(tail, Integer.BYTES, TAIL);
        if (Arrays.equals(endMark, ENCRYPTED_MAGIC)) {
            throw encrypted();
        }
        if (!Arrays.equals(endMark, MAGIC)) {
            throw truncated(size);
        }
        int length = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (length <= 0 || length > size - MAGIC.length - TAIL || length > LARGEST_FOOTER) {
            throw new CorruptFileException(InputFault.of("parquet footer has an impossible length")
                    .with("length=" + length + " bytes=" + size)
                    .advise(CorruptFileException.RESTORE));
        }
        long dataEnd = size - TAIL - length;
        bytes = read(channel, dataEnd, length);
        in = new ThriftReader(bytes, 0, length);
        try {
            fileMetaData();
            checkCrc();
            return footer(dataEnd);
        } catch (CorruptFileException e) {
            throw e.hasAdvice()
                    ? e
                    : new CorruptFileException(InputFault.of("parquet footer is corrupt")
                            .with(e.fault().complaint()));
        }
    }

    private static CorruptFileException encrypted() {
        return new CorruptFileException(InputFault.of("file is encrypted")
                .with("encryption=parquet-modular")
                .advise("decrypt it first"));
    }

    private static CorruptFileException truncated(long size) {
        return new CorruptFileException(
                InputFault.of("file is truncated, it has no parquet footer").with("bytes=" + size));
    }

    private static String hex(byte[] of) {
        StringBuilder digits = new StringBuilder();
        for (byte b : of) {
            digits.append(Character.forDigit((b >> 4) & 0xF, 16)).append(Character.forDigit(b & 0xF, 16));
        }
        return digits.toString();
    }

    private static byte[] read(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (channel.read(into, position + into.position()) < 0) {
                throw new CorruptFileException(InputFault.of("file became shorter while it was read"));
            }
        }
        return into.array();
    }

    // ---------------------------------------------------------------- structures of the footer

    private void fileMetaData() {
        in.beginStruct();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 2 -> schema();
                case 3 -> fileRowCount = in.i64();
                case 4 -> rowGroups();
                case 5 -> keyValues(metadata);
                case 6 -> createdBy = in.string();
                case 8 -> throw encrypted();
                default -> in.skip();
            }
        }
        if (in.position() != bytes.length) {
            throw new CorruptFileException(InputFault.of("bytes are left over"));
        }
    }

    private void schema() {
        int left = in.list(ThriftType.STRUCT);
        // Fields come depth first, each with the number of its children.
        List<SchemaNode> open = new ArrayList<>();
        List<Integer> childrenLeft = new ArrayList<>();
        while (left-- > 0) {
            SchemaElement element = schemaElement();
            SchemaNode node = element.node(root == null);
            if (root == null) {
                root = node;
            } else if (open.isEmpty()) {
                throw new CorruptFileException(InputFault.of("schema has fields outside its root"));
            } else {
                int last = open.size() - 1;
                open.get(last).children.add(node);
                childrenLeft.set(last, childrenLeft.get(last) - 1);
            }
            if (element.childCount > 0) {
                open.add(node);
                childrenLeft.add(element.childCount);
            }
            if (open.size() > 64) {
                throw new CorruptFileException(InputFault.of("schema is nested too deep"));
            }
            while (!open.isEmpty() && childrenLeft.get(open.size() - 1) == 0) {
                childrenLeft.remove(open.size() - 1);
                open.remove(open.size() - 1);
            }
        }
        if (root == null || !open.isEmpty()) {
            throw new CorruptFileException(InputFault.of("schema is incomplete"));
        }
    }

    private SchemaElement schemaElement() {
        SchemaElement element = new SchemaElement();
        in.beginStruct();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 -> element.type = in.i32();
                case 2 -> element.typeLength = in.i32();
                case 3 -> element.repetition = in.i32();
                case 4 -> element.name = in.string();
                case 5 -> element.childCount = in.i32();
                case 6 -> element.converted(in.i32());
                case 7 -> element.scale = in.i32();
                case 10 -> logicalType(element);
                default -> in.skip();
            }
        }
        return element;
    }

    private void logicalType(SchemaElement element) {
        in.beginStructField();
        for (int choice = in.nextField(); choice != ThriftReader.NO_FIELD; choice = in.nextField()) {
            if (choice == SchemaElement.LOGICAL_TIMESTAMP) {
                element.logical(choice);
                timestampUnit(element);
                continue;
            }
            if (choice != SchemaElement.LOGICAL_INTEGER) {
                element.logical(choice);
                in.skip();
                continue;
            }
            boolean isSigned = true;
            in.beginStructField();
            for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
                if (field == 2) {
                    isSigned = in.bool();
                } else {
                    in.skip();
                }
            }
            element.annotation = isSigned ? Annotation.SIGNED : Annotation.UNSIGNED;
        }
    }

    /** Milliseconds, microseconds or nanoseconds, which a union counts from 1. */
    private void timestampUnit(SchemaElement element) {
        in.beginStructField();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            if (field != 2) {
                in.skip();
                continue;
            }
            in.beginStructField();
            for (int unit = in.nextField(); unit != ThriftReader.NO_FIELD; unit = in.nextField()) {
                element.scale = unit <= 3 ? 3 * unit : 0;
                in.skip();
            }
        }
    }

    private void rowGroups() {
        int count = in.list(ThriftType.STRUCT);
        for (int i = 0; i < count; i++) {
            long rowCount = ABSENT;
            List<ChunkInfo> chunks = new ArrayList<>();
            in.beginStruct();
            for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
                switch (field) {
                    case 1 -> {
                        int chunkCount = in.list(ThriftType.STRUCT);
                        for (int chunk = 0; chunk < chunkCount; chunk++) {
                            chunks.add(chunk());
                        }
                    }
                    case 3 -> rowCount = in.i64();
                    default -> in.skip();
                }
            }
            rawGroups.add(new RawGroup(rowCount, chunks));
        }
    }

    private ChunkInfo chunk() {
        ChunkInfo chunk = null;
        in.beginStruct();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 ->
                    throw new CorruptFileException(InputFault.of("column data stands in another file")
                            .with("path=" + in.string())
                            .advise("merge the files first"));
                case 3 -> chunk = columnMetaData();
                case 8, 9 -> throw encrypted();
                default -> in.skip();
            }
        }
        if (chunk == null) {
            throw new CorruptFileException(InputFault.of("column chunk without metadata"));
        }
        return chunk;
    }

    private ChunkInfo columnMetaData() {
        PhysicalType type = null;
        int codec = -1;
        long entryCount = ABSENT;
        long nullCount = ABSENT;
        long compressedSize = 0;
        long uncompressedSize = 0;
        long dataStart = ABSENT;
        long dictionaryStart = ABSENT;
        Map<String, String> keyValues = Map.of();
        in.beginStructField();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 -> type = PhysicalType.of(in.i32());
                case 4 -> codec = in.i32();
                case 5 -> entryCount = in.i64();
                case 6 -> uncompressedSize = in.i64();
                case 7 -> compressedSize = in.i64();
                case 8 -> {
                    keyValues = new HashMap<>();
                    keyValues(keyValues);
                }
                case 9 -> dataStart = in.i64();
                case 11 -> dictionaryStart = in.i64();
                case 12 -> nullCount = nullCount();
                default -> in.skip();
            }
        }
        // Some writers give 0 where there is no dictionary.
        boolean hasDictionary = dictionaryStart > 0 && dictionaryStart < dataStart;
        return new ChunkInfo(
                type,
                codec,
                hasDictionary ? dictionaryStart : dataStart,
                entryCount,
                nullCount,
                between0And(Long.MAX_VALUE / 2, compressedSize),
                between0And(Long.MAX_VALUE / 2, uncompressedSize),
                keyValues.get(FooterWriter.HEADERS_CRC));
    }

    private static long between0And(long most, long size) {
        return Math.max(0, Math.min(size, most));
    }

    private long nullCount() {
        long nullCount = ABSENT;
        in.beginStructField();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            if (field == 3) {
                nullCount = in.i64();
            } else {
                in.skip();
            }
        }
        return nullCount;
    }

    private void keyValues(Map<String, String> into) {
        int count = in.list(ThriftType.STRUCT);
        for (int i = 0; i < count; i++) {
            String key = "";
            String value = "";
            in.beginStruct();
            for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
                switch (field) {
                    case 1 -> key = in.string();
                    case 2 -> {
                        value = in.string();
                        if (key.equals(FooterWriter.FOOTER_CRC)) {
                            crcEnd = in.position();
                        }
                    }
                    default -> in.skip();
                }
            }
            into.put(key, value);
        }
    }

    // ---------------------------------------------------------------- what they must agree on

    /** Other programs copy our metadata into files that they write, where our checksums mean nothing. */
    private boolean isOurs() {
        return createdBy.startsWith(FooterWriter.PROGRAM);
    }

    private void checkCrc() {
        String expected = metadata.remove(FooterWriter.FOOTER_CRC);
        if (!isOurs()) {
            return;
        }
        if (expected == null) {
            throw new CorruptFileException(InputFault.of("checksum is missing"));
        }
        byte[] none = FooterWriter.NO_CRC.getBytes(StandardCharsets.US_ASCII);
        if (expected.length() != none.length) {
            throw new CorruptFileException(InputFault.of("checksum has a wrong length"));
        }
        System.arraycopy(none, 0, bytes, crcEnd - none.length, none.length);
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length);
        if (!expected.equals(FooterWriter.hex((int) crc.getValue()))) {
            throw new CorruptFileException(InputFault.of("checksum differs"));
        }
    }

    private FileFooter footer(long dataEnd) {
        if (root == null) {
            throw new CorruptFileException(InputFault.of("schema is missing"));
        }
        List<SchemaNode> leaves = root.number();
        List<RowGroupInfo> groups = new ArrayList<>();
        long firstRow = 1;
        for (RawGroup group : rawGroups) {
            if (group.rowCount < 0 || group.rowCount > MOST_ROWS || firstRow > MOST_ROWS) {
                throw new CorruptFileException(
                        InputFault.of("impossible number of rows").with("rows=" + group.rowCount));
            }
            if (group.chunks.size() != leaves.size()) {
                throw new CorruptFileException(InputFault.of("row group has not the columns of the schema")
                        .with("columns=" + group.chunks.size() + " expected=" + leaves.size()));
            }
            for (SchemaNode leaf : leaves) {
                check(leaf, group.chunks.get(leaf.leaf), group.rowCount, dataEnd);
            }
            checkEntries(root, group.chunks, group.rowCount);
            if (group.rowCount > 0) {
                groups.add(new RowGroupInfo(firstRow, group.rowCount, isOurs() ? group.chunks : unguarded(group)));
            }
            firstRow += group.rowCount;
        }
        if (fileRowCount != firstRow - 1) {
            throw new CorruptFileException(InputFault.of("row groups have not the rows of the file")
                    .with("rows=" + (firstRow - 1) + " expected=" + fileRowCount));
        }
        return new FileFooter(root, leaves, groups, metadata, dataEnd);
    }

    /**
     * Leaves that no list parts have as many entries as each other, and no size of a file could tell how many: one
     * number of a few bytes can stand for any number of equal entries.
     *
     * @return the number of entries, which is {@code known} if that is not {@link #ABSENT}
     */
    private static long checkEntries(SchemaNode node, List<ChunkInfo> chunks, long known) {
        if (!node.isGroup()) {
            long entries = chunks.get(node.leaf).entryCount();
            if (known != ABSENT && entries != known) {
                throw new CorruptFileException(InputFault.of("column has a wrong number of values")
                        .with("column=" + node.path() + " values=" + entries + " expected=" + known));
            }
            return entries;
        }
        long common = known;
        for (SchemaNode child : node.children) {
            if (child.repetition == Repetition.REPEATED) {
                checkEntries(child, chunks, ABSENT);
            } else {
                common = checkEntries(child, chunks, common);
            }
        }
        return common;
    }

    private static List<ChunkInfo> unguarded(RawGroup group) {
        List<ChunkInfo> chunks = new ArrayList<>();
        for (ChunkInfo chunk : group.chunks) {
            chunks.add(chunk.withoutHeadersCrc());
        }
        return chunks;
    }

    private static void check(SchemaNode leaf, ChunkInfo chunk, long rowCount, long dataEnd) {
        if (chunk.type() != leaf.type) {
            throw new CorruptFileException(
                    InputFault.of("column chunk has not the type of the schema").with("column=" + leaf.path()));
        }
        if (chunk.entryCount() < rowCount) {
            throw new CorruptFileException(InputFault.of("column has a wrong number of values")
                    .with("column=" + leaf.path() + " values=" + chunk.entryCount() + " rows=" + rowCount));
        }
        if (rowCount > 0 && (chunk.start() < MAGIC.length || chunk.start() >= dataEnd)) {
            throw new CorruptFileException(InputFault.of("column begins outside the file")
                    .with("column=" + leaf.path() + " position=" + chunk.start()));
        }
    }
}
