package io.nightjar.jobs.cli;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.SpellingSuggestions;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LevelDefinitions;
import io.nightjar.jobs.lake.StoredRun;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the runs of a lake that a user means. */
final class StoredRuns {

    /** Compares runs by age, from old to new. */
    static final Comparator<StoredRun> BY_AGE =
            Comparator.comparing((StoredRun run) -> run.facts().startedAt()).thenComparing(StoredRun::runId);

    private StoredRuns() {}

    /**
     * Returns the run of this id, or the runs of the batch of this id.
     *
     * @throws UsageException if neither exists
     */
    static List<String> named(Lake lake, String name) {
        if (lake.completeRuns().contains(name)) {
            return List.of(name);
        }
        List<String> ofBatch = lake.storedRuns().stream()
                .filter(run -> name.equals(run.facts().batchId()))
                .map(StoredRun::runId)
                .toList();
        if (ofBatch.isEmpty()) {
            throw new UsageException("no such run: run=" + name + " lake=" + lake.root()
                    + SpellingSuggestions.hint(
                            name, lake.completeRuns(), "; " + CommandHint.of("lake", lake.root()) + " lists them"));
        }
        return ofBatch;
    }

    /**
     * Returns the levels whose definition changed between some runs and later ones, and notes them.
     */
    static Set<IsolationLevel> changedLevels(Lake lake, List<String> before, List<String> after) {
        Set<IsolationLevel> changed = LevelDefinitions.changedBetween(stored(lake, before), stored(lake, after));
        if (!changed.isEmpty()) {
            Terminal.printNote("the definition of levels has changed since "
                    + String.join(",", before) + ", so their anomalies are not compared: levels="
                    + changed.stream().map(IsolationLevel::longName).collect(Collectors.joining(",")));
        }
        return changed;
    }

    private static List<StoredRun> stored(Lake lake, List<String> runIds) {
        return runIds.stream().flatMap(id -> lake.completedRun(id).stream()).toList();
    }

    /** Returns the runs of the batch that was started last, from old to new; none in an empty lake. */
    static List<StoredRun> latestBatch(Lake lake) {
        List<StoredRun> runs = lake.storedRuns();
        StoredRun latest = runs.stream().max(BY_AGE).orElse(null);
        return runs.stream()
                .filter(run -> run == latest
                        || latest != null
                                && latest.facts().batchId().equals(run.facts().batchId()))
                .sorted(BY_AGE)
                .toList();
    }
}
