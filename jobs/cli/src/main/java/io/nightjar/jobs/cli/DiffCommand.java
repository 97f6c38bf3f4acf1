package io.nightjar.jobs.cli;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.ci.BaselineComparison;
import io.nightjar.jobs.ci.CiAnomaly;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.pipeline.explain.StepSentences;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists anomalies that are new or gone in a run, compared with another. */
@Command(
        name = "diff",
        description = {
            "Compare the anomalies of two runs by their fingerprints: type, keys, pattern and shape, without the ids of"
                    + " transactions, so that runs over different recordings can be compared.",
            "Exits 1 if RUN2 has anomalies that RUN1 lacks, else 0."
        },
        footer = {
            "  nightjar diff r20261119T020000Z-1a2b r20261120T020000Z-3c4d",
            "  nightjar diff monday tuesday --lake /data/lake",
            "  nightjar diff monday tuesday --json"
        })
final class DiffCommand implements Callable<Integer> {

    private static final int SHOWN = 10;
    private static final int LISTED = 1_000;
    private static final int MAX_CHARS = 240;

    @Parameters(index = "0", paramLabel = "RUN1", description = "The run before, or a batch of runs.")
    private String before;

    @Parameters(index = "1", paramLabel = "RUN2", description = "The run after, or a batch of runs.")
    private String after;

    @Option(
            converter = StoreAddressConverter.class,
            names = "--lake",
            paramLabel = "DIR",
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private @Nullable Path lake;

    @Option(names = "--json", description = "The same as one JSON object.")
    private boolean json;

    /** One side of the comparison. */
    private record Side(long count, List<CiAnomaly> first) {}

    @Override
    public Integer call() throws IOException {
        Lake opened = Lake.openExisting(lake == null ? SqlCommand.DEFAULT_LAKE : lake);
        List<String> runsBefore = StoredRuns.named(opened, before);
        List<String> runsAfter = StoredRuns.named(opened, after);
        try (BaselineComparison anomalies = BaselineComparison.open(opened)) {
            Set<IsolationLevel> changed = StoredRuns.changedLevels(opened, runsBefore, runsAfter);
            Side appeared = side(anomalies, runsBefore, runsAfter, changed);
            Side gone = side(anomalies, runsAfter, runsBefore, changed);
            anomalies.compareWith(runsBefore, changed);
            long same = anomalies.known(runsAfter);
            System.out.println(json ? json(appeared, gone, same) : text(appeared, gone, same));
            return appeared.count() > 0 ? ExitCode.VIOLATED : ExitCode.HOLDS;
        }
    }

    private static Side side(
            BaselineComparison anomalies, List<String> known, List<String> runs, Set<IsolationLevel> changed) {
        anomalies.compareWith(known, changed);
        return new Side(anomalies.unknown(runs), anomalies.firstNew(runs, LISTED));
    }

    private String text(Side appeared, Side gone, long same) {
        StringBuilder text = new StringBuilder();
        text.append(SanitizedText.flat(before) + " to " + SanitizedText.flat(after) + ": "
                + (appeared.count() > 0 ? AnsiStyle.RED : AnsiStyle.GREEN).on(appeared.count() + " new") + ", "
                + gone.count() + " gone, " + same + " in both");
        add(text, "new", appeared);
        add(text, "gone", gone);
        return text.toString();
    }

    private void add(StringBuilder text, String word, Side side) {
        if (side.count() == 0) {
            return;
        }
        text.append("\n\n").append(word).append(":");
        for (CiAnomaly anomaly :
                side.first().subList(0, Math.min(SHOWN, side.first().size()))) {
            text.append("\n  " + SanitizedText.flat(anomaly.title()) + "  " + anomaly.id() + "\n    "
                    + StepSentences.brief(Objects.requireNonNullElse(anomaly.explanation(), ""), MAX_CHARS));
        }
        if (side.count() > SHOWN) {
            text.append("\n  and " + (side.count() - SHOWN) + " more, "
                    + CommandHint.of("diff", before, after, "--json") + " lists them");
        }
    }

    private String json(Side appeared, Side gone, long same) {
        return new JsonObject()
                .put("schema", 1)
                .put("run1", before)
                .put("run2", after)
                .put("new_count", appeared.count())
                .put("gone_count", gone.count())
                .put("same_count", same)
                .putEach("new", appeared.first(), DiffCommand::object)
                .putEach("gone", gone.first(), DiffCommand::object)
                .text();
    }

    private static JsonObject object(CiAnomaly anomaly) {
        return new JsonObject()
                .put("fingerprint", anomaly.fingerprint())
                .put("id", anomaly.id())
                .put("type", anomaly.type())
                .put("pattern", anomaly.row().pattern())
                .put("level", anomaly.level())
                .put("transactions", anomaly.txnIds())
                .put("key", anomaly.row().objectKey())
                .put("explanation", anomaly.explanation());
    }
}
