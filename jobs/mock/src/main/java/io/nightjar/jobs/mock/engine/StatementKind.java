package io.nightjar.jobs.mock.engine;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which tables a statement changes and which columns matter to it, as far as a mock has to know.
 *
 * @param changesTables whether it makes or alters tables, which is outside of the history
 * @param targets tables that it changes or locks; null for all
 * @param blindKey columns of which it gives the values of the one row that it sets to constants; null if it is none of that kind
 * @param named names in it that may be columns whose values matter to it; null if all may
 * @param assigned columns that it gives values; null if only the values tell
 */
public record StatementKind(
        boolean changesTables,
        @Nullable Set<String> targets,
        @Nullable Set<String> blindKey,
        @Nullable Set<String> named,
        @Nullable Set<String> assigned) {

    /** A query, or what reads nothing. */
    public static final StatementKind OTHER = new StatementKind(false, Set.of(), null, null, null);

    /** A query that locks what it reads. */
    public static final StatementKind LOCKING = new StatementKind(false, null, null, null, null);

    static final StatementKind TABLES = new StatementKind(true, Set.of(), null, null, null);

    /**
     * A statement that changes a table.
     *
     * @param blindKey the columns of its condition, if it sets constants where these are constants; else null
     */
    public static StatementKind changing(String table, @Nullable Set<String> blindKey) {
        return new StatementKind(false, Set.of(table), blindKey, null, null);
    }

    /** A statement that changes these tables. */
    public static StatementKind changingAll(Set<String> tables) {
        return new StatementKind(false, Set.copyOf(tables), null, null, null);
    }

    /** Returns a copy for a statement in which these names stand, and which gives these columns values; null as above. */
    public StatementKind naming(@Nullable Set<String> names, @Nullable Set<String> columns) {
        return new StatementKind(changesTables, targets, blindKey, names, columns);
    }

    /** The table that the statement changes, null if that is not one. */
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
