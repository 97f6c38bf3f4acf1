package io.nightjar.jobs.record.command;

import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.SqlDialect.Certificates;
import io.nightjar.datasets.jdbc.SqlFailure;
import io.nightjar.datasets.jdbc.SqlIsolation;
import io.nightjar.datasets.workload.Assertion;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.record.RecordOptions;
import io.nightjar.jobs.record.RecordedHistory;
import io.nightjar.jobs.record.Recording;
import io.nightjar.jobs.record.RecordingFailedException;
import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command that runs a workload against a real database and archives the observations of its clients. */
@Command(
        name = "record",
        description = "Make a history from a workload that runs against a real database over JDBC.",
        footer = {
            "  nightjar record h2.parquet --jdbc jdbc:h2:mem:test --transactions 2000",
            "  nightjar record pg.parquet --jdbc jdbc:postgresql://localhost/test --user me --isolation rr",
            "  nightjar record skew.jsonl --jdbc jdbc:sqlite:test.db --workload write-skew --duration 30s"
        })
final class RecordCommand implements Callable<Integer> {

    private static final long DEFAULT_TRANSACTIONS = 10_000;

    @Parameters(
            paramLabel = "OUT",
            arity = "0..1",
            converter = StoreAddressConverter.class,
            description =
                    "A file, its format by the extension, or a directory if it has none. While the recording lasts it"
                            + " is a directory of parts.")
    private @Nullable Path out;

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            required = true,
            description =
                    "The database's address. Drivers for PostgreSQL, MariaDB, H2, HSQLDB, SQLite and DuckDB are included.")
    private String url;

    @Option(names = "--user", paramLabel = "U", description = "The user who logs in, unless the address names one.")
    private @Nullable String user;

    @Option(
            names = "--password-env",
            paramLabel = "NAME",
            description =
                    "The variable of the environment that holds the password. Without it a terminal is asked, if the"
                            + " database wants one.")
    private @Nullable String passwordVariable;

    @Option(names = "--driver", paramLabel = "JAR", description = "The driver of another database.")
    private @Nullable Path driver;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            defaultValue = "register",
            description =
                    "The workload of the sessions, as for generate: register list hot-keys blind-writes bank write-skew predicate ranges"
                            + " deletes smallbank tpcc voter twitter courseware shopping-cart stack wikipedia epinions"
                            + " (default: ${DEFAULT-VALUE}).")
    private String workload;

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            defaultValue = "serializable",
            description =
                    "read-uncommitted, read-committed, repeatable-read, snapshot or serializable, as far as the database"
                            + " offers it (default: ${DEFAULT-VALUE}).")
    private String isolation;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "16",
            description = "Connections, each on a separate thread (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Option(
            names = "--transactions",
            paramLabel = "N",
            description = "Attempts: committed, aborted and unknown ones (default: " + DEFAULT_TRANSACTIONS + ").")
    private @Nullable Long transactions;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Duration, such as 60s, instead of a number of transactions.")
    private @Nullable Duration duration;

    @Option(
            names = "--ops",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Operations of each transaction, where the workload leaves that open (default: ${DEFAULT-VALUE}).")
    private int ops;

    @Option(
            names = "--reads",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "Share of operations that read, 0 to 1, where the workload leaves that open (default:"
                    + " ${DEFAULT-VALUE}).")
    private double reads;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Rows in use (default: ${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = "--distribution",
            paramLabel = "NAME",
            defaultValue = "uniform",
            description = "uniform, zipfian or hotspot: how operations spread over rows (default: ${DEFAULT-VALUE}).")
    private String distribution;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Transactions begun in a second, by all sessions together; 0 for as many as they can (default:"
                            + " ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Determines the random choices of the workload, not the database's answers (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--certify",
            paramLabel = "auto|none",
            defaultValue = "auto",
            description = "auto: also record the database's order: snapshots and commits where it reports them, else"
                    + " versions of rows. none: record only the view of clients (default: ${DEFAULT-VALUE}).")
    private String certify;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How long the workload runs before anything is recorded (default: ${DEFAULT-VALUE}).")
    private Duration warmUp;

    @Option(
            names = "--for-update",
            description =
                    "Read rows that will be changed with FOR UPDATE, as UPDATE … SET x = x + ? reads them, where the"
                            + " database has that.")
    private boolean locks;

    @Option(
            names = "--assert",
            description =
                    "End with exit code 1 if an assertion of the workload does not hold at its end, and 2 if this is"
                            + " unknown.")
    private boolean asserts;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How often a transaction that the database aborted is tried again, as a new transaction (default:"
                            + " ${DEFAULT-VALUE}).")
    private int retries;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "How long the database may take for an answer; then the transaction is unknown (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description =
                    "How long sessions try to connect again to a database that went away (default: ${DEFAULT-VALUE}).")
    private Duration patience;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Memory limit of the process, set by the launcher (default: 288m); give more for a large database in"
                            + " this process.",
            converter = MemoryConverter.class)
    private @Nullable Long memory;

    @Option(names = "--keep", description = "Leave the tables in the database; the next recording makes them anew.")
    private boolean keep;

    @Option(names = "--ddl", description = "Print the statements that make the tables, and record nothing.")
    private boolean ddl;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.Written.class,
            description = {"Format of OUT; by its extension if not given.", "One of ${COMPLETION-CANDIDATES}."})
    private @Nullable String to;

    @Option(names = "--json", description = "Print a summary of the recording as a JSON object.")
    private boolean json;

    private PrintStream results = System.out;
    private boolean isReported;

    @Override
    public Integer call() throws IOException {
        JdbcAddress address = address();
        Recording recording = new Recording(address, options(address));
        if (ddl) {
            recording.ddl().forEach(statement -> System.out.println(statement + ";"));
            return ExitCode.HOLDS;
        }
        RecordedHistory history;
        results = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)); // HSQLDB prints
        try {
            history = record(recording, address);
        } finally {
            System.setOut(results);
        }
        Terminal.printNote(String.format(
                Locale.ROOT,
                "wrote %s: database=%s isolation=%s transactions=%d committed=%d aborted=%d unknown=%d operations=%d"
                        + " certificates=%s log=%s seconds=%.1f",
                out,
                history.origin().database(),
                history.origin().isolation(),
                history.totals().transactions(),
                history.totals().committed(),
                history.totals().aborted(),
                history.totals().unknown(),
                history.totals().operations(),
                history.proof().certificates(),
                history.proof().log(),
                history.seconds()));
        if (history.proof().doubt() != null) {
            Terminal.printNote(history.proof().doubt());
        }
        List<Assertion> broken = history.broken();
        if (broken != null) {
            broken.forEach(
                    assertion -> Terminal.printNote("does not hold: " + assertion.name() + ", " + assertion.meaning()));
        }
        if (asserts && broken == null) {
            Terminal.printNote("the workload's assertions cannot be decided: "
                    + (history.totals().unknown() > 0
                            ? "unknown=" + history.totals().unknown() + ", which committed or not"
                            : "rows that they need have been written over; run fewer transactions"));
        }
        if (json) {
            System.out.println(summary(history));
        }
        if (!asserts) {
            return ExitCode.HOLDS;
        }
        return broken == null ? ExitCode.UNDECIDED : broken.isEmpty() ? ExitCode.HOLDS : ExitCode.VIOLATED;
    }

    private JdbcAddress address() {
        String password = null;
        if (passwordVariable != null) {
            password = System.getenv(passwordVariable);
            if (password == null) {
                throw new UsageException("no such variable of the environment: --password-env=" + passwordVariable);
            }
        }
        if (timeout.toMillis() < 1) {
            throw new UsageException("out of range: timeout=" + timeout.toMillis() + "ms min=1ms");
        }
        try {
            return JdbcAddress.of(url, user, password, driver, timeout);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(wrong.getMessage(), wrong);
        }
    }

    private RecordOptions options(JdbcAddress address) {
        if (out == null && !ddl) {
            throw new UsageException("no output given; name a file, or ask for --ddl only");
        }
        if (transactions != null && duration != null) {
            throw new UsageException("two ends given: --transactions=" + transactions + " --duration="
                    + duration.toMillis() + "ms; choose one");
        }
        if (!certify.equals("auto") && !certify.equals("none")) {
            throw new UsageException("unknown certificates: --certify=" + certify + " expected=auto|none");
        }
        long maxTxns =
                duration != null ? RecordOptions.UNBOUNDED : transactions == null ? DEFAULT_TRANSACTIONS : transactions;
        try {
            SqlIsolation asked = SqlIsolation.byName(isolation);
            Certificates certificates = certify.equals("auto") ? address.certificates(asked) : Certificates.NONE;
            return new RecordOptions(
                    new RecordOptions.Output(out, to, certificates, keep),
                    new RecordOptions.Programs(workload, ops, reads, keys, KeyDistribution.byName(distribution), locks),
                    new RecordOptions.Clients(sessions, rate, retries, patience),
                    new RecordOptions.Length(maxTxns, duration, warmUp),
                    asked,
                    seed);
        } catch (IllegalArgumentException outOfRange) {
            throw new UsageException(outOfRange.getMessage(), outOfRange);
        }
    }

    private RecordedHistory record(Recording recording, JdbcAddress address) throws IOException {
        try {
            return run(recording);
        } catch (RecordingFailedException failed) {
            String password = isPasswordWanted(failed) ? ask() : null;
            if (password != null) {
                JdbcAddress other = address.withPassword(password);
                return runAgain(new Recording(other, options(other)));
            }
            reportIncomplete(recording, failed.getMessage());
            throw failed;
        } catch (IOException failed) {
            reportIncomplete(recording, failed.getMessage());
            throw failed;
        }
    }

    private RecordedHistory runAgain(Recording recording) throws IOException {
        try {
            return run(recording);
        } catch (IOException failed) {
            reportIncomplete(recording, failed.getMessage());
            throw failed;
        }
    }

    private RecordedHistory run(Recording recording) throws IOException {
        Thread stopper = new Thread(
                () -> {
                    recording.stop();
                    reportIncomplete(recording, "stopped");
                },
                "stop-recording");
        Runtime.getRuntime().addShutdownHook(stopper);
        long total = duration == null ? (transactions == null ? DEFAULT_TRANSACTIONS : transactions) : -1;
        try (Progress progress =
                Progress.start("recording", "transactions", total).telling(recording::liveLine)) {
            return recording.run(progress::advance, Terminal::printNote);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(stopper);
            } catch (IllegalStateException endOfProcess) {
                Terminal.printNote("stopped");
            }
        }
    }

    /** Reports an incomplete recording, once even if a signal and a failure coincide. */
    private synchronized void reportIncomplete(Recording recording, @Nullable String reason) {
        RecordedHistory history = json && !isReported ? recording.incomplete(String.valueOf(reason)) : null;
        if (history != null) {
            results.println(summary(history));
            results.flush();
            isReported = true;
        }
    }

    private boolean isPasswordWanted(RecordingFailedException failed) {
        return passwordVariable == null
                && Terminal.stdinIsTerminal()
                && failed.getCause() instanceof SQLException reason
                && SqlFailure.isPasswordWanted(reason);
    }

    private static @Nullable String ask() {
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("password: ");
        return typed == null ? null : new String(typed);
    }

    private String summary(RecordedHistory history) {
        return JsonObjectText.of(object -> {
            object.writeNumberField("schema", 1);
            object.writeStringField("out", history.out());
            object.writeStringField("database", history.origin().database());
            object.writeStringField("isolation", history.origin().isolation());
            object.writeStringField("workload", history.origin().workload());
            object.writeNumberField("transactions", history.totals().transactions());
            object.writeNumberField("committed", history.totals().committed());
            object.writeNumberField("aborted", history.totals().aborted());
            object.writeNumberField("unknown", history.totals().unknown());
            object.writeNumberField("operations", history.totals().operations());
            object.writeStringField("certificates", history.proof().certificates());
            if (asserts && history.broken() != null) {
                object.writeArrayFieldStart("broken");
                for (Assertion assertion : history.broken()) {
                    object.writeString(assertion.name());
                }
                object.writeEndArray();
            }
            JsonNumbers.writeSeconds(object, "seconds", history.seconds());
            object.writeStringField("log", history.proof().log());
            if (history.failed() != null) {
                object.writeBooleanField("complete", false);
                object.writeStringField("error", history.failed());
            }
        });
    }
}
