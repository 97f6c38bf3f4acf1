package io.nightjar.jobs.mock.engine;

import java.util.Set;

/**
 * How a statement is to read.
 *
 * @param changesTables whether it makes or alters tables, which is outside of the history
 * @param targets tables that it changes or locks; null for all
 * @param blindKey columns of which it gives the values of the one row that it sets to constants; null if it is none of that kind
 */
public record StatementKind(boolean changesTables, Set<String> targets, Set<String> blindKey) {

    /** A query, or what reads nothing. */
    public static final StatementKind OTHER = new StatementKind(false, Set.of(), null);

    /** A query that locks what it reads. */
    public static final StatementKind LOCKING = new StatementKind(false, null, null);

    static final StatementKind TABLES = new StatementKind(true, Set.of(), null);

    /**
     * A statement that changes a table.
     *
     * @param blindKey the columns of its condition, if it sets constants where these are constants; else null
     */
    public static StatementKind changing(String table, Set<String> blindKey) {
        return new StatementKind(false, Set.of(table), blindKey);
    }

    boolean isTarget(String table) {
        return targets == null || targets.contains(table);
    }
}
