package io.nightjar.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.nightjar.formats.parquet.TableColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.DictionaryKind;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;

/**
 * Encodes the Arrow schema of a Parquet table for Arrow's readers: {@link #KEY} in the metadata of the file, with a
 * base64-encoded IPC message of the schema as value.
 */
public final class ArrowTableSchema {

    /*
     * pyarrow, and so pandas, types the value in a folder name (history_id=...) as a dictionary of strings with int32
     * indices. A column of the same name in the files must have exactly that type, or the folder cannot be read.
     */

    /** Metadata key under which Arrow readers find a schema. */
    public static final String KEY = "ARROW:schema";

    private static final int CONTINUATION = 0xFFFFFFFF;
    private static final int ALIGNMENT = 8;

    private final FlatBufferBuilder builder = new FlatBufferBuilder();

    private ArrowTableSchema() {}

    /**
     * @param columns all columns of the file, in their order
     * @param partitions columns that also occur in folder names; their type is string
     */
    public static String encode(List<TableColumn> columns, Set<String> partitions) {
        byte[] metadata = new ArrowTableSchema().message(columns, partitions);
        int padded = (metadata.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        byte[] message = ByteBuffer.allocate(2 * Integer.BYTES + padded)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CONTINUATION)
                .putInt(padded)
                .put(metadata)
                .array();
        return Base64.getEncoder().encodeToString(message);
    }

    private byte[] message(List<TableColumn> columns, Set<String> partitions) {
        int[] fields = new int[columns.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field(columns.get(i), partitions.contains(columns.get(i).name()) ? i : -1);
        }
        int fieldsVector = Schema.createFieldsVector(builder, fields);
        int schema = Schema.createSchema(builder, Endianness.Little, fieldsVector, 0, 0);
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        return builder.sizedByteArray();
    }

    /** @param dictionary its number, -1 for none */
    private int field(TableColumn column, int dictionary) {
        int encoding = dictionary < 0 ? 0 : encoding(dictionary);
        return ArrowMetadata.field(
                builder, column.name(), column.isNullable(), kind(column.type()), type(column.type()), encoding);
    }

    private int encoding(int dictionary) {
        int index = Int.createInt(builder, Integer.SIZE, true);
        return DictionaryEncoding.createDictionaryEncoding(
                builder, dictionary, index, false, DictionaryKind.DenseArray);
    }

    private static byte kind(TableColumn.Type type) {
        return switch (type) {
            case STRING -> Type.Utf8;
            case INT64, INT32 -> Type.Int;
            case BOOLEAN -> Type.Bool;
            case DOUBLE -> Type.FloatingPoint;
            case TIMESTAMP_MICROS_UTC -> Type.Timestamp;
        };
    }

    private int type(TableColumn.Type type) {
        return switch (type) {
            case STRING, BOOLEAN, INT64 -> ArrowMetadata.type(builder, kind(type), Long.SIZE);
            case INT32 -> ArrowMetadata.type(builder, kind(type), Integer.SIZE);
            case DOUBLE -> FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
            case TIMESTAMP_MICROS_UTC ->
                Timestamp.createTimestamp(builder, TimeUnit.MICROSECOND, builder.createString("UTC"));
        };
    }
}
