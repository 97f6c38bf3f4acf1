package io.nightjar.formats.parquet;

import io.nightjar.formats.history.ValueType;
import java.util.LinkedHashMap;
import java.util.Map;

/** The columns of a history file, as a Parquet schema and as the Avro schema that it is the translation of. */
public final class HistorySchema {

    /** The version written; it changes when a reader of the old columns would misunderstand the new ones. */
    public static final String SCHEMA_VERSION = "1";

    static final String SCHEMA_VERSION_KEY = "schema_version";
    static final String AVRO_SCHEMA_KEY = "parquet.avro.schema";

    static final String TXN_ID = "txn_id";
    static final String SESSION_ID = "session_id";
    static final String SESSION_SEQ = "session_seq";
    static final String STATUS = "status";
    static final String START_TS = "start_ts";
    static final String COMMIT_TS = "commit_ts";
    static final String INVOKE_NS = "invoke_ns";
    static final String COMPLETE_NS = "complete_ns";
    static final String OPS = "ops";
    static final String KIND = "kind";
    static final String KEY = "key";
    static final String VALUE = "value";
    static final String ELEMENTS = "elements";
    static final String VERSION = "version";
    static final String WRITER_TXN = "writer_txn";
    static final String EXTRA = "extra";

    private static final String AVRO_SCHEMA =
            """
            {"type":"record","name":"Transaction","namespace":"io.nightjar","fields":[\
            {"name":"txn_id","type":"long"},\
            {"name":"session_id","type":"long"},\
            {"name":"session_seq","type":"long"},\
            {"name":"status","type":"string"},\
            {"name":"start_ts","type":["null","long"],"default":null},\
            {"name":"commit_ts","type":["null","long"],"default":null},\
            {"name":"invoke_ns","type":["null","long"],"default":null},\
            {"name":"complete_ns","type":["null","long"],"default":null},\
            {"name":"ops","type":{"type":"array","items":{"type":"record","name":"Operation","fields":[\
            {"name":"kind","type":"string"},\
            {"name":"key","type":"KEY_TYPE"},\
            {"name":"value","type":["null","VALUE_TYPE"],"default":null},\
            {"name":"elements","type":["null",{"type":"array","items":"VALUE_TYPE"}],"default":null},\
            {"name":"version","type":["null","long"],"default":null},\
            {"name":"writer_txn","type":["null","long"],"default":null}]}}},\
            {"name":"extra","type":["null","string"],"default":null}]}""";

    private HistorySchema() {}

    /** The Avro schema for keys and values of these types, as JSON; a type that is not known counts as int64. */
    public static String avroSchema(ValueType keyType, ValueType valueType) {
        return AVRO_SCHEMA.replace("KEY_TYPE", avroType(keyType)).replace("VALUE_TYPE", avroType(valueType));
    }

    private static String avroType(ValueType type) {
        return type == ValueType.STRING ? "string" : "long";
    }

    /** What goes into the footer of a history file. */
    static Map<String, String> metadata(ValueType keyType, ValueType valueType) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(AVRO_SCHEMA_KEY, avroSchema(keyType, valueType));
        metadata.put(SCHEMA_VERSION_KEY, SCHEMA_VERSION);
        return metadata;
    }

    /** The Parquet schema, lists in three levels. */
    static SchemaNode parquetSchema(ValueType keyType, ValueType valueType) {
        SchemaNode operation = SchemaNode.group(
                "element",
                Repetition.REQUIRED,
                Annotation.NONE,
                string(KIND, Repetition.REQUIRED),
                leaf(KEY, Repetition.REQUIRED, keyType),
                leaf(VALUE, Repetition.OPTIONAL, valueType),
                list(ELEMENTS, Repetition.OPTIONAL, leaf("element", Repetition.REQUIRED, valueType)),
                number(VERSION, Repetition.OPTIONAL),
                number(WRITER_TXN, Repetition.OPTIONAL));
        return SchemaNode.group(
                "io.nightjar.Transaction",
                Repetition.REQUIRED,
                Annotation.NONE,
                number(TXN_ID, Repetition.REQUIRED),
                number(SESSION_ID, Repetition.REQUIRED),
                number(SESSION_SEQ, Repetition.REQUIRED),
                string(STATUS, Repetition.REQUIRED),
                number(START_TS, Repetition.OPTIONAL),
                number(COMMIT_TS, Repetition.OPTIONAL),
                number(INVOKE_NS, Repetition.OPTIONAL),
                number(COMPLETE_NS, Repetition.OPTIONAL),
                list(OPS, Repetition.REQUIRED, operation),
                string(EXTRA, Repetition.OPTIONAL));
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
