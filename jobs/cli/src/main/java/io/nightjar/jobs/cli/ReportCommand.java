package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.artifact.WholeFile;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.report.Report;
import io.nightjar.jobs.report.ReportPage;
import io.nightjar.jobs.report.ReportReader;
import io.nightjar.jobs.sql.CellText;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nightjar report}: writes the content of a lake as one page of HTML. */
@Command(
        name = "report",
        description = {
            "Write one self-contained HTML page: verdicts, anomalies with their cycles and timelines, the shape of the"
                    + " history, lint, cost and provenance.",
            "Without --run, an overview of all histories and the latest run of each."
        },
        footer = {
            "  nightjar report nightjar-lake -o report.html",
            "  nightjar report nightjar-lake --run r20261120T091528Z-3f9a -o report.html",
            "  nightjar report nightjar-lake -o - | gzip > report.html.gz"
        })
final class ReportCommand implements Callable<Integer> {

    @Parameters(
            converter = StoreAddressConverter.class,
            arity = "0..1",
            paramLabel = "LAKE",
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private Path lake = SqlCommand.DEFAULT_LAKE;

    @Option(
            names = {"--run", "--run-id"},
            paramLabel = "ID",
            description = "Show this run only.")
    private @Nullable String runId;

    @Option(
            names = "--baseline",
            paramLabel = "ID",
            description = "The run to compare with, for new anomalies. Default: the run before of the same history.")
    private @Nullable String baseline;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            required = true,
            description = "The page; one of that name is replaced when the new one is complete. - prints it.")
    private Path out;

    @Option(names = "--json", description = "Print a summary of the output as a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        long startNs = System.nanoTime();
        boolean isPrinted = out.toString().equals("-");
        if (isPrinted && json) {
            throw new UsageException("two results on standard output: -o=- option=--json; give one of them");
        }
        if (!isPrinted) {
            OutputPaths.checkFile(out);
        }
        Lake opened = Lake.openExisting(lake);
        Report report;
        try (SqlSession session = SqlSession.open(opened)) {
            ReportReader reader = new ReportReader(opened, session, Version.number(), true);
            report = runId == null ? reader.lake(baseline) : reader.run(runId, baseline);
        }
        byte[] page = ReportPage.write(report).getBytes(StandardCharsets.UTF_8);
        if (isPrinted) {
            System.out.write(page);
            System.out.flush();
            return ExitCode.HOLDS;
        }
        WholeFile.write(out, page);
        if (json) {
            System.out.println(CellText.text(facts(report, page.length, (System.nanoTime() - startNs) / 1e9)));
        } else {
            Terminal.printNote("wrote " + out + ": verdict=" + report.verdict() + " runs="
                    + report.runs().size() + " anomalies=" + report.anomalyCount() + " listed=" + report.listedCount()
                    + " bytes=" + page.length);
        }
        return ExitCode.HOLDS;
    }

    private Map<String, Object> facts(Report report, int bytes, double seconds) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("schema", 1L);
        facts.put("out", out.toString());
        facts.put("lake", lake.toString());
        facts.put("verdict", report.verdict());
        facts.put("histories", (long) Math.max(1, report.histories().size()));
        facts.put("runs", report.runIds());
        facts.put("anomalies", report.anomalyCount());
        facts.put("anomalies_listed", report.listedCount());
        facts.put("bytes", (long) bytes);
        facts.put("seconds", Math.round(seconds * 1000) / 1000.0);
        return facts;
    }
}
