package io.nightjar.jobs.mock.command;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.AllowedHosts;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.CanonicalOrder;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.StatementOrder;
import io.nightjar.jobs.mock.explore.ReplayFile;
import io.nightjar.jobs.mock.http.MockHttpServer;
import io.nightjar.jobs.mock.replay.RecordedRun;
import io.nightjar.jobs.mock.replay.StatementRecorder;
import io.nightjar.jobs.mock.replay.StatementReplay;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that serves a database whose answers are any that an isolation level allows, until it is stopped. */
@Command(
        name = "mock",
        description = "A database that answers with anything an isolation level allows, for clients of"
                + " PostgreSQL and MySQL."
                + " SET nightjar.phase = 'load' makes later writes the initial state, until 'run'."
                + " It stops at SIGTERM or Ctrl-C.",
        footer = {
            "  nightjar mock --isolation cc --history run.jsonl",
            "  nightjar mock --isolation si --port 0 --seed 7 --json",
            "  nightjar mock --isolation rc --mysql-port 3307",
            "  nightjar mock --isolation rc --choice uniform --staleness 5"
        })
final class MockCommand implements Callable<Integer> {

    private static final int INTERRUPTED = 130;
    private static final int GREATEST_PORT = 65_535;
    private static final long POLL_MS = 250;

    /** Idle time of all clients after which a replay chooses the next waiting client. */
    private static final long SETTLE_MS = 200;

    @Mixin
    private MockSettings settings;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "5433",
            description = "Port for clients of PostgreSQL; 0 chooses a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--mysql-port",
            paramLabel = "N",
            description = "Port for clients of MySQL and MariaDB, on the same tables; 0 chooses a free one.")
    private @Nullable Integer mysqlPort;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description =
                    "Address that accepts SQL as JSON over HTTP: POST {\"session\":\"a\",\"sql\":\"SELECT 1\"} to /sql.")
    private @Nullable String http;

    @Mixin
    private AllowedHosts allowed;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--history",
            paramLabel = "OUT",
            defaultValue = "nightjar-mock.jsonl",
            description = "File of the archive, its format by the extension; an existing file is replaced"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path history;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description =
                    "Repeat a run: process statements in the order of OUT.replay, which a mock wrote next to its archive,"
                            + " with its options; or give the answers that explore kept there, and the newest after these.")
    private @Nullable Path replay;

    @Option(names = "--json", description = "Print a summary of the archive as a JSON object at the end.")
    private boolean json;

    private volatile int stoppedBy = -1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        RecordedRun recorded = replay == null ? null : runToReplay(replay);
        ReplayFile answers = replay == null || recorded != null ? null : answersToReplay(replay);
        MockOptions options =
                answers == null ? settings.options() : settings.options().at(answers.level());
        boolean hasTurns = answers != null && answers.choices().hasTurns();
        if (hasTurns) {
            options = options.inSeries();
        }
        checkPort("--port", port);
        if (mysqlPort != null) {
            checkPort("--mysql-port", mysqlPort);
        }
        checkAddress(http);
        checkArchive(history);
        checkFree(); // before an existing archive is replaced
        CountDownLatch stop = new CountDownLatch(1);
        Signals.register("TERM", () -> stopBy(stop, ExitCode.HOLDS));
        Signals.register("INT", () -> stopBy(stop, INTERRUPTED));
        AnswerChooser chooser = answers == null
                ? new AnswerChooser(options.reads().choice(), options.seed(), false)
                : new AnswerChooser(ChoiceMode.NEWEST, options.seed(), true);
        if (answers != null) {
            chooser.follow(answers.choices());
        }
        StatementReplay order =
                recorded == null ? null : new StatementReplay(recorded, recorder(false), Terminal::complain);
        try (MockDatabase database = open(options, chooser, order == null ? recorder(answers != null) : order);
                MockHttpServer httpServer = openHttp(database)) {
            if (hasTurns) {
                database.store().order(new CanonicalOrder(true, false, null), SETTLE_MS, true);
            }
            MockArchive archive = Objects.requireNonNull(database.store().archive()); // this command always has one
            System.out.println("listening on " + host + ":" + database.port());
            if (mysqlPort != null) {
                System.out.println("listening for MySQL on " + host + ":" + database.mysqlPort());
            }
            System.out.flush();
            if (httpServer != null && http != null) {
                Terminal.printNote(
                        "HTTP at " + http.substring(0, http.lastIndexOf(':') + 1) + httpServer.port() + "/sql");
            }
            if (recorded != null && !recorded.isComplete()) {
                Terminal.complain("the recording has no end, as its mock was killed or the file was cut: --replay="
                        + replay + " steps=" + recorded.count() + "; later statements take effect as they arrive");
            }
            Terminal.printNote("level " + options.level().longName() + ", seed " + options.seed() + ", archive "
                    + history + "; stop with Ctrl-C");
            while (!stop.await(POLL_MS, TimeUnit.MILLISECONDS)) {
                if (archive.failure() != null) {
                    break; // finish reports the failure
                }
            }
            database.finish();
            Terminal.printNote("wrote %s: transactions=%d committed=%d aborted=%d"
                    .formatted(history, archive.txnCount(), archive.committed(), archive.aborted()));
            if (order != null && order.misfit() != null) {
                Terminal.complain(
                        "the clients did not repeat the recorded run; the archive contains this run: --replay=" + replay
                                + " reason=" + order.misfit());
            }
            if (chooser.divergedAt() >= 0) {
                Terminal.complain("the replay does not fit the statements of the clients: choice="
                        + chooser.divergedAt() + "; later answers differ");
            }
            if (json) {
                boolean fits = chooser.divergedAt() < 0 && (order == null || order.misfit() == null);
                boolean isWhole = order == null || order.isWhole();
                String replayed = !fits ? "differs" : isWhole ? "fits" : "fits-so-far";
                System.out.println(summary(database.store().options(), archive, replay == null ? null : replayed));
            }
        }
        return stoppedBy;
    }

    /** Reads the run to replay; null if the file is no recorded run of a mock. */
    private @Nullable RecordedRun runToReplay(Path replay) throws IOException {
        try {
            if (!RecordedRun.isOne(replay)) {
                return null;
            }
            RecordedRun recorded = RecordedRun.read(replay);
            settings.takeFrom(recorded);
            return recorded;
        } catch (NumberFormatException wrong) {
            throw new UsageException(
                    "no recorded order of statements: file=" + replay + " reason=" + wrong.getMessage(), wrong);
        } catch (IllegalArgumentException none) {
            throw new UsageException(none.getMessage(), none);
        } catch (NoSuchFileException missing) {
            throw new UsageException("no such file: --replay=" + replay, missing);
        }
    }

    /**
     * Creates the recorder of the statement order in a file next to the archive; records nothing if recorded answers
     * determine the run, or if the file is being replayed.
     */
    private StatementOrder recorder(boolean hasAnswers) throws IOException {
        Path file = history.resolveSibling(history.getFileName() + ".replay");
        boolean isReplayed = replay != null && Files.exists(file) && Files.isSameFile(file, replay);
        return hasAnswers || isReplayed ? StatementOrder.NONE : new StatementRecorder(file, Terminal::complain);
    }

    private ReplayFile answersToReplay(Path replay) throws IOException {
        try {
            ReplayFile answers = ReplayFile.read(replay);
            settings.refuseOther("isolation", answers.level().longName());
            return answers;
        } catch (IllegalArgumentException none) {
            throw new UsageException(none.getMessage(), none);
        } catch (NoSuchFileException missing) {
            throw new UsageException("no such file: --replay=" + replay, missing);
        }
    }

    private void stopBy(CountDownLatch stop, int code) {
        stoppedBy = code;
        stop.countDown();
    }

    private MockDatabase open(MockOptions options, AnswerChooser chooser, StatementOrder order) throws IOException {
        try {
            return new MockDatabase(
                    options,
                    chooser,
                    MockArchive.of(history),
                    host,
                    port,
                    mysqlPort == null ? MockDatabase.NO_PORT : mysqlPort,
                    order,
                    Terminal::printNote);
        } catch (BindException taken) {
            throw taken(
                    "host=" + host + " port=" + port + (mysqlPort == null ? "" : " or mysql-port=" + mysqlPort), taken);
        } catch (UnknownHostException unknown) {
            throw new UsageException("no such address: host=" + host, unknown);
        }
    }

    /** Opens the HTTP server; null unless requested. */
    private @Nullable MockHttpServer openHttp(MockDatabase database) throws IOException {
        if (http == null) {
            return null;
        }
        try {
            int colon = http.lastIndexOf(':');
            return new MockHttpServer(
                    http.substring(0, colon),
                    Integer.parseInt(http.substring(colon + 1)),
                    host,
                    database.port(),
                    allowed.names());
        } catch (BindException taken) {
            throw taken("--http=" + http, taken);
        } catch (UnknownHostException unknown) {
            throw new UsageException("no such address: --http=" + http, unknown);
        }
    }

    private void checkFree() throws IOException {
        checkFree("--port", host, port);
        checkFree("--mysql-port", host, mysqlPort == null ? 0 : mysqlPort);
        if (http != null) {
            int colon = http.lastIndexOf(':');
            checkFree("--http", http.substring(0, colon), Integer.parseInt(http.substring(colon + 1)));
        }
    }

    private static void checkFree(String option, String host, int port) throws IOException {
        if (port == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new UsageException("no such address: " + option + " host=" + host);
            }
            socket.bind(address);
        } catch (BindException taken) {
            throw taken(option + "=" + port + " host=" + host, taken);
        }
    }

    private static IOException taken(String what, BindException taken) {
        return new IOException(
                "cannot listen: " + what + " reason=" + taken.getMessage()
                        + "; choose another one, or 0 for any that is free",
                taken);
    }

    private static void checkAddress(@Nullable String address) {
        int colon = address == null ? 0 : address.lastIndexOf(':');
        if (address != null && (colon < 1 || !address.substring(colon + 1).matches("\\d{1,5}"))) {
            throw new UsageException("no address: --http=" + address + "; give HOST:PORT, such as 127.0.0.1:8080");
        }
        if (address != null) {
            checkPort("--http", Integer.parseInt(address.substring(colon + 1)));
        }
    }

    static void checkPort(String option, int number) {
        if (number < 0 || number > GREATEST_PORT) {
            throw new UsageException("out of range: " + option + "=" + number + " min=0 max=" + GREATEST_PORT);
        }
    }

    static void checkArchive(Path out) {
        if (AtomicFile.isStream(out)) {
            throw new UsageException("an archive is a file: --history=" + out + "; give a name");
        }
        if (!MockArchive.isUnfinished(out)) {
            OutputPaths.checkFile(out);
        }
        if (!Histories.holdsEverything(out)) {
            throw new UsageException("no format that can hold an archive: --history=" + out
                    + "; end its name in .jsonl, .parquet, .arrow or .txt (notation)");
        }
    }

    /** @param replayed result of comparing the run with the replayed recording, null if none was replayed */
    private static String summary(MockOptions options, MockArchive archive, @Nullable String replayed)
            throws IOException {
        return JsonObjectText.of(object -> {
            object.writeNumberField("schema", 1);
            object.writeStringField("out", archive.out().toString());
            object.writeStringField("isolation", options.level().longName());
            object.writeNumberField("transactions", archive.txnCount());
            object.writeNumberField("committed", archive.committed());
            object.writeNumberField("aborted", archive.aborted());
            object.writeNumberField("seed", options.seed());
            if (replayed != null) {
                object.writeStringField("replay", replayed);
            }
        });
    }
}
