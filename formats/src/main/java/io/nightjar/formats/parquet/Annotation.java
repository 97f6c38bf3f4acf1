package io.nightjar.formats.parquet;

import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;

/** Logical type of a column's values: Parquet's logical and converted types combined. */
enum Annotation {
    NONE,
    STRING,
    ENUM,
    JSON,
    BSON,
    UUID,
    SIGNED,
    UNSIGNED,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    /** Microseconds since 1970, UTC; the only timestamp type that is written. */
    TIMESTAMP_MICROS_UTC,
    /** A column in which every value is null, for any physical type. */
    ALL_NULL,
    LIST,
    MAP,
    UNKNOWN;

    /** Returns returns the newer of a field's two annotations, or the older one if it is alone. */
    static Annotation of(SchemaElement element) {
        if (element.isSetLogicalType() && element.getLogicalType().isSet()) {
            return of(element.getLogicalType());
        }
        return element.isSetConverted_type() ? of(element.getConverted_type()) : NONE;
    }

    private static Annotation of(LogicalType type) {
        return switch (type.getSetField()) {
            case STRING -> STRING;
            case MAP -> MAP;
            case LIST -> LIST;
            case ENUM -> ENUM;
            case DECIMAL -> DECIMAL;
            case DATE -> DATE;
            case TIME -> TIME;
            case TIMESTAMP -> TIMESTAMP;
            case INTEGER -> type.getINTEGER().isIsSigned() ? SIGNED : UNSIGNED;
            case UNKNOWN -> ALL_NULL;
            case JSON -> JSON;
            case BSON -> BSON;
            case UUID -> UUID;
            default -> UNKNOWN;
        };
    }

    private static Annotation of(ConvertedType type) {
        return switch (type) {
            case UTF8 -> STRING;
            case MAP, MAP_KEY_VALUE -> MAP;
            case LIST -> LIST;
            case ENUM -> ENUM;
            case DECIMAL -> DECIMAL;
            case DATE -> DATE;
            case TIME_MILLIS, TIME_MICROS -> TIME;
            case TIMESTAMP_MILLIS, TIMESTAMP_MICROS -> TIMESTAMP;
            case UINT_8, UINT_16, UINT_32, UINT_64 -> UNSIGNED;
            case INT_8, INT_16, INT_32, INT_64 -> SIGNED;
            case JSON -> JSON;
            case BSON -> BSON;
            default -> UNKNOWN;
        };
    }

    /** Returns the number of decimal digits: of a decimal, or of the seconds of a timestamp. */
    static int scale(SchemaElement element) {
        if (element.isSetLogicalType() && element.getLogicalType().isSetTIMESTAMP()) {
            TimeUnit unit = element.getLogicalType().getTIMESTAMP().getUnit();
            return unit.isSet() ? 3 * unit.getSetField().getThriftFieldId() : 0;
        }
        if (element.isSetConverted_type()) {
            if (element.getConverted_type() == ConvertedType.TIMESTAMP_MILLIS) {
                return 3;
            }
            if (element.getConverted_type() == ConvertedType.TIMESTAMP_MICROS) {
                return 6;
            }
        }
        return element.getScale();
    }

    /** Annotates a field for writing, with both the older and the newer annotation. */
    void writeTo(SchemaElement element) {
        switch (this) {
            case STRING -> {
                element.setConverted_type(ConvertedType.UTF8);
                element.setLogicalType(LogicalType.STRING(new StringType()));
            }
            case LIST -> {
                element.setConverted_type(ConvertedType.LIST);
                element.setLogicalType(LogicalType.LIST(new ListType()));
            }
            case TIMESTAMP_MICROS_UTC -> {
                element.setConverted_type(ConvertedType.TIMESTAMP_MICROS);
                TimeUnit unit = TimeUnit.MICROS(new MicroSeconds());
                element.setLogicalType(LogicalType.TIMESTAMP(new TimestampType(true, unit)));
            }
            default -> {
                // the physical type suffices
            }
        }
    }
}
