package io.nightjar.jobs.cli;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.artifact.WholeFile;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.report.TimelineText;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.ResultSink;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredRows;
import io.nightjar.jobs.sql.StoredStory;
import io.nightjar.pipeline.explain.PictureMaker;
import io.nightjar.pipeline.explain.StepSentences;
import io.nightjar.pipeline.explain.SvgDrawing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One anomaly, so that a person believes it; without one, the list to choose from. */
@Command(
        name = "explain",
        description = {
            "Show one anomaly: its transactions with the operations that matter, the rule, why it is broken, and the"
                    + " SQL that fetches the rows.",
            "Without ANOMALY, list the anomalies of the latest run of each history."
        },
        footer = {
            "  nightjar explain                                   the anomalies of nightjar-lake",
            "  nightjar explain a1b2c3",
            "  nightjar explain a1b2c3 --timeline",
            "  nightjar explain /data/lake a1b2c3 --svg cycle.svg"
        })
final class ExplainCommand implements Callable<Integer> {

    private static final int LISTED = 20;

    @Parameters(
            converter = StoreAddressConverter.class,
            index = "0",
            arity = "0..1",
            paramLabel = "LAKE",
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private Path lake = SqlCommand.DEFAULT_LAKE;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ANOMALY",
            description =
                    "The anomaly's id, or enough of its first characters. A single argument that is no folder is the id.")
    private @Nullable String anomaly;

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description = "Search this run only. Default: all runs, latest first.")
    private @Nullable String runId;

    @Option(names = "--json", description = "The same facts as a JSON object.")
    private boolean json;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Also draw it into a file that any browser shows; - prints the drawing instead.")
    private @Nullable String svg;

    @Option(
            names = "--timeline",
            description = "Show when its transactions ran instead: a lane for each session, in at most 25 lines.")
    private boolean timeline;

    @Override
    public Integer call() throws IOException {
        if (anomaly == null && !lake.equals(SqlCommand.DEFAULT_LAKE) && !Files.isDirectory(lake)) {
            anomaly = lake.toString();
            lake = SqlCommand.DEFAULT_LAKE;
        }
        if (timeline && (json || anomaly == null)) {
            throw new UsageException(
                    json
                            ? "two results on standard output: option=--timeline option=--json; give one of them"
                            : "nothing to show: option=--timeline; name the anomaly, " + CommandHint.of("explain", lake)
                                    + " lists them");
        }
        if (anomaly == null && svg != null) {
            throw new UsageException("nothing to draw: option=--svg; name the anomaly, "
                    + CommandHint.of("explain", lake) + " lists them");
        }
        Lake opened = Lake.openExisting(lake);
        if (runId != null && opened.completedRun(runId).isEmpty()) {
            throw new UsageException("no such run: run-id=" + runId + " lake=" + lake);
        }
        try (SqlSession session = SqlSession.open(opened)) {
            if (runId != null) {
                session.restrictTo(runId);
            }
            AnomalyLookup lookup = new AnomalyLookup(session);
            if (anomaly == null) {
                list(lookup);
            } else {
                StoredAnomaly found = lookup.read(NamedAnomaly.resolve(lookup, anomaly, lake));
                if (draw(svg, found)) {
                    return ExitCode.HOLDS;
                }
                if (timeline) {
                    int columns = Terminal.stdoutIsTerminal() ? Terminal.width() : ExplainPage.MAX_WIDTH;
                    new TimelineText(found, columns).lines().forEach(System.out::println);
                } else if (json) {
                    System.out.println(ExplainJson.write(found));
                } else {
                    new ExplainPage(found).lines().forEach(System.out::println);
                    if (Terminal.stdoutIsTerminal()) {
                        new TimelineText(found, Terminal.width()).linesIfWhole().forEach(System.out::println);
                    }
                }
            }
        }
        return ExitCode.HOLDS;
    }

    /** Returns whether the drawing replaces the page. */
    private static boolean draw(@Nullable String file, StoredAnomaly anomaly) throws IOException {
        if (file == null) {
            return false;
        }
        ExplainedFinding story = StoredStory.of(anomaly)
                .orElseThrow(() -> new UsageException(
                        "anomaly of a later version, which this version cannot draw: anomaly=" + anomaly.id() + " type="
                                + anomaly.row().anomalyType() + "; draw it with the version that wrote it"));
        String text = SvgDrawing.draw(PictureMaker.picture(story));
        if (file.equals("-")) {
            System.out.print(text);
            return true;
        }
        Path path = OutputPaths.localPath("output", file);
        Path parent = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path) || parent == null) {
            throw new UsageException("output is a directory: path=" + path + "; give a file");
        }
        if (!Files.isDirectory(parent)) {
            throw new UsageException("no such directory: path=" + parent + "; make it first");
        }
        WholeFile.write(path, text.getBytes(StandardCharsets.UTF_8));
        return false;
    }

    private void list(AnomalyLookup lookup) {
        List<AnomalyLookup.Listed> rows = lookup.list(LISTED + 1);
        if (rows.isEmpty()) {
            Terminal.printNote("no anomalies: lake=" + lake);
            return;
        }
        List<AnomalyLookup.Listed> shown = rows.subList(0, Math.min(LISTED, rows.size()));
        if (json) {
            ResultSink sink = OutputMode.JSON.sink(System.out, 0, Integer.MAX_VALUE);
            sink.begin(List.copyOf(StoredRows.cells(rows.get(0)).keySet()));
            shown.forEach(row -> sink.row(new ArrayList<>(StoredRows.cells(row).values())));
            sink.end();
        } else {
            int columns = Terminal.stdoutIsTerminal() ? Terminal.width() : ExplainPage.MAX_WIDTH;
            shown.forEach(row -> {
                System.out.println(row.anomalyId() + "  " + SanitizedText.flat(row.title()));
                System.out.println("    " + StepSentences.brief(row.explanation(), columns - 4));
            });
        }
        if (rows.size() > LISTED) {
            Terminal.printNote(
                    "more anomalies exist; " + CommandHint.of("sql", "--lake", lake, "FROM anomalies") + " lists all");
        }
    }
}
