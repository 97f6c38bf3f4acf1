package io.nightjar.jdbc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The databases that are asked in their own way for the rows that a statement wrote. */
enum JdbcProduct {
    POSTGRESQL,
    H2,
    SQLITE,
    MARIADB,
    HSQLDB,
    DUCKDB,
    /** Any other database: nothing is asked for besides what statements return. */
    OTHER;

    static JdbcProduct of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("hsql")) {
            return HSQLDB;
        }
        for (JdbcProduct one : values()) {
            if (lower.equals(one.name().toLowerCase(Locale.ROOT))) {
                return one;
            }
        }
        return OTHER;
    }

    /** Whether a statement that fails takes its transaction with it. */
    boolean isDoomedByFailure() {
        return this == POSTGRESQL || this == DUCKDB;
    }

    /** Whether a definition commits the transaction that it stands in. */
    boolean isCommittedByDefinition() {
        return this != POSTGRESQL && this != SQLITE && this != DUCKDB;
    }

    /** Whether it runs in this process: what its commit refuses has not happened. */
    boolean isEmbedded() {
        return this == SQLITE || this == DUCKDB;
    }

    /** What locks the rows that a read returns as an update does that leaves their keys; null where nothing is known to. */
    @Nullable
    String lockOfUpdates() {
        return switch (this) {
            case POSTGRESQL -> " FOR NO KEY UPDATE";
            case MARIADB, H2 -> " FOR UPDATE";
            case SQLITE, HSQLDB, DUCKDB, OTHER -> null;
        };
    }

    /** Whether a backslash in a plain string escapes. */
    boolean hasEscapes() {
        return this == MARIADB;
    }
}
