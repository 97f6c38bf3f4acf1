package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlType;

/** MySQL's type numbers and column descriptions. */
final class MysqlType {

    static final int TINY = 1;
    static final int SHORT = 2;
    static final int LONG = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int NULL = 6;
    static final int TIMESTAMP = 7;
    static final int LONGLONG = 8;
    static final int INT24 = 9;
    static final int DATE = 10;
    static final int TIME = 11;
    static final int DATETIME = 12;
    static final int YEAR = 13;
    static final int VARCHAR = 15;
    static final int BIT = 16;
    static final int JSON = 245;
    static final int NEWDECIMAL = 246;
    static final int ENUM = 247;
    static final int BLOB = 252;
    static final int VAR_STRING = 253;
    static final int STRING = 254;

    static final int UTF8 = 255;
    static final int BINARY = 63;

    private static final int NOT_NULL_FLAG = 1;
    private static final int KEY_FLAG = 2;
    private static final int IDENTITY_FLAG = 512;
    private static final int BINARY_FLAG = 128;
    private static final int BLOB_FLAG = 16;
    private static final int NUMBER_FLAG = 32768;
    private static final int BYTES_OF_LETTER = 4;
    private static final int MAX_TEXT_LENGTH = 65_535;
    private static final int ANY_DECIMALS = 31;
    private static final int MICROS = 6;

    private MysqlType() {}

    static int of(SqlColumn column) {
        return switch (column.type()) {
            case BOOLEAN -> column.table() == null ? LONGLONG : TINY;
            case SMALLINT -> SHORT;
            case INTEGER -> LONG;
            case BIGINT -> LONGLONG;
            case NUMERIC -> NEWDECIMAL;
            case REAL -> FLOAT;
            case DOUBLE -> DOUBLE;
            case CHAR -> STRING;
            case BYTES, TEXT -> BLOB;
            case DATE -> DATE;
            case TIME, TIME_TZ -> TIME;
            case TIMESTAMP, TIMESTAMP_TZ -> DATETIME;
            case VARCHAR, UUID, JSON, ARRAY, INTERVAL, UNKNOWN -> VAR_STRING;
        };
    }

    static int charset(SqlType type) {
        return isText(type) ? UTF8 : BINARY;
    }

    private static boolean isText(SqlType type) {
        return switch (type) {
            case TEXT, VARCHAR, CHAR, UUID, JSON, ARRAY, INTERVAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Returns the maximum length of a value as text. */
    static int length(SqlColumn column) {
        return switch (column.type()) {
            case BOOLEAN -> 1;
            case SMALLINT -> 6;
            case INTEGER -> 11;
            case BIGINT -> 20;
            case NUMERIC -> Math.min(column.length(), 65) + 2;
            case REAL -> 12;
            case DOUBLE -> 22;
            case DATE -> 10;
            case TIME, TIME_TZ -> 10 + fraction(column);
            case TIMESTAMP, TIMESTAMP_TZ -> 19 + fraction(column);
            case VARCHAR, CHAR -> column.length() * BYTES_OF_LETTER;
            case UUID -> 36 * BYTES_OF_LETTER;
            default -> MAX_TEXT_LENGTH * BYTES_OF_LETTER;
        };
    }

    private static int fraction(SqlColumn column) {
        int digits = decimals(column);
        return digits == 0 ? 0 : digits + 1;
    }

    /** Returns the number of fraction digits. */
    static int decimals(SqlColumn column) {
        return switch (column.type()) {
            case NUMERIC -> Math.min(column.scale(), 30);
            case REAL, DOUBLE -> ANY_DECIMALS;
            case TIME, TIMESTAMP, TIME_TZ, TIMESTAMP_TZ -> Math.min(column.scale(), MICROS);
            default -> 0;
        };
    }

    static int flags(SqlColumn column) {
        int ofTable = (column.inTable().isKey() ? KEY_FLAG | NOT_NULL_FLAG : 0)
                | (column.inTable().isIdentity() ? IDENTITY_FLAG : 0);
        return ofTable | flagsOfType(column);
    }

    private static int flagsOfType(SqlColumn column) {
        return switch (column.type()) {
            case BYTES -> BINARY_FLAG | BLOB_FLAG;
            case TEXT -> BLOB_FLAG;
            case BOOLEAN, SMALLINT, INTEGER, BIGINT, NUMERIC, REAL, DOUBLE -> NUMBER_FLAG | BINARY_FLAG;
            case DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> BINARY_FLAG;
            default -> 0;
        };
    }
}
