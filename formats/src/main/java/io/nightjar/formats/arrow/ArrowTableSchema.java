package io.nightjar.formats.arrow;

import io.nightjar.formats.parquet.TableColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

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

    private ArrowTableSchema() {}

    /**
     * @param columns all columns of the file, in their order
     * @param partitions columns that also occur in folder names; their type is string
     */
    public static String encode(List<TableColumn> columns, Set<String> partitions) {
        List<Field> fields = new ArrayList<>();
        for (TableColumn column : columns) {
            DictionaryEncoding encoding = partitions.contains(column.name())
                    ? new DictionaryEncoding(fields.size(), false, ArrowMetadata.integer(Integer.SIZE))
                    : null;
            FieldType type = new FieldType(column.isNullable(), type(column.type()), encoding);
            fields.add(new Field(column.name(), type, List.of()));
        }
        ByteBuffer message = ArrowMetadata.schemaMessage(fields);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (WriteChannel out = new WriteChannel(Channels.newChannel(bytes))) {
            MessageSerializer.writeMessageBuffer(out, message.remaining(), message);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
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
