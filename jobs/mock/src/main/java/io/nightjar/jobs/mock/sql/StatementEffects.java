package io.nightjar.jobs.mock.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tables that a statement changes and columns that it depends on, as far as a mock requires.
 *
 * @param changesTables whether it creates or alters tables, which is outside of the history
 * @param targets tables that it changes or locks; null for all
 * @param blindKey columns that identify the single row in which it sets constants; null for any other statement
 * @param named names in it that may be columns whose values it depends on; null if all may
 * @param assigned columns that it assigns; null if only the values determine them
 */
public record StatementEffects(
        boolean changesTables,
        @Nullable Set<String> targets,
        @Nullable Set<String> blindKey,
        @Nullable Set<String> named,
        @Nullable Set<String> assigned) {

    /** A query, or a statement that reads nothing. */
    public static final StatementEffects OTHER = new StatementEffects(false, Set.of(), null, null, null);

    /** A query that locks the rows that it reads. */
    public static final StatementEffects LOCKING = new StatementEffects(false, null, null, null, null);

    static final StatementEffects TABLES = new StatementEffects(true, Set.of(), null, null, null);

    /**
     * Creates the effects of a statement that changes a table.
     *
     * @param blindKey the columns of its condition, if it sets constants where these are constants; else null
     */
    public static StatementEffects changing(String table, @Nullable Set<String> blindKey) {
        return new StatementEffects(false, Set.of(table), blindKey, null, null);
    }

    /** Creates the effects of a statement that changes these tables. */
    public static StatementEffects changingAll(Set<String> tables) {
        return new StatementEffects(false, Set.copyOf(tables), null, null, null);
    }

    /** Returns a copy for a statement with these names and assigned columns; null as above. */
    public StatementEffects naming(@Nullable Set<String> names, @Nullable Set<String> columns) {
        return new StatementEffects(changesTables, targets, blindKey, names, columns);
    }

    /** Returns the table that the statement changes, null if it changes none or several. */
    @Nullable
    String target() {
        return targets == null || targets.size() != 1
                ? null
                : targets.iterator().next();
    }

    boolean isTarget(String table) {
        return targets == null || targets.contains(table);
    }
}
