package io.nightjar.jobs.mock.engine;

import org.h2.engine.Mode;

/** Whose SQL a session speaks; sessions of both may be on the same tables. */
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
