package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Schema of a history file, as a Parquet schema and as the equivalent Avro schema.
 *
 * @param keyType the type of keys; an unknown type is treated as int64
 * @param opColumns the fields of operations
 */
public record HistorySchema(ValueType keyType, ValueType valueType, OpColumns opColumns) {

    /** The version written; it changes if a reader of the old columns would misinterpret the new columns. */
    public static final String SCHEMA_VERSION = "1";

    static final String SCHEMA_VERSION_KEY = "schema_version";
    static final String DOUBT_KEY = "nightjar.doubt"; // reason why no level can hold
    static final String AVRO_SCHEMA_KEY = "parquet.avro.schema";

    /** Returns the Avro schema as JSON. */
    public String avroSchema() {
        return avroRecord("Transaction\",\"namespace\":\"io.nightjar", HistoryColumn.OF_TXNS);
    }

    private String avroRecord(String name, List<HistoryColumn> columns) {
        return columns.stream()
                .map(this::avroField)
                .collect(Collectors.joining(",", "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[", "]}"));
    }

    private String avroField(HistoryColumn column) {
        String type =
                switch (column.type()) {
                    case INT64 -> "\"long\"";
                    case INT32 -> "\"int\"";
                    case BOOLEAN -> "\"boolean\"";
                    case STRING -> "\"string\"";
                    case KEY -> avroType(keyType);
                    case VALUE -> avroType(valueType);
                    case VALUES -> "{\"type\":\"array\",\"items\":" + avroType(valueType) + "}";
                    case OPERATIONS ->
                        "{\"type\":\"array\",\"items\":" + avroRecord("Operation", opColumns.list()) + "}";
                };
        String declared =
                column.isNullable(opColumns.hasPredicates()) ? "[\"null\"," + type + "],\"default\":null" : type;
        return "{\"name\":\"" + column.columnName() + "\",\"type\":" + declared + "}";
    }

    private static String avroType(ValueType type) {
        return type == ValueType.STRING ? "\"string\"" : "\"long\"";
    }

    /** Returns the metadata for the footer of a history file. */
    Map<String, String> metadata() {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(AVRO_SCHEMA_KEY, avroSchema());
        metadata.put(SCHEMA_VERSION_KEY, SCHEMA_VERSION);
        return metadata;
    }

    /** Returns the Parquet schema, with lists in three levels. */
    SchemaNode parquetSchema() {
        return SchemaNode.group(
                "io.nightjar.Transaction", Repetition.REQUIRED, Annotation.NONE, nodes(HistoryColumn.OF_TXNS));
    }

    private SchemaNode[] nodes(List<HistoryColumn> columns) {
        return columns.stream().map(this::node).toArray(SchemaNode[]::new);
    }

    private SchemaNode node(HistoryColumn column) {
        String name = column.columnName();
        Repetition repetition =
                column.isNullable(opColumns.hasPredicates()) ? Repetition.OPTIONAL : Repetition.REQUIRED;
        return switch (column.type()) {
            case INT64 -> number(name, repetition);
            case INT32 -> SchemaNode.leaf(name, repetition, PhysicalType.INT32, Annotation.NONE);
            case BOOLEAN -> SchemaNode.leaf(name, repetition, PhysicalType.BOOLEAN, Annotation.NONE);
            case STRING -> string(name, repetition);
            case KEY -> leaf(name, repetition, keyType);
            case VALUE -> leaf(name, repetition, valueType);
            case VALUES -> list(name, repetition, leaf("element", Repetition.REQUIRED, valueType));
            case OPERATIONS -> {
                SchemaNode[] fields = nodes(opColumns.list());
                yield list(name, repetition, SchemaNode.group("element", Repetition.REQUIRED, Annotation.NONE, fields));
            }
        };
    }

    /** Returns the ordinal of a column among the leaves of {@link #parquetSchema}. */
    int leafOf(HistoryColumn column) {
        List<HistoryColumn> ofOps = opColumns.list();
        int leaf = 0;
        for (HistoryColumn before : HistoryColumn.OF_TXNS) {
            if (before == column) {
                return leaf;
            }
            if (before == HistoryColumn.OPS && column.isOfOps()) {
                return leaf + ofOps.indexOf(column);
            }
            leaf += before == HistoryColumn.OPS ? ofOps.size() : 1;
        }
        throw new AssertionError("bug: column=" + column);
    }

    private static SchemaNode number(String name, Repetition repetition) {
        return SchemaNode.leaf(name, repetition, PhysicalType.INT64, Annotation.NONE);
    }

    private static SchemaNode string(String name, Repetition repetition) {
        return SchemaNode.leaf(name, repetition, PhysicalType.BYTE_ARRAY, Annotation.STRING);
    }

    private static SchemaNode leaf(String name, Repetition repetition, ValueType type) {
        return type == ValueType.STRING ? string(name, repetition) : number(name, repetition);
    }

    private static SchemaNode list(String name, Repetition repetition, SchemaNode element) {
        SchemaNode repeated = SchemaNode.group("list", Repetition.REPEATED, Annotation.NONE, element);
        return SchemaNode.group(name, repetition, Annotation.LIST, repeated);
    }
}
