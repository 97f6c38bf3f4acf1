package io.nightjar.jobs.lake;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult.LevelResult;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Definitions of levels as runs store them, so that runs of versions that defined a level otherwise are not compared at
 * it.
 */
public final class LevelDefinitions {

    /** The name among the options of a run; runs without it used the first definition of each level. */
    public static final String OPTION = "definitions";

    private static final String TIMESTAMPS = "timestamps";

    private LevelDefinitions() {}

    /** Returns the definitions other than the first, as an option; null if none. */
    public static @Nullable String of(Collection<IsolationLevel> levels) {
        StringJoiner definitions = new StringJoiner(",");
        for (IsolationLevel level : levels) {
            if (level.definition() > 1) {
                definitions.add(entry(level));
            }
        }
        return definitions.length() == 0 ? null : definitions.toString();
    }

    private static String entry(IsolationLevel level) {
        return level.longName() + ":" + level.definition();
    }

    /** Returns the levels that some runs and others decided by different definitions. */
    public static Set<IsolationLevel> changedBetween(Collection<StoredRun> before, Collection<StoredRun> after) {
        Set<IsolationLevel> changed = changedSince(before);
        for (IsolationLevel level : changedSince(after)) {
            if (!changed.remove(level)) {
                changed.add(level);
            }
        }
        return changed;
    }

    /**
     * Returns the levels whose definition has changed since one of some runs decided them. Only levels that timestamps
     * decide have ever changed.
     */
    private static Set<IsolationLevel> changedSince(Collection<StoredRun> runs) {
        Set<IsolationLevel> changed = EnumSet.noneOf(IsolationLevel.class);
        for (StoredRun run : runs) {
            Set<String> known = Set.of(OptionsJson.read(run.facts().optionsJson())
                    .getOrDefault(OPTION, "")
                    .split(","));
            for (Map.Entry<IsolationLevel, LevelResult> level :
                    run.result().levels().entrySet()) {
                boolean isOther = level.getKey().definition() > 1 && !known.contains(entry(level.getKey()));
                if (isOther && level.getValue().evidence().equals(TIMESTAMPS)) {
                    changed.add(level.getKey());
                }
            }
        }
        return changed;
    }

    /**
     * Returns a query, for DuckDB and Flink, that applies the rule of {@link #changedBetween} to the tables: the levels
     * of each run that decided them by another definition than this version. Two runs are compared at a level if both
     * or neither are in it.
     */
    public static String sql() {
        StringJoiner definitions = new StringJoiner(", ");
        for (IsolationLevel level : IsolationLevel.values()) {
            if (level.definition() > 1) {
                definitions.add("('" + level.longName() + "', '%," + entry(level) + ",%')");
            }
        }
        return """
                SELECT v.run_id, v.level FROM level_verdicts v
                JOIN runs r ON r.run_id = v.run_id
                JOIN (VALUES %s) AS defined (level, entry) ON defined.level = v.level
                WHERE v.evidence = '%s'
                AND (',' || COALESCE(REGEXP_EXTRACT(r.options_json, '"%s":"([^"]*)"', 1), '') || ',') NOT LIKE defined.entry"""
                .formatted(definitions, TIMESTAMPS, OPTION);
    }
}
