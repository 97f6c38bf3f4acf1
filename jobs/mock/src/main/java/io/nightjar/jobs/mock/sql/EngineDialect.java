package io.nightjar.jobs.mock.sql;

import org.h2.engine.Mode;

/** The SQL dialect of a session; sessions of both dialects may use the same tables. */
public enum EngineDialect {
    POSTGRES("PostgreSQL"),
    MYSQL("MySQL");

    private final Mode mode;

    EngineDialect(String name) {
        this.mode = Mode.getInstance(name);
    }

    Mode mode() {
        return mode;
    }
}
