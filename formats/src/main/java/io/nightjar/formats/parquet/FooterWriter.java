package io.nightjar.formats.parquet;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** Lays out the footer: schema, row groups and metadata, guarded by a checksum of its own. */
final class FooterWriter {

    /** How {@code created_by} begins in files of ours; only in these do our checksums count. */
    static final String PROGRAM = "nightjar";

    static final String CREATED_BY = PROGRAM + " version 0.1.0";

    /** Key of the footer's checksum; its value is computed over the footer with {@link #NO_CRC} in its place. */
    static final String FOOTER_CRC = "nightjar.footer_crc32";

    /** Key of the checksum of a chunk's page headers; pages have theirs in their headers. */
    static final String HEADERS_CRC = "nightjar.headers_crc32";

    static final String NO_CRC = "00000000";

    private static final int CODEC_ZSTD = 6;
    private static final int CONVERTED_UTF8 = 0;
    private static final int CONVERTED_LIST = 3;
    private static final int CONVERTED_TIMESTAMP_MICROS = 10;
    private static final int LOGICAL_STRING = 1;
    private static final int LOGICAL_LIST = 3;
    private static final int LOGICAL_TIMESTAMP = 8;

    private final ThriftWriter out = new ThriftWriter();

    /** The footer's bytes, without its length and the magic number. */
    byte[] write(SchemaNode root, List<WrittenRowGroup> rowGroups, Map<String, String> metadata) {
        long rowCount = 0;
        for (WrittenRowGroup group : rowGroups) {
            rowCount += group.rowCount();
        }
        out.clear();
        out.beginStruct();
        out.i32(1, 1);
        out.list(2, ThriftType.STRUCT, count(root));
        schema(root, true);
        out.i64(3, rowCount);
        out.list(4, ThriftType.STRUCT, rowGroups.size());
        for (WrittenRowGroup group : rowGroups) {
            rowGroup(group);
        }
        out.list(5, ThriftType.STRUCT, metadata.size() + 1);
        metadata.forEach(this::keyValue);
        keyValue(FOOTER_CRC, NO_CRC);
        int crcEnd = out.size() - 1; // the structure's end mark follows
        out.string(6, CREATED_BY);
        columnOrders(leafCount(root));
        out.endStruct();
        return guarded(crcEnd);
    }

    private byte[] guarded(int crcEnd) {
        CRC32 crc = new CRC32();
        crc.update(out.bytes(), 0, out.size());
        byte[] footer = new byte[out.size()];
        System.arraycopy(out.bytes(), 0, footer, 0, footer.length);
        byte[] hex = hex((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(hex, 0, footer, crcEnd - hex.length, hex.length);
        return footer;
    }

    /** Eight digits. */
    static String hex(int crc) {
        String digits = Integer.toHexString(crc);
        return NO_CRC.substring(digits.length()) + digits;
    }

    private static int count(SchemaNode node) {
        int count = 1;
        for (SchemaNode child : node.children) {
            count += count(child);
        }
        return count;
    }

    private static int leafCount(SchemaNode node) {
        int count = node.isGroup() ? 0 : 1;
        for (SchemaNode child : node.children) {
            count += leafCount(child);
        }
        return count;
    }

    private void schema(SchemaNode node, boolean isRoot) {
        out.beginStruct();
        if (!node.isGroup()) {
            out.i32(1, node.type.ordinal());
        }
        if (!isRoot) {
            out.i32(3, node.repetition.ordinal());
        }
        out.string(4, node.name);
        if (node.isGroup()) {
            out.i32(5, node.children.size());
        }
        annotation(node.annotation);
        out.endStruct();
        for (SchemaNode child : node.children) {
            schema(child, false);
        }
    }

    private void annotation(Annotation annotation) {
        switch (annotation) {
            case STRING -> plainAnnotation(CONVERTED_UTF8, LOGICAL_STRING);
            case LIST -> plainAnnotation(CONVERTED_LIST, LOGICAL_LIST);
            case TIMESTAMP_MICROS_UTC -> {
                out.i32(6, CONVERTED_TIMESTAMP_MICROS);
                out.beginStruct(10);
                out.beginStruct(LOGICAL_TIMESTAMP);
                out.bool(1, true);
                out.beginStruct(2);
                out.emptyStruct(2);
                out.endStruct();
                out.endStruct();
                out.endStruct();
            }
            default -> {
                // the physical type says it all
            }
        }
    }

    private void plainAnnotation(int converted, int logical) {
        out.i32(6, converted);
        out.beginStruct(10);
        out.emptyStruct(logical);
        out.endStruct();
    }

    private void rowGroup(WrittenRowGroup group) {
        long uncompressed = 0;
        long compressed = 0;
        for (WrittenChunk chunk : group.chunks()) {
            uncompressed += chunk.sizes().uncompressed();
            compressed += chunk.sizes().compressed();
        }
        out.beginStruct();
        out.list(1, ThriftType.STRUCT, group.chunks().size());
        for (WrittenChunk chunk : group.chunks()) {
            chunk(chunk);
        }
        out.i64(2, uncompressed);
        out.i64(3, group.rowCount());
        out.i64(5, group.chunks().get(0).start());
        out.i64(6, compressed);
        out.endStruct();
    }

    private void chunk(WrittenChunk chunk) {
        out.beginStruct();
        out.i64(2, chunk.start());
        out.beginStruct(3);
        out.i32(1, chunk.leaf().type.ordinal());
        encodings(chunk);
        out.list(3, ThriftType.BINARY, chunk.leaf().names().size());
        for (String name : chunk.leaf().names()) {
            out.element(name);
        }
        out.i32(4, CODEC_ZSTD);
        out.i64(5, chunk.entryCount());
        out.i64(6, chunk.sizes().uncompressed());
        out.i64(7, chunk.sizes().compressed());
        out.list(8, ThriftType.STRUCT, 1);
        keyValue(HEADERS_CRC, hex(chunk.headersCrc()));
        out.i64(9, chunk.start() + chunk.sizes().dictionary());
        if (chunk.sizes().dictionary() > 0) {
            out.i64(11, chunk.start());
        }
        statistics(chunk);
        out.endStruct();
        out.endStruct();
    }

    private void encodings(WrittenChunk chunk) {
        out.list(2, ThriftType.I32, 1 + (chunk.sizes().dictionary() > 0 ? 1 : 0) + (chunk.isPlainUsed() ? 1 : 0));
        out.element(Encoding.RLE);
        if (chunk.sizes().dictionary() > 0) {
            out.element(Encoding.PLAIN_DICTIONARY);
        }
        if (chunk.isPlainUsed()) {
            out.element(Encoding.PLAIN);
        }
    }

    private void statistics(WrittenChunk chunk) {
        out.beginStruct(12);
        out.i64(3, chunk.nullCount());
        WrittenChunk.Range range = chunk.range();
        if (range != null) {
            out.binary(5, plain(chunk.leaf(), range.max()));
            out.binary(6, plain(chunk.leaf(), range.min()));
        }
        out.endStruct();
    }

    private static byte[] plain(SchemaNode leaf, long value) {
        byte[] bytes = new byte[leaf.type == PhysicalType.INT32 ? Integer.BYTES : Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value >>> (8 * i));
        }
        return bytes;
    }

    private void keyValue(String key, String value) {
        out.beginStruct();
        out.string(1, key);
        out.string(2, value);
        out.endStruct();
    }

    /** Says that minima and maxima are in the order of their types. */
    private void columnOrders(int leafCount) {
        out.list(7, ThriftType.STRUCT, leafCount);
        for (int leaf = 0; leaf < leafCount; leaf++) {
            out.beginStruct();
            out.emptyStruct(1);
            out.endStruct();
        }
    }
}
