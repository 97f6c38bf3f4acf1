package io.nightjar.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.CommonTypes;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** Builds the metadata of Arrow files. */
final class ArrowMetadata {

    /** Key of the reason why no level can hold, in the metadata of the footer. */
    static final String DOUBT_KEY = "nightjar.doubt";

    private static final String SCHEMA_VERSION = "1";
    private static final boolean NULLABLE = true;

    private final FlatBufferBuilder builder;
    private final ColumnTypes types;
    private final OpColumns opColumns;

    private ArrowMetadata(FlatBufferBuilder builder, ColumnTypes types) {
        this.builder = builder;
        this.types = types;
        this.opColumns = types.opColumns();
    }

    static byte[] schemaMessage(ColumnTypes types) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = new ArrowMetadata(builder, types).schema();
        return message(builder, MessageHeader.Schema, schema, 0);
    }

    static byte[] batchMessage(
            long rows, List<ArrowBody.Entry> columns, ValueType keyType, ValueType valueType, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        RecordBatch.startNodesVector(builder, columns.size());
        for (int i = columns.size() - 1; i >= 0; i--) { // vectors are built from the end
            FieldNode.createFieldNode(
                    builder, columns.get(i).rows(), columns.get(i).nulls());
        }
        int nodes = builder.endVector();
        IntArrayList layout = ArrowBody.buffers(columns, keyType, valueType);
        RecordBatch.startBuffersVector(builder, layout.size() / 2);
        for (int i = layout.size() - 2; i >= 0; i -= 2) {
            Buffer.createBuffer(builder, layout.getInt(i), layout.getInt(i + 1));
        }
        int buffers = builder.endVector();
        int batch = RecordBatch.createRecordBatch(builder, rows, nodes, buffers, 0, 0);
        return message(builder, MessageHeader.RecordBatch, batch, bodyLength);
    }

    /** @param doubt reason why no level can hold; null if none */
    static byte[] footer(ColumnTypes types, List<ArrowIndex.Piece> batches, @Nullable String doubt) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = new ArrowMetadata(builder, types).schema();
        Footer.startDictionariesVector(builder, 0);
        int dictionaries = builder.endVector();
        Footer.startRecordBatchesVector(builder, batches.size());
        for (int i = batches.size() - 1; i >= 0; i--) {
            ArrowIndex.Piece piece = batches.get(i);
            Block.createBlock(builder, piece.metadataOffset(), piece.metadataLength(), piece.bodyLength());
        }
        int blocks = builder.endVector();
        int metadata = 0;
        if (doubt != null) {
            int member = KeyValue.createKeyValue(builder, builder.createString(DOUBT_KEY), builder.createString(doubt));
            metadata = Footer.createCustomMetadataVector(builder, new int[] {member});
        }
        builder.finish(Footer.createFooter(builder, MetadataVersion.V5, schema, dictionaries, blocks, metadata));
        return builder.sizedByteArray();
    }

    private static byte[] message(FlatBufferBuilder builder, byte kind, int header, long bodyLength) {
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, kind, header, bodyLength, 0));
        return builder.sizedByteArray();
    }

    private int schema() {
        int[] columns = fields(HistoryColumn.OF_TXNS);
        int fields = Schema.createFieldsVector(builder, columns);
        IntArrayList members = new IntArrayList();
        members.add(member("schema_version", SCHEMA_VERSION));
        if (types.areKeysJson()) {
            members.add(member(CommonTypes.KEY_TYPE, CommonTypes.JSON));
        }
        if (types.areValuesJson()) {
            members.add(member(CommonTypes.VALUE_TYPE, CommonTypes.JSON));
        }
        int metadata = Schema.createCustomMetadataVector(builder, members.toIntArray());
        return Schema.createSchema(builder, Endianness.Little, fields, metadata, 0);
    }

    private int member(String name, String text) {
        return KeyValue.createKeyValue(builder, builder.createString(name), builder.createString(text));
    }

    private int[] fields(List<HistoryColumn> columns) {
        int[] fields = new int[columns.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field(columns.get(i));
        }
        return fields;
    }

    private int field(HistoryColumn column) {
        String name = column.columnName();
        boolean isNullable = column.isNullable(opColumns.hasPredicates());
        return switch (column.type()) {
            case INT64 -> field(name, isNullable, Type.Int);
            case INT32 -> field(builder, name, isNullable, Type.Int, type(builder, Type.Int, Integer.SIZE), 0);
            case BOOLEAN -> field(name, isNullable, Type.Bool);
            case STRING -> field(name, isNullable, Type.Utf8);
            case KEY -> scalar(name, isNullable, types.keyType());
            case VALUE -> scalar(name, isNullable, types.valueType());
            case VALUES -> field(name, isNullable, Type.List, scalar("element", !NULLABLE, types.valueType()));
            case OPERATIONS -> {
                int[] fields = fields(opColumns.list());
                int operation = field("element", !NULLABLE, Type.Struct_, fields);
                yield field(name, isNullable, Type.List, operation);
            }
        };
    }

    private int scalar(String name, boolean isNullable, ValueType type) {
        return field(name, isNullable, type == ValueType.STRING ? Type.Utf8 : Type.Int);
    }

    private int field(String name, boolean isNullable, byte type, int... children) {
        return field(builder, name, isNullable, type, type(builder, type, Long.SIZE), 0, children);
    }

    /** @param encoding of a dictionary; 0 for none */
    static int field(
            FlatBufferBuilder builder,
            String name,
            boolean isNullable,
            byte type,
            int typeOffset,
            int encoding,
            int... children) {
        int nameOffset = builder.createString(name);
        int childrenOffset = Field.createChildrenVector(builder, children);
        Field.startField(builder);
        Field.addName(builder, nameOffset);
        Field.addNullable(builder, isNullable);
        Field.addTypeType(builder, type);
        Field.addType(builder, typeOffset);
        Field.addChildren(builder, childrenOffset);
        if (encoding > 0) {
            Field.addDictionary(builder, encoding);
        }
        return Field.endField(builder);
    }

    /** @param bits width of an integer */
    static int type(FlatBufferBuilder builder, byte type, int bits) {
        if (type == Type.Int) {
            return Int.createInt(builder, bits, true);
        }
        builder.startTable(0); // the other types have no parameters
        return builder.endTable();
    }
}
