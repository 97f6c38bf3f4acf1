package io.nightjar.jobs.cli;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.StoredRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the runs of a lake and their sizes, and deletes runs. */
@Command(
        name = "lake",
        description = {
            "List the runs of a lake with their sizes, delete some, or keep the last ones only.",
            "A run that a process is writing is never touched; two commands at once stay safe."
        },
        footer = {
            "  nightjar lake nightjar-lake",
            "  nightjar lake nightjar-lake delete r20261120T020000Z-3c4d",
            "  nightjar lake nightjar-lake retain --keep-last 10 --older-than 30d"
        })
final class LakeCommand implements Callable<Integer> {

    private static final String LIST = "list";
    private static final String DELETE = "delete";
    private static final String RETAIN = "retain";
    private static final List<String> ACTIONS = List.of(LIST, DELETE, RETAIN);

    @Parameters(
            arity = "0..*",
            paramLabel = "[LAKE] [ACTION] [RUN]",
            hideParamSyntax = true,
            description =
                    "The lake (default: nightjar-lake); then list (default), delete with the ids of runs, or retain"
                            + " with one of the options below. The action may precede the lake.")
    private List<String> words = List.of();

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            description = "Of each history keep the N runs that were started last; the others go.")
    private @Nullable Integer keepLast;

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = DurationConverter.class,
            description = "Only runs that were started so long ago go, such as 30d or 12h. With --keep-last, a run goes"
                    + " if both let it.")
    private @Nullable Duration olderThan;

    @Option(names = "--dry-run", description = "List the runs to delete, without deleting them.")
    private boolean isDryRun;

    @Option(names = "--json", description = "One JSON object a run.")
    private boolean json;

    private Lake lake;

    @Override
    @SetsFields
    public Integer call() throws IOException {
        List<String> left = new ArrayList<>(words);
        String action = !left.isEmpty() && ACTIONS.contains(left.get(0)) ? left.remove(0) : null;
        boolean isLakeGiven =
                !left.isEmpty() && (action == null || Files.isDirectory(OutputPaths.folder("LAKE", left.get(0))));
        Path root = isLakeGiven ? OutputPaths.folder("LAKE", left.remove(0)) : SqlCommand.DEFAULT_LAKE;
        if (action == null && !left.isEmpty() && ACTIONS.contains(left.get(0))) {
            action = left.remove(0);
        }
        boolean areOptions = keepLast != null || olderThan != null;
        if (action == null) {
            action = areOptions ? RETAIN : LIST;
        }
        check(action, left, areOptions);
        lake = Lake.openExisting(root);
        switch (action) {
            case DELETE -> delete(left);
            case RETAIN -> retain();
            default -> list();
        }
        return ExitCode.HOLDS;
    }

    private void check(String action, List<String> runs, boolean areOptions) {
        if (!action.equals(DELETE) && !runs.isEmpty()) {
            throw new UsageException(
                    "unknown action: action=" + runs.get(0) + " expected=" + String.join("|", ACTIONS));
        }
        if (action.equals(DELETE) && runs.isEmpty()) {
            throw new UsageException("nothing to delete: runs=0; name their ids");
        }
        if (action.equals(RETAIN) && !areOptions) {
            throw new UsageException(
                    "number or age of runs to retain is missing: add --keep-last N or --older-than AGE");
        }
        if (!action.equals(RETAIN) && areOptions) {
            throw new UsageException("--keep-last and --older-than are for retain: action=" + action);
        }
        if (keepLast != null && keepLast < 0) {
            throw new UsageException("negative number: --keep-last=" + keepLast);
        }
    }

    // ---------------------------------------------------------------- list

    private void list() throws IOException {
        List<StoredRun> runs = new ArrayList<>(lake.storedRuns());
        runs.sort(StoredRuns.BY_AGE);
        long total = 0;
        for (StoredRun run : runs) {
            long bytes = lake.sizeOf(run.runId());
            total += bytes;
            if (json) {
                printJson(run.runId(), run, bytes, null);
            } else {
                System.out.println("%-24s  %s  %s  %9s  %s"
                        .formatted(
                                run.runId(),
                                run.facts().startedAt().truncatedTo(ChronoUnit.SECONDS),
                                AnsiStyle.of(run.result().verdict())
                                        .on("%-9s"
                                                .formatted(
                                                        run.result().verdict().word())),
                                size(bytes),
                                SanitizedText.flat(run.facts().historyUri())));
            }
        }
        int incomplete = 0;
        for (String runId : lake.incompleteRuns()) {
            long bytes = lake.sizeOf(runId);
            total += bytes;
            incomplete++;
            if (json) {
                printJson(runId, null, bytes, null);
            } else {
                System.out.println("%-24s  not complete: being written, or left by a process that died  %s"
                        .formatted(runId, size(bytes)));
            }
        }
        if (!json) {
            System.out.println("%d run%s%s, %s"
                    .formatted(
                            runs.size(),
                            runs.size() == 1 ? "" : "s",
                            incomplete == 0 ? "" : ", " + incomplete + " not complete",
                            size(total)));
        }
    }

    // ---------------------------------------------------------------- delete

    private void delete(List<String> names) throws IOException {
        List<String> incomplete = List.copyOf(lake.incompleteRuns());
        List<String> ids = new ArrayList<>();
        for (String name : names) {
            ids.addAll(incomplete.contains(name) ? List.of(name) : StoredRuns.named(lake, name));
        }
        for (String runId : ids) {
            remove(runId, lake.completedRun(runId).orElse(null), true);
        }
    }

    private void retain() throws IOException {
        List<StoredRun> runs = new ArrayList<>(lake.storedRuns());
        runs.sort(StoredRuns.BY_AGE.reversed());
        Instant before = olderThan == null ? Instant.MAX : Instant.now().minus(olderThan);
        Map<String, Integer> newerOf = new HashMap<>();
        int kept = 0;
        for (StoredRun run : runs) {
            int newer = newerOf.merge(run.historyId(), 1, Integer::sum) - 1;
            boolean isOldEnough = run.facts().startedAt().isBefore(before);
            boolean areEnoughNewer = keepLast == null || newer >= keepLast;
            if (isOldEnough && areEnoughNewer) {
                remove(run.runId(), run, false);
            } else {
                kept++;
            }
        }
        if (!json) {
            System.out.println(kept + " kept");
        }
    }

    /** @param isAsked whether the user named the run, and gets a message if it stays */
    private void remove(String runId, @Nullable StoredRun run, boolean isAsked) throws IOException {
        long bytes = lake.sizeOf(runId);
        if (!isDryRun && !lake.delete(runId)) {
            if (isAsked) {
                throw new UsageException("run is being written by another process: run=" + runId + "; wait for it");
            }
            return;
        }
        if (json) {
            printJson(runId, run, bytes, !isDryRun);
        } else {
            System.out.println((isDryRun ? "would delete " : "deleted ") + runId + "  " + size(bytes)
                    + (run == null ? "" : "  " + SanitizedText.flat(run.facts().historyUri())));
        }
    }

    /** @param deleted null if nothing is deleted here */
    private void printJson(String runId, @Nullable StoredRun run, long bytes, @Nullable Boolean deleted) {
        System.out.println(JsonObjectText.of(out -> {
            out.writeNumberField("schema", 1);
            out.writeStringField("run_id", runId);
            out.writeBooleanField("complete", run != null);
            if (run != null) {
                out.writeStringField("history_id", run.historyId());
                out.writeStringField("history", run.facts().historyUri());
                out.writeStringField("batch_id", run.facts().batchId());
                out.writeStringField("verdict", run.result().verdict().word());
                out.writeStringField("started_at", run.facts().startedAt().toString());
                out.writeStringField("finished_at", run.facts().finishedAt().toString());
                JsonNumbers.write(
                        out, "anomalies", run.result().report().faults().count());
                out.writeNumberField("schema_version", run.schemaVersion());
            }
            JsonNumbers.write(out, "bytes", bytes);
            if (deleted != null) {
                out.writeBooleanField("deleted", deleted);
            }
        }));
    }

    private static String size(long bytes) {
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        double number = bytes;
        int unit = 0;
        while (number >= 1024 && unit < units.length - 1) {
            number /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
    }
}
