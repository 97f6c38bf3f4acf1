package io.nightjar.formats.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;

/** Encodes the footer: schema, row groups and metadata, protected by a separate checksum. */
final class FooterWriter {

    /** Prefix of {@code created_by} in files of Nightjar; only in these are the checksums valid. */
    static final String PROGRAM = "nightjar";

    static final String CREATED_BY = PROGRAM + " version 0.1.0";

    /** Key of the footer's checksum; its value is computed over the footer with {@link #NO_CRC} instead of it. */
    static final String FOOTER_CRC = "nightjar.footer_crc32";

    /** Key of the checksum of a chunk's page headers; pages have separate checksums in their headers. */
    static final String HEADERS_CRC = "nightjar.headers_crc32";

    static final String NO_CRC = "00000000";

    private FooterWriter() {}

    /** Returns the footer's bytes, without its length and the magic number. */
    static byte[] write(SchemaNode root, List<RowGroup> rowGroups, Map<String, String> metadata) {
        List<SchemaElement> schema = new ArrayList<>();
        addElements(root, true, schema);
        List<KeyValue> keyValues = new ArrayList<>();
        metadata.forEach((key, value) -> keyValues.add(keyValue(key, value)));
        keyValues.add(keyValue(FOOTER_CRC, NO_CRC));
        FileMetaData file = new FileMetaData(
                1, schema, rowGroups.stream().mapToLong(RowGroup::getNum_rows).sum(), rowGroups);
        file.setKey_value_metadata(keyValues);
        file.setCreated_by(CREATED_BY);
        ColumnOrder order = ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()); // order of minima and maxima
        file.setColumn_orders(Collections.nCopies(root.number().size(), order));

        LittleEndianBytes out = new LittleEndianBytes(1024);
        ThriftBytes.write(file, out);
        byte[] footer = Arrays.copyOf(out.bytes(), out.size());
        int start = crcStart(footer, footer.length);
        byte[] crc = crc(footer, footer.length, start).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(crc, 0, footer, start, crc.length);
        return footer;
    }

    /** Returns the offset of the checksum text, after the last occurrence of its key; -1 if the key is missing. */
    static int crcStart(byte[] footer, int length) {
        byte[] key = FOOTER_CRC.getBytes(StandardCharsets.US_ASCII);
        for (int at = length - key.length; at >= 0; at--) {
            if (Arrays.equals(footer, at, at + key.length, key, 0, key.length)) {
                int start = at + key.length + 2; // a field header and a length are between key and value
                return start + NO_CRC.length() <= length ? start : -1;
            }
        }
        return -1;
    }

    /** Returns the checksum of a footer in which {@link #NO_CRC} replaces the checksum text. */
    static String crc(byte[] footer, int length, int crcStart) {
        CRC32 crc = new CRC32();
        crc.update(footer, 0, crcStart);
        crc.update(NO_CRC.getBytes(StandardCharsets.US_ASCII));
        crc.update(footer, crcStart + NO_CRC.length(), length - crcStart - NO_CRC.length());
        return hex((int) crc.getValue());
    }

    /** Returns a checksum as eight digits. */
    static String hex(int crc) {
        String digits = Integer.toHexString(crc);
        return NO_CRC.substring(digits.length()) + digits;
    }

    private static void addElements(SchemaNode node, boolean isRoot, List<SchemaElement> to) {
        SchemaElement element = new SchemaElement(node.name);
        if (node.isGroup()) {
            element.setNum_children(node.children.size());
        } else {
            element.setType(Type.findByValue(node.leafType().ordinal()));
        }
        if (!isRoot) {
            element.setRepetition_type(FieldRepetitionType.findByValue(node.repetition.ordinal()));
        }
        node.annotation.writeTo(element);
        to.add(element);
        node.children.forEach(child -> addElements(child, false, to));
    }

    static RowGroup rowGroup(long rowCount, List<ColumnChunk> chunks) {
        long uncompressed = 0;
        long compressed = 0;
        for (ColumnChunk chunk : chunks) {
            uncompressed += chunk.getMeta_data().getTotal_uncompressed_size();
            compressed += chunk.getMeta_data().getTotal_compressed_size();
        }
        RowGroup group = new RowGroup(chunks, uncompressed, rowCount);
        group.setFile_offset(chunks.get(0).getFile_offset());
        group.setTotal_compressed_size(compressed);
        return group;
    }

    static KeyValue keyValue(String key, String value) {
        KeyValue pair = new KeyValue(key);
        pair.setValue(value);
        return pair;
    }
}
