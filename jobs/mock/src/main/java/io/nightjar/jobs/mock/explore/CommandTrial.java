package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.CanonicalOrder;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.RunLog;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Trial that runs a command against a fresh mock, whose address is in its environment; it breaks unless the command
 * exits with 0.
 */
public final class CommandTrial implements Trial {

    private static final String HOST = "127.0.0.1";
    private static final int LAST_CHARACTERS = 2_000;
    private static final int ENDED_BY_US = 124;

    private final List<String> command;
    private final MockOptions options;
    private final Path archive;
    private final long timeoutMs;
    private final long settleMs;
    private final boolean triesAll;
    private final Consumer<String> notes;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    /**
     * @param archive archive of the last run
     * @param timeoutMs maximum duration of a run
     * @param triesAll whether all orders of transactions are explored, which requires certainty about the waiting
     *     sessions
     * @param settleMs in serial mode, the idle time after which the next transaction is chosen
     */
    public CommandTrial(
            List<String> command,
            MockOptions options,
            Path archive,
            long timeoutMs,
            long settleMs,
            boolean triesAll,
            Consumer<String> notes) {
        this.command = List.copyOf(command);
        this.options = options;
        this.archive = archive;
        this.timeoutMs = timeoutMs;
        this.settleMs = settleMs;
        this.triesAll = triesAll;
        this.notes = notes;
    }

    /** Ends the running command and all its child processes, from another thread. */
    public void stop() {
        stopped.complete(null);
    }

    @Override
    public Result run(AnswerPolicy answers) throws IOException, InterruptedException {
        AnswerChooser chooser = new AnswerChooser(answers.mode(), answers.seed(), true);
        chooser.follow(answers.first());
        RunLog log = new RunLog();
        CanonicalOrder order = new CanonicalOrder(options.schedule().isSerial(), answers.cuts(), answers.known());
        CompletableFuture<Void> cut = new CompletableFuture<>();
        order.onCut(() -> cut.complete(null));
        Path output = Files.createTempFile("nightjar-explore", ".out");
        try (MockDatabase database = new MockDatabase(
                options.withSeed(answers.seed()), chooser, MockArchive.of(archive), HOST, 0, 0, notes)) {
            database.store().log(log);
            database.store().order(order, settleMs, triesAll);
            int code = start(database, output, cut);
            database.finish();
            if (log.steps().isEmpty() && !stopped.isDone()) {
                throw new UsageException("the command sent no statement to the store: exitCode=" + code
                        + "; it finds the address in NIGHTJAR_URL, DATABASE_URL or PGHOST and PGPORT, of MySQL in"
                        + " NIGHTJAR_MYSQL_URL");
            }
            return new Result(
                    code != 0 && !order.isCut(),
                    code,
                    chooser.choices(),
                    chooser.divergedAt(),
                    order.isCut(),
                    order.history(),
                    log.steps(),
                    lastOf(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private int start(MockDatabase database, Path output, CompletableFuture<Void> cut)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment(database.port(), database.mysqlPort()));
        Process process = builder.start();
        try {
            if (ends(process, cut)) {
                return process.isAlive() ? ENDED_BY_US : process.exitValue();
            }
            notes.accept("the command was ended, as it took too long: seconds=" + timeoutMs / 1000);
            return ENDED_BY_US;
        } finally {
            end(process.toHandle());
            process.waitFor();
        }
    }

    /** Ends a process before its children, so that it does not restart them. */
    private static void end(ProcessHandle process) {
        List<ProcessHandle> children = process.children().toList();
        process.destroyForcibly();
        children.forEach(CommandTrial::end);
    }

    private boolean ends(Process process, CompletableFuture<Void> cut) throws InterruptedException {
        try {
            CompletableFuture.anyOf(process.onExit(), cut, stopped).get(timeoutMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException tooLong) {
            return false;
        } catch (ExecutionException cannotBe) {
            throw new AssertionError("waiting for a process failed", cannotBe);
        }
    }

    /** Returns the address of the mock in the environment variables that programs read. */
    static Map<String, String> environment(int port, int mysqlPort) {
        String jdbc = "jdbc:postgresql://" + HOST + ":" + port + "/nightjar?user=nightjar&sslmode=disable";
        return Map.ofEntries(
                Map.entry("NIGHTJAR_URL", jdbc),
                Map.entry("JDBC_URL", jdbc),
                Map.entry("DATABASE_URL", "postgresql://nightjar@" + HOST + ":" + port + "/nightjar?sslmode=disable"),
                Map.entry("PGHOST", HOST),
                Map.entry("PGPORT", Integer.toString(port)),
                Map.entry("PGUSER", "nightjar"),
                Map.entry("PGDATABASE", "nightjar"),
                Map.entry("PGSSLMODE", "disable"),
                Map.entry("NIGHTJAR_MYSQL_URL", "jdbc:mysql://" + HOST + ":" + mysqlPort + "/nightjar?user=nightjar"),
                Map.entry("MYSQL_HOST", HOST),
                Map.entry("MYSQL_TCP_PORT", Integer.toString(mysqlPort)));
    }

    private static String lastOf(Path output) throws IOException {
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        return text.length() <= LAST_CHARACTERS ? text : text.substring(text.length() - LAST_CHARACTERS);
    }
}
