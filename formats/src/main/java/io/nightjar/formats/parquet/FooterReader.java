package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
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
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/** Reads the footer of a file from any writer; throws {@link CorruptFileException} with a reason for users. */
final class FooterReader {

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL = Integer.BYTES + MAGIC.length;
    private static final int LARGEST_FOOTER = 1 << 30;
    private static final long ABSENT = -1;
    private static final long MAX_ROWS = 1L << 48;

    private FooterReader() {}

    static FileFooter read(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size == 0) {
            throw new CorruptFileException(
                    InputError.of("file is empty").with("bytes=0").advise("write the history again"));
        }
        byte[] head = read(channel, 0, (int) Math.min(size, MAGIC.length));
        if (Arrays.equals(head, ENCRYPTED_MAGIC)) {
            throw encrypted();
        }
        if (!Arrays.equals(head, MAGIC)) {
            throw new CorruptFileException(InputError.of("not a parquet file")
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
            throw new CorruptFileException(InputError.of("parquet footer has an impossible length")
                    .with("length=" + length + " bytes=" + size)
                    .advise(CorruptFileException.RESTORE));
        }
        long dataEnd = size - TAIL - length;
        byte[] bytes = read(channel, dataEnd, length);
        try {
            FileMetaData file = ThriftBytes.footer(bytes);
            if (file.isSetEncryption_algorithm()) {
                throw encrypted();
            }
            Map<String, String> metadata = keyValues(file.getKey_value_metadata());
            checkCrc(bytes, file, metadata.remove(FooterWriter.FOOTER_CRC));
            return footer(file, metadata, dataEnd);
        } catch (CorruptFileException e) {
            throw e.hasAdvice()
                    ? e
                    : new CorruptFileException(InputError.of("parquet footer is corrupt")
                            .with(e.fault().complaint()));
        }
    }

    private static CorruptFileException encrypted() {
        return new CorruptFileException(InputError.of("file is encrypted")
                .with("encryption=parquet-modular")
                .advise("decrypt it first"));
    }

    private static CorruptFileException truncated(long size) {
        return new CorruptFileException(
                InputError.of("file is truncated, it has no parquet footer").with("bytes=" + size));
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
                throw new CorruptFileException(InputError.of("file became shorter while it was read"));
            }
        }
        return into.array();
    }

    // ---------------------------------------------------------------- structures of the footer

    /** Returns the root of a schema, whose fields are listed depth first, each with the number of its children. */
    private static SchemaNode schema(List<SchemaElement> elements) {
        SchemaNode root = null;
        List<SchemaNode> open = new ArrayList<>();
        List<Integer> childrenLeft = new ArrayList<>();
        for (SchemaElement element : elements) {
            SchemaNode node = node(element, root == null);
            if (root == null) {
                root = node;
            } else if (open.isEmpty()) {
                throw new CorruptFileException(InputError.of("schema has fields outside its root"));
            } else {
                int last = open.size() - 1;
                open.get(last).children.add(node);
                childrenLeft.set(last, childrenLeft.get(last) - 1);
            }
            if (element.getNum_children() > 0) {
                open.add(node);
                childrenLeft.add(element.getNum_children());
            }
            if (open.size() > 64) {
                throw new CorruptFileException(InputError.of("schema is nested too deep"));
            }
            while (!open.isEmpty() && childrenLeft.get(open.size() - 1) == 0) {
                childrenLeft.remove(open.size() - 1);
                open.remove(open.size() - 1);
            }
        }
        if (root == null || !open.isEmpty()) {
            throw new CorruptFileException(InputError.of("schema is incomplete"));
        }
        return root;
    }

    private static SchemaNode node(SchemaElement element, boolean isRoot) {
        String name = element.getName();
        Repetition occurs =
                isRoot ? Repetition.REQUIRED : element.isSetRepetition_type() ? Repetition.of(element) : null;
        boolean isGroup = !element.isSetType();
        PhysicalType stored = isGroup ? null : PhysicalType.of(element.getType());
        int childCount = element.getNum_children();
        if (occurs == null || childCount < 0 || !isGroup && childCount > 0) {
            throw new CorruptFileException(
                    InputError.of("schema has an impossible field").with("field=" + name));
        }
        boolean isFixed = stored == PhysicalType.FIXED_LEN_BYTE_ARRAY;
        if (isFixed && (element.getType_length() <= 0 || element.getType_length() > 1 << 20)) {
            throw new CorruptFileException(
                    InputError.of("schema has a field of impossible length").with("field=" + name));
        }
        return new SchemaNode(
                name,
                occurs,
                stored,
                Annotation.of(element),
                isFixed ? element.getType_length() : 0,
                Annotation.scale(element));
    }

    private static ChunkInfo chunk(ColumnChunk chunk) {
        if (chunk.isSetFile_path()) {
            throw new CorruptFileException(InputError.of("column data is in another file")
                    .with("path=" + chunk.getFile_path())
                    .advise("merge the files first"));
        }
        if (chunk.isSetCrypto_metadata() || chunk.isSetEncrypted_column_metadata()) {
            throw encrypted();
        }
        ColumnMetaData column = chunk.getMeta_data();
        if (column == null) {
            throw new CorruptFileException(InputError.of("column chunk without metadata"));
        }
        long dataStart = column.getData_page_offset();
        long dictionaryStart = column.getDictionary_page_offset();
        // Some writers record 0 if the chunk has no dictionary.
        boolean hasDictionary = dictionaryStart > 0 && dictionaryStart < dataStart;
        boolean hasNullCount =
                column.isSetStatistics() && column.getStatistics().isSetNull_count();
        return new ChunkInfo(
                PhysicalType.of(column.getType()),
                column.getCodec(),
                hasDictionary ? dictionaryStart : dataStart,
                column.getNum_values(),
                hasNullCount ? column.getStatistics().getNull_count() : ABSENT,
                between0And(Long.MAX_VALUE / 2, column.getTotal_compressed_size()),
                between0And(Long.MAX_VALUE / 2, column.getTotal_uncompressed_size()),
                keyValues(column.getKey_value_metadata()).get(FooterWriter.HEADERS_CRC));
    }

    private static long between0And(long max, long size) {
        return Math.max(0, Math.min(size, max));
    }

    private static Map<String, String> keyValues(@Nullable List<KeyValue> pairs) {
        Map<String, String> values = new HashMap<>();
        if (pairs != null) {
            pairs.forEach(pair -> values.put(pair.getKey(), pair.isSetValue() ? pair.getValue() : ""));
        }
        return values;
    }

    // ---------------------------------------------------------------- consistency checks

    /**
     * Returns whether Nightjar wrote the file. Other programs copy its metadata into their files, for which its
     * checksums are not valid.
     */
    private static boolean isOurs(FileMetaData file) {
        return file.isSetCreated_by() && file.getCreated_by().startsWith(FooterWriter.PROGRAM);
    }

    private static void checkCrc(byte[] bytes, FileMetaData file, @Nullable String expected) {
        if (!isOurs(file)) {
            return;
        }
        if (expected == null) {
            throw new CorruptFileException(InputError.of("checksum is missing"));
        }
        int start = FooterWriter.crcStart(bytes, bytes.length);
        if (start < 0 || expected.length() != FooterWriter.NO_CRC.length()) {
            throw new CorruptFileException(InputError.of("checksum has a wrong length"));
        }
        if (!expected.equals(FooterWriter.crc(bytes, bytes.length, start))) {
            throw new CorruptFileException(InputError.of("checksum differs"));
        }
    }

    private static FileFooter footer(FileMetaData file, Map<String, String> metadata, long dataEnd) {
        SchemaNode root = schema(file.getSchema());
        List<SchemaNode> leaves = root.number();
        List<RowGroupInfo> groups = new ArrayList<>();
        long firstRow = 1;
        for (RowGroup group : file.getRow_groups()) {
            long rowCount = group.getNum_rows();
            if (rowCount < 0 || rowCount > MAX_ROWS || firstRow > MAX_ROWS) {
                throw new CorruptFileException(
                        InputError.of("impossible number of rows").with("rows=" + rowCount));
            }
            List<ChunkInfo> chunks = new ArrayList<>();
            for (ColumnChunk column : group.getColumns()) {
                ChunkInfo chunk = chunk(column);
                chunks.add(isOurs(file) ? chunk : chunk.withoutHeadersCrc());
            }
            if (chunks.size() != leaves.size()) {
                throw new CorruptFileException(InputError.of("row group has not the columns of the schema")
                        .with("columns=" + chunks.size() + " expected=" + leaves.size()));
            }
            for (SchemaNode leaf : leaves) {
                check(leaf, chunks.get(leaf.leaf), rowCount, dataEnd);
            }
            checkEntries(root, chunks, rowCount);
            if (rowCount > 0) {
                groups.add(new RowGroupInfo(firstRow, rowCount, chunks));
            }
            firstRow += rowCount;
        }
        if (file.getNum_rows() != firstRow - 1) {
            throw new CorruptFileException(InputError.of("row groups have not the rows of the file")
                    .with("rows=" + (firstRow - 1) + " expected=" + file.getNum_rows()));
        }
        return new FileFooter(root, leaves, groups, metadata, dataEnd);
    }

    /**
     * Checks that leaves without lists between them have the same number of entries. No file size bounds that number:
     * one number of a few bytes can encode any number of equal entries.
     *
     * @return the number of entries, which is {@code known} if that is not {@link #ABSENT}
     */
    private static long checkEntries(SchemaNode node, List<ChunkInfo> chunks, long known) {
        if (!node.isGroup()) {
            long entries = chunks.get(node.leaf).entryCount();
            if (known != ABSENT && entries != known) {
                throw new CorruptFileException(InputError.of("column has a wrong number of values")
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

    private static void check(SchemaNode leaf, ChunkInfo chunk, long rowCount, long dataEnd) {
        if (chunk.type() != leaf.type) {
            throw new CorruptFileException(
                    InputError.of("column chunk has not the type of the schema").with("column=" + leaf.path()));
        }
        if (chunk.entryCount() < rowCount) {
            throw new CorruptFileException(InputError.of("column has a wrong number of values")
                    .with("column=" + leaf.path() + " values=" + chunk.entryCount() + " rows=" + rowCount));
        }
        if (rowCount > 0 && (chunk.start() < MAGIC.length || chunk.start() >= dataEnd)) {
            throw new CorruptFileException(InputError.of("column begins outside the file")
                    .with("column=" + leaf.path() + " position=" + chunk.start()));
        }
    }
}
