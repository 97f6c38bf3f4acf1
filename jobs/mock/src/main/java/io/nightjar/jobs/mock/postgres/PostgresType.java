package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlType;

/** PostgreSQL's type numbers. */
final class PostgresType {

    static final int BOOL = 16;
    static final int BYTEA = 17;
    static final int INT8 = 20;
    static final int INT2 = 21;
    static final int INT4 = 23;
    static final int TEXT = 25;
    static final int OID = 26;
    static final int JSON = 114;
    static final int FLOAT4 = 700;
    static final int FLOAT8 = 701;
    static final int BPCHAR = 1042;
    static final int VARCHAR = 1043;
    static final int DATE = 1082;
    static final int TIME = 1083;
    static final int TIMESTAMP = 1114;
    static final int TIMESTAMPTZ = 1184;
    static final int INTERVAL = 1186;
    static final int TIMETZ = 1266;
    static final int NUMERIC = 1700;
    static final int UUID = 2950;
    static final int JSONB = 3802;

    private static final int HEADER = 4;

    private PostgresType() {}

    static int of(SqlType type) {
        return switch (type) {
            case BOOLEAN -> BOOL;
            case SMALLINT -> INT2;
            case INTEGER -> INT4;
            case BIGINT -> INT8;
            case NUMERIC -> NUMERIC;
            case REAL -> FLOAT4;
            case DOUBLE -> FLOAT8;
            case VARCHAR -> VARCHAR;
            case CHAR -> BPCHAR;
            case BYTES -> BYTEA;
            case DATE -> DATE;
            case TIME -> TIME;
            case TIME_TZ -> TIMETZ;
            case TIMESTAMP -> TIMESTAMP;
            case TIMESTAMP_TZ -> TIMESTAMPTZ;
            case UUID -> UUID;
            case JSON -> JSON;
            case TEXT, ARRAY, INTERVAL, UNKNOWN -> TEXT;
        };
    }

    /** Returns the element type of an array type, 0 if it is no array. */
    static int elementOf(int type) {
        return switch (type) {
            case 1000 -> BOOL;
            case 1005 -> INT2;
            case 1007 -> INT4;
            case 1016 -> INT8;
            case 1009 -> TEXT;
            case 1015 -> VARCHAR;
            case 1021 -> FLOAT4;
            case 1022 -> FLOAT8;
            case 1231 -> NUMERIC;
            case 2951 -> UUID;
            case 1028 -> OID;
            default -> 0;
        };
    }

    /** Returns the array type of an element type, that of text if none exists. */
    static int arrayOf(int element) {
        return switch (element) {
            case BOOL -> 1000;
            case INT2 -> 1005;
            case INT4 -> 1007;
            case INT8 -> 1016;
            case VARCHAR -> 1015;
            case FLOAT4 -> 1021;
            case FLOAT8 -> 1022;
            case NUMERIC -> 1231;
            case UUID -> 2951;
            case OID -> 1028;
            default -> 1009;
        };
    }

    /** Returns the size of a value in bytes, -1 if it varies. */
    static int size(int type) {
        return switch (type) {
            case BOOL -> 1;
            case INT2 -> 2;
            case INT4, FLOAT4, DATE, OID -> 4;
            case INT8, FLOAT8, TIME, TIMESTAMP, TIMESTAMPTZ -> 8;
            case TIMETZ -> 12;
            case UUID -> 16;
            default -> -1;
        };
    }

    /** Returns the type modifier: length, or precision and scale; -1 if unrestricted. */
    static int modifier(SqlColumn column) {
        return switch (column.type()) {
            case VARCHAR, CHAR -> column.length() > 0 ? column.length() + HEADER : -1;
            case NUMERIC ->
                column.length() > 0 && column.length() <= 1000 ? (column.length() << 16 | column.scale()) + HEADER : -1;
            default -> -1;
        };
    }
}
