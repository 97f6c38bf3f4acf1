package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.UnmatchedHint;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** SQL over the anomaly tables and over any history; without a query a prompt. */
@Command(
        name = "sql",
        description = {
            "Query the anomaly tables, or any history, with SQL (DuckDB's).",
            "",
            "Tables: runs level_verdicts anomalies anomaly_txns anomaly_edges lint_findings dead_letters components"
                    + " stages, and the views v_latest_run v_new_anomalies v_anomalies_readable."
                    + " history('FILE') is a table of any history in any format.",
            "Without QUERY, statements are read from standard input; if that is a terminal, a prompt opens."
        },
        footer = {
            "  nightjar sql \"FROM v_anomalies_readable\"",
            "  nightjar sql --json \"SELECT anomaly_type, count(*) AS n FROM anomalies GROUP BY ALL\"",
            "  nightjar sql --csv \"SELECT status, count(*) FROM history('orders.jsonl') GROUP BY ALL\""
        })
final class SqlCommand implements Callable<Integer>, UnmatchedHint {

    static final Path DEFAULT_LAKE = Path.of("nightjar-lake");

    @Parameters(paramLabel = "QUERY", arity = "0..1", description = "One statement, or several with ; between them.")
    private @Nullable String query;

    @Option(
            converter = StoreAddressConverter.class,
            names = "--lake",
            paramLabel = "DIR",
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private @Nullable Path lake;

    @Option(
            names = "--network",
            description = "Let statements install DuckDB's extensions, and read remote files with them.")
    private boolean network;

    @ArgGroup
    private @Nullable Mode mode;

    /** At most one of these. */
    private static final class Mode {

        @Option(names = "--json", description = "A JSON object a row; integers above 2^53 are strings.")
        private boolean json;

        @Option(names = "--csv", description = "Comma-separated values with a header.")
        private boolean csv;

        @Option(names = "--markdown", description = "A Markdown table.")
        private boolean markdown;

        OutputMode outputMode() {
            if (json) {
                return OutputMode.JSON;
            }
            return csv ? OutputMode.CSV : OutputMode.MARKDOWN;
        }
    }

    @Override
    public Integer call() throws IOException {
        OutputMode forPeople = Terminal.stdoutIsTerminal() ? OutputMode.BOX : OutputMode.TABLE;
        OutputMode outputMode = mode == null ? forPeople : mode.outputMode();
        if (query == null && Terminal.stdinIsTerminal() && Terminal.stdoutIsTerminal()) {
            try (SqlSession session = SqlSession.open(openLake(), network)) {
                new SqlPrompt(session, outputMode).run();
            }
            return ExitCode.HOLDS;
        }
        if (query != null && !query.contains(" ") && Files.isDirectory(Path.of(query))) {
            throw new UsageException("a folder is no query: query=" + query + "; name a lake with --lake=" + query);
        }
        String statements = query == null ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : query;
        if (statements.isBlank()) {
            throw new UsageException("no query given; name one as an argument or give it on standard input");
        }
        try (SqlSession session = SqlSession.open(openLake(), network)) {
            session.run(statements, outputMode.sink(System.out, Integer.MAX_VALUE, Terminal.resultWidth()));
        }
        return ExitCode.HOLDS;
    }

    @Override
    public String unmatchedHint() {
        return "one QUERY is expected, in quotes; a lake is named with --lake=DIR";
    }

    /**
     * Opens the lake: an explicit one must exist; the default one need not exist yet, since histories are queried as
     * well.
     */
    private @Nullable Lake openLake() {
        if (lake != null) {
            return Lake.openExisting(lake);
        }
        if (Files.exists(DEFAULT_LAKE)) {
            return Lake.open(DEFAULT_LAKE);
        }
        Terminal.printNote("no anomaly tables here: lake=" + DEFAULT_LAKE + "; all tables are empty");
        return null;
    }
}
