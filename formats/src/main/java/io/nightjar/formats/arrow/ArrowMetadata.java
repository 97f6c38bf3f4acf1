package io.nightjar.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.CommonTypes;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.ArrowBuffer;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.FBSerializables;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Builds the metadata of Arrow files. */
final class ArrowMetadata {

    /** Key of the reason why no level can hold, in the metadata of the footer. */
    static final String DOUBT_KEY = "nightjar.doubt";

    private static final String SCHEMA_VERSION = "1";
    private static final boolean NULLABLE = true;

    private ArrowMetadata() {}

    static Schema schema(ColumnTypes types) {
        Map<String, String> members = new HashMap<>();
        members.put("schema_version", SCHEMA_VERSION);
        if (types.areKeysJson()) {
            members.put(CommonTypes.KEY_TYPE, CommonTypes.JSON);
        }
        if (types.areValuesJson()) {
            members.put(CommonTypes.VALUE_TYPE, CommonTypes.JSON);
        }
        return new Schema(fields(HistoryColumn.OF_TXNS, types), members);
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
