package io.nightjar.jdbc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The databases with a specific method to obtain the rows that a statement wrote. */
enum JdbcProduct {
    POSTGRESQL,
    H2,
    SQLITE,
    MARIADB,
    HSQLDB,
    DUCKDB,
    /** Any other database: nothing is requested in addition to the results of statements. */
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

    /** Returns whether a statement that fails aborts its transaction. */
    boolean isDoomedByFailure() {
        return this == POSTGRESQL || this == DUCKDB;
    }

    /** Returns whether a definition commits the transaction that contains it. */
    boolean isCommittedByDefinition() {
        return this != POSTGRESQL && this != SQLITE && this != DUCKDB;
    }

    /** Returns whether the database runs in this process: a commit that it rejects has not happened. */
    boolean isEmbedded() {
        return this == SQLITE || this == DUCKDB;
    }

    /**
     * Returns the clause that locks the rows of a read like an update that leaves their keys unchanged; null if none is
     * known.
     */
    @Nullable
    String lockOfUpdates() {
        return switch (this) {
            case POSTGRESQL -> " FOR NO KEY UPDATE";
            case MARIADB, H2 -> " FOR UPDATE";
            case SQLITE, HSQLDB, DUCKDB, OTHER -> null;
        };
    }

    /** Returns whether a backslash in a plain string escapes. */
    boolean hasEscapes() {
        return this == MARIADB;
    }
}
