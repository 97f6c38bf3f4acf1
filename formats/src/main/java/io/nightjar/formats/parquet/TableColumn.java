package io.nightjar.formats.parquet;

/** A column of a flat table: its name, its type, and whether its values may be null. */
public record TableColumn(String name, Type type, boolean isNullable) {

    /** Type of a table column; integers are signed. */
    public enum Type {
        STRING,
        INT64,
        INT32,
        BOOLEAN,
        DOUBLE,
        /** Microseconds since 1970, UTC. */
        TIMESTAMP_MICROS_UTC
    }

    SchemaNode toSchema() {
        Repetition repetition = isNullable ? Repetition.OPTIONAL : Repetition.REQUIRED;
        return switch (type) {
            case STRING -> SchemaNode.leaf(name, repetition, PhysicalType.BYTE_ARRAY, Annotation.STRING);
            case INT64 -> SchemaNode.leaf(name, repetition, PhysicalType.INT64, Annotation.NONE);
            case INT32 -> SchemaNode.leaf(name, repetition, PhysicalType.INT32, Annotation.NONE);
            case BOOLEAN -> SchemaNode.leaf(name, repetition, PhysicalType.BOOLEAN, Annotation.NONE);
            case DOUBLE -> SchemaNode.leaf(name, repetition, PhysicalType.DOUBLE, Annotation.NONE);
            case TIMESTAMP_MICROS_UTC ->
                SchemaNode.leaf(name, repetition, PhysicalType.INT64, Annotation.TIMESTAMP_MICROS_UTC);
        };
    }
}
