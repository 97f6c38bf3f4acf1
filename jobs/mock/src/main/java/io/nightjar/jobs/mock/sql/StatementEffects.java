package io.nightjar.jobs.mock.sql;

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
public record StatementEffects(
        boolean changesTables,
        @Nullable Set<String> targets,
        @Nullable Set<String> blindKey,
        @Nullable Set<String> named,
        @Nullable Set<String> assigned) {

    /** A query, or what reads nothing. */
    public static final StatementEffects OTHER = new StatementEffects(false, Set.of(), null, null, null);

    /** A query that locks what it reads. */
    public static final StatementEffects LOCKING = new StatementEffects(false, null, null, null, null);

    static final StatementEffects TABLES = new StatementEffects(true, Set.of(), null, null, null);

    /**
     * A statement that changes a table.
     *
     * @param blindKey the columns of its condition, if it sets constants where these are constants; else null
     */
    public static StatementEffects changing(String table, @Nullable Set<String> blindKey) {
        return new StatementEffects(false, Set.of(table), blindKey, null, null);
    }

    /** A statement that changes these tables. */
    public static StatementEffects changingAll(Set<String> tables) {
        return new StatementEffects(false, Set.copyOf(tables), null, null, null);
    }

    /** Returns a copy for a statement in which these names stand, and which gives these columns values; null as above. */
    public StatementEffects naming(@Nullable Set<String> names, @Nullable Set<String> columns) {
        return new StatementEffects(changesTables, targets, blindKey, names, columns);
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
