package io.nightjar.jobs.mock.wire;

import java.util.ArrayList;
import java.util.List;

/** Statements that create the missing views of a schema, which show H2's catalog as a client's server does. */
public final class CatalogViews {

    private final String schema;
    private final List<String> statements = new ArrayList<>();

    public CatalogViews(String schema) {
        this.schema = schema;
        statements.add("CREATE SCHEMA IF NOT EXISTS " + schema);
    }

    public void add(String name, String query) {
        statements.add("CREATE VIEW IF NOT EXISTS " + schema + "." + name + " AS " + query);
    }

    /**
     * Adds a view without rows.
     *
     * @param columns expressions of its columns
     */
    public void addEmpty(String name, String columns) {
        add(name, "SELECT " + columns + " WHERE FALSE");
    }

    public List<String> statements() {
        return statements;
    }
}
