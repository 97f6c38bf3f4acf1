package io.nightjar.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.nightjar.formats.parquet.TableColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the Arrow schema of a Parquet table for Arrow's readers: {@link #KEY} in the metadata of the file, with a
 * base64-encoded IPC message of the schema as value.
 */
public final class ArrowTableSchema {

    /*
     * pyarrow, and so pandas, types the value in a folder name (history_id=...) as a dictionary of strings with int32
     * indices. A column of the same name in the files must have exactly that type, or the folder cannot be read.
     *
     * The library's class of schemas is avoided: it starts a JSON mapper, which each check would wait for.
     */

    /** Metadata key under which Arrow readers find a schema. */
    public static final String KEY = "ARROW:schema";

    private ArrowTableSchema() {}

    /**
     * @param columns all columns of the file, in their order
     * @param partitions columns that also occur in folder names; their type is string
     */
    public static String encode(List<TableColumn> columns, Set<String> partitions) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int[] fields = new int[columns.size()];
        for (int i = 0; i < fields.length; i++) {
            TableColumn column = columns.get(i);
            DictionaryEncoding encoding = partitions.contains(column.name())
                    ? new DictionaryEncoding(i, false, ArrowMetadata.integer(Integer.SIZE))
                    : null;
            fields[i] = field(column, encoding).getField(builder);
        }
        int vector = Schema.createFieldsVector(builder, fields);
        int schema = Schema.createSchema(builder, Endianness.Little, vector, 0, 0);
        ByteBuffer message =
                MessageSerializer.serializeMessage(builder, MessageHeader.Schema, schema, 0, IpcOption.DEFAULT);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (WriteChannel out = new WriteChannel(Channels.newChannel(bytes))) {
            MessageSerializer.writeMessageBuffer(out, message.remaining(), message);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static Field field(TableColumn column, @Nullable DictionaryEncoding encoding) {
        return new Field(column.name(), new FieldType(column.isNullable(), type(column.type()), encoding), List.of());
    }

    private static ArrowType type(TableColumn.Type type) {
        return switch (type) {
            case STRING -> ArrowType.Utf8.INSTANCE;
            case INT64 -> ArrowMetadata.integer(Long.SIZE);
            case INT32 -> ArrowMetadata.integer(Integer.SIZE);
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case TIMESTAMP_MICROS_UTC -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
        };
    }
}
