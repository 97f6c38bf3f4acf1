package io.nightjar.jobs.cli;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.StoredRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The exit code of runs in a lake. */
@Command(
        name = "verdict",
        description = {
            "Exit as the check did that wrote a run; without --run as the last check did, over all its histories.",
            "Rejected histories left nothing in the lake, so their exit code 3 is not repeated."
        },
        footer = {
            "  nightjar verdict nightjar-lake",
            "  nightjar verdict /data/lake --run r20261120T020000Z-3c4d",
            "  nightjar verdict nightjar-lake --json --quiet"
        })
final class VerdictCommand implements Callable<Integer> {

    @Parameters(
            converter = StoreAddressConverter.class,
            arity = "0..1",
            paramLabel = "LAKE",
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private Path lake = SqlCommand.DEFAULT_LAKE;

    @Option(
            names = {"--run", "--run-id"},
            paramLabel = "ID",
            description = "This run, or the runs of this batch. Default: the last batch.")
    private @Nullable String run;

    @Option(names = "--json", description = "The results, as check --json printed them.")
    private boolean json;

    @Override
    public Integer call() {
        Lake opened = Lake.openExisting(lake);
        int code = ExitCode.HOLDS;
        for (StoredRun each : runs(opened)) {
            System.out.println(json ? RunResultJson.write(each.result()) : line(each));
            code = ExitCode.worse(code, ExitCode.of(each.result().verdict()));
        }
        return code;
    }

    private List<StoredRun> runs(Lake opened) {
        if (run == null) {
            List<StoredRun> latest = StoredRuns.latestBatch(opened);
            if (latest.isEmpty()) {
                throw new UsageException("no complete run: lake=" + lake);
            }
            return latest;
        }
        List<StoredRun> runs = new ArrayList<>();
        for (String id : StoredRuns.named(opened, run)) {
            opened.completedRun(id).ifPresent(runs::add);
        }
        return runs;
    }

    private static String line(StoredRun run) {
        RunResult result = run.result();
        StringJoiner levels = new StringJoiner(", ");
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            levels.add(
                    level.getKey().longName() + " " + level.getValue().verdict().word());
        }
        return run.runId() + "  "
                + AnsiStyle.of(result.verdict()).on(result.verdict().word()) + "  "
                + SanitizedText.flat(result.history()) + "  (" + levels + ")";
    }
}
