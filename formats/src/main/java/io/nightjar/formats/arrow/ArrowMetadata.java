package io.nightjar.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.CommonTypes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowBuffer;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.FBSerializables;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Builds the metadata of Arrow files. */
final class ArrowMetadata {

    /** Key of the reason why no level can hold, in the metadata of the footer. */
    static final String DOUBT_KEY = "nightjar.doubt";

    private static final String SCHEMA_VERSION = "1";
    private static final boolean NULLABLE = true;

    private ArrowMetadata() {}

    /*
     * The library's class of schemas is avoided: it starts a JSON mapper, which costs 0.3 s of CPU per process.
     */

    static ByteBuffer schemaMessage(ColumnTypes types) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        return message(builder, MessageHeader.Schema, schema(builder, types), 0);
    }

    static ByteBuffer schemaMessage(List<Field> fields) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        return message(builder, MessageHeader.Schema, schema(builder, fields, 0), 0);
    }

    /** @param doubt reason why no level can hold; null if none */
    static ByteBuffer footer(ColumnTypes types, List<ArrowBlock> batches, @Nullable String doubt) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = schema(builder, types);
        Footer.startDictionariesVector(builder, 0);
        int dictionaries = builder.endVector();
        Footer.startRecordBatchesVector(builder, batches.size());
        int blocks = FBSerializables.writeAllStructsToVector(builder, batches);
        int members = doubt == null ? 0 : members(builder, Map.of(DOUBT_KEY, doubt));
        builder.finish(Footer.createFooter(builder, MetadataVersion.V5, schema, dictionaries, blocks, members));
        return builder.dataBuffer();
    }

    private static int schema(FlatBufferBuilder builder, ColumnTypes types) {
        Map<String, String> members = new TreeMap<>();
        members.put("schema_version", SCHEMA_VERSION);
        if (types.areKeysJson()) {
            members.put(CommonTypes.KEY_TYPE, CommonTypes.JSON);
        }
        if (types.areValuesJson()) {
            members.put(CommonTypes.VALUE_TYPE, CommonTypes.JSON);
        }
        return schema(builder, fields(HistoryColumn.OF_TXNS, types), members(builder, members));
    }

    private static int schema(FlatBufferBuilder builder, List<Field> fields, int members) {
        int[] offsets =
                fields.stream().mapToInt(field -> field.getField(builder)).toArray();
        int vector = Schema.createFieldsVector(builder, offsets);
        return Schema.createSchema(builder, Endianness.Little, vector, members, 0);
    }

    private static int members(FlatBufferBuilder builder, Map<String, String> members) {
        int[] offsets = members.entrySet().stream()
                .mapToInt(member -> KeyValue.createKeyValue(
                        builder, builder.createString(member.getKey()), builder.createString(member.getValue())))
                .toArray();
        return Schema.createCustomMetadataVector(builder, offsets);
    }

    private static ByteBuffer message(FlatBufferBuilder builder, byte kind, int header, long bodyLength) {
        return MessageSerializer.serializeMessage(builder, kind, header, bodyLength, IpcOption.DEFAULT);
    }

    /** Returns the message of a record batch; its nodes and buffers are in the order of the schema. */
    static ByteBuffer batchMessage(int rows, List<ArrowFieldNode> nodes, List<ArrowBuffer> buffers, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        RecordBatch.startNodesVector(builder, nodes.size());
        int nodesVector = FBSerializables.writeAllStructsToVector(builder, nodes);
        RecordBatch.startBuffersVector(builder, buffers.size());
        int buffersVector = FBSerializables.writeAllStructsToVector(builder, buffers);
        int batch = RecordBatch.createRecordBatch(builder, rows, nodesVector, buffersVector, 0, 0);
        return MessageSerializer.serializeMessage(
                builder, MessageHeader.RecordBatch, batch, bodyLength, IpcOption.DEFAULT);
    }

    private static List<Field> fields(List<HistoryColumn> columns, ColumnTypes types) {
        return columns.stream().map(column -> field(column, types)).toList();
    }

    private static Field field(HistoryColumn column, ColumnTypes types) {
        String name = column.columnName();
        boolean isNullable = column.isNullable(types.opColumns().hasPredicates());
        return switch (column.type()) {
            case INT64 -> field(name, isNullable, integer(Long.SIZE));
            case INT32 -> field(name, isNullable, integer(Integer.SIZE));
            case BOOLEAN -> field(name, isNullable, ArrowType.Bool.INSTANCE);
            case STRING -> field(name, isNullable, ArrowType.Utf8.INSTANCE);
            case KEY -> field(name, isNullable, scalar(types.keyType()));
            case VALUE -> field(name, isNullable, scalar(types.valueType()));
            case VALUES ->
                field(
                        name,
                        isNullable,
                        ArrowType.List.INSTANCE,
                        field("element", !NULLABLE, scalar(types.valueType())));
            case OPERATIONS -> {
                Field[] ofOps = fields(types.opColumns().list(), types).toArray(new Field[0]);
                yield field(
                        name,
                        isNullable,
                        ArrowType.List.INSTANCE,
                        field("element", !NULLABLE, ArrowType.Struct.INSTANCE, ofOps));
            }
        };
    }

    private static ArrowType scalar(ValueType type) {
        return type == ValueType.STRING ? ArrowType.Utf8.INSTANCE : integer(Long.SIZE);
    }

    static ArrowType.Int integer(int bits) {
        return new ArrowType.Int(bits, true);
    }

    private static Field field(String name, boolean isNullable, ArrowType type, Field... children) {
        return new Field(name, new FieldType(isNullable, type, null), List.of(children));
    }
}
