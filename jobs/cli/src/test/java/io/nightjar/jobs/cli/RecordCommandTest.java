package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.SqlDialect;
import io.nightjar.datasets.jdbc.SqlIsolation;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.record.RecordOptions;
import io.nightjar.jobs.record.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of databases that run in this process. */
class RecordCommandTest {

    @TempDir
    private Path directory;

    @Test
    void theSummaryAsJsonIsTheOnlyResult() {
        CommandRun run = record("h.parquet", "jdbc:h2:mem:", "--transactions", "300", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("{\"schema\":1,\"out\":\"" + path("h.parquet") + "\",\"database\":\"H2 2.")
                .contains(",\"isolation\":\"serializable\",\"workload\":\"register\",\"transactions\":300,")
                .contains(",\"certificates\":\"snapshots\",\"seconds\":")
                .hasLineCount(1);
        Map<String, Object> summary = JsonTree.lines(run.out()).get(0);
        assertThat(number(summary, "committed") + number(summary, "aborted") + number(summary, "unknown"))
                .isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "register",
                "default",
                "list",
                "hot-keys",
                "blind-writes",
                "bank",
                "write-skew",
                "smallbank",
                "tpcc",
                "voter",
                "twitter",
                "courseware",
                "shopping-cart",
                "stack",
                "wikipedia",
                "epinions"
            })
    void sqliteRecordingIsSerializableByItsClock(String workload) throws IOException {
        CommandRun run = record(
                "h.jsonl", "jdbc:sqlite::memory:", "--workload", workload, "--transactions", "300", "--keys", "40");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(checked("h.jsonl", "si,ser").verdict().word()).isEqualTo("holds");
        assertThat(checked("h.jsonl", "ser").evidence()).isEqualTo("timestamps");
        assertThat(checked("h.jsonl", "all", "--evidence", "values").verdict().word())
                .isEqualTo("holds");
        assertThat(readsOfRowsFromBefore("h.jsonl")).isEmpty();
    }

    /** A recording makes its tables and their rows, also instead of kept ones: a history needs no loader for them. */
    @ParameterizedTest
    @ValueSource(strings = {"register", "list", "bank", "predicate", "deletes"})
    void rowsOfTheTablesAreTheInitialState(String workload) throws IOException {
        for (String seed : List.of("1", "2")) {
            CommandRun run = record(
                    "h.jsonl",
                    "jdbc:sqlite:" + path("db") + "?journal_mode=WAL",
                    "--workload",
                    workload,
                    "--transactions",
                    "100",
                    "--keys",
                    "10",
                    "--seed",
                    seed,
                    "--keep");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(readsOfRowsFromBefore("h.jsonl")).isEmpty();
        }
    }

    /** Reads, those of predicates included, of something that is not the initial state and that the history does not write. */
    private List<String> readsOfRowsFromBefore(String history) throws IOException {
        Set<String> written = new HashSet<>();
        List<String> read = new ArrayList<>();
        for (Map<String, Object> txn : JsonTree.lines(Files.readString(path(history)))) {
            List<List<Object>> ops = JsonTree.at(txn, "ops");
            for (List<Object> op : ops) {
                addContents(op, written, read);
            }
        }
        assertThat(read).isNotEmpty();
        read.removeAll(written);
        return read;
    }

    /** Rows are objects, or their texts where no predicate is near. */
    private static void addContents(List<Object> op, Set<String> written, List<String> read) {
        Object content = op.get(2);
        if (content instanceof String text && text.startsWith("{")) {
            content = JsonTree.object(text);
        }
        switch (String.valueOf(op.get(0))) {
            case "r" -> {
                if (content instanceof List<?> elements) {
                    elements.forEach(element -> read.add(op.get(1) + "=" + element));
                } else if (content != null) {
                    read.add(op.get(1) + "=" + content);
                }
            }
            case "p" -> {
                for (Object row : (List<?>) op.get(3)) {
                    addContents(new ArrayList<>((List<?>) row), written, read);
                }
            }
            default -> written.add(op.get(1) + "=" + content);
        }
    }

    /** H2 reuses results of earlier statements unless an option forbids it, which is no snapshot, here and below. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite::memory:, serializable",
        "'jdbc:h2:mem:;OPTIMIZE_REUSE_RESULTS=0', snapshot",
        "'jdbc:hsqldb:mem:p;hsqldb.tx=mvcc', serializable", // its locks let two sessions wait for each other forever
        "jdbc:duckdb:, snapshot"
    })
    void readsByPredicatesHaveTheirRowsBehindThem(String url, String isolation) {
        CommandRun run = record(
                "h.jsonl",
                url,
                "--isolation",
                isolation,
                "--workload",
                "predicate",
                "--transactions",
                "300",
                "--sessions",
                "4");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(path("h.jsonl")).content().contains("[\"p\",\"amount >= ? AND amount <= ?\",[");
        assertThat(checked("h.jsonl", "si").verdict().word()).isNotEqualTo("violated");
    }

    /** The lock manager of HSQLDB misses some deadlocks, so one session records where HSQLDB has locks. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "'jdbc:h2:mem:;OPTIMIZE_REUSE_RESULTS=0', snapshot, si, 6",
        "'jdbc:hsqldb:mem:locks', serializable, ser, 1",
        "'jdbc:hsqldb:mem:versions;hsqldb.tx=mvcc', repeatable-read, si, 6",
        "jdbc:duckdb:, snapshot, si, 6"
    })
    void recordingsOfOtherDatabasesHoldAtTheirLevels(String url, String isolation, String level, String sessions) {
        for (String workload : List.of("register", "list", "smallbank")) {
            String[] options = {
                "--isolation",
                isolation,
                "--workload",
                workload,
                "--transactions",
                "300",
                "--keys",
                "50",
                "--sessions",
                sessions
            };
            String name = workload + ".parquet";
            CommandRun run = record(name, url, options);

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).isEmpty();
            assertThat(checked(name, level).verdict().word()).as(workload).isEqualTo("holds");
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "'jdbc:h2:mem:r;OPTIMIZE_REUSE_RESULTS=0', snapshot",
        "'jdbc:h2:mem:r;OPTIMIZE_REUSE_RESULTS=0', serializable",
        "'jdbc:hsqldb:mem:r;hsqldb.tx=mvcc', repeatable-read",
    })
    void aRegisterOfCommitsTellsSnapshotsAndTheirOrder(String url, String isolation) {
        for (String workload : List.of("register", "list", "smallbank", "predicate")) {
            CommandRun run = record(
                    "h.jsonl",
                    url,
                    "--isolation",
                    isolation,
                    "--workload",
                    workload,
                    "--transactions",
                    "400",
                    "--keys",
                    "20",
                    "--json");

            assertThat(run.out()).contains("\"certificates\":\"snapshots\"");
            RunResult result = checked("h.jsonl", "si", "--evidence", "timestamps");
            assertThat(result.verdict().word()).as(workload).isEqualTo("holds");
            assertThat(path("h.jsonl")).content().contains("\"start\":").contains("\"commit\":");
        }
    }

    @Test
    void registerThatWouldBlockLeavesVersionsOnly() {
        CommandRun run = record(
                "h.jsonl", "jdbc:hsqldb:mem:w", "--transactions", "20", "--sessions", "1", "--keys", "5000", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"certificates\":\"versions\"");
    }

    @Test
    void writeSkewOfASnapshotDatabaseIsFound() {
        String url = "jdbc:h2:mem:;OPTIMIZE_REUSE_RESULTS=0";
        record("h.parquet", url, "--isolation", "si", "--workload", "write-skew", "--keys", "2");

        RunResult result = checked("h.parquet", "si,ser");

        assertThat(result.verdict().word()).isEqualTo("violated");
        assertThat(result.anomalies()).allMatch(anomaly -> anomaly.level() == IsolationLevel.SERIALIZABLE);
    }

    @Test
    void completeRecordingIsOneFileWithLatencyLog() throws IOException {
        record("h.parquet", "jdbc:h2:mem:", "--transactions", "50");

        try (java.util.stream.Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(path("h.parquet"), path("h.parquet.hlog"));
        }
        assertThat(path("h.parquet")).isRegularFile();
        assertThat(path("h.parquet.hlog")).content().contains("\"StartTimestamp\"");
    }

    @Test
    void aNameWithoutAnExtensionIsADirectoryOfParts() {
        record("rec", "jdbc:h2:mem:", "--transactions", "50");

        assertThat(path("rec")).isDirectoryContaining("glob:**part-00000.parquet");
        assertThat(path("rec").resolve("_manifest.json")).content().contains("\"complete\" : true");
        assertThat(checked("rec", "rc").transactions()).isEqualTo(50);
    }

    @Test
    void standardOutputTakesJsonLines() {
        CommandRun run = CommandRun.of("record", "-", "--jdbc", "jdbc:h2:mem:", "--transactions", "1");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void everyTransactionSaysWhereAndHowItWasMade() {
        record("h.jsonl", "jdbc:sqlite::memory:", "--transactions", "40", "--sessions", "2");

        assertThat(path("h.jsonl"))
                .content()
                .hasLineCount(40)
                .contains("\"isolation\":\"serializable\"")
                .contains("UPDATE nightjar_register SET v = ?, n = n + 1 WHERE id = ?")
                .contains("\"invoke\":")
                .contains("\"version\":");
    }

    @Test
    void uncertifiedRecordingContainsOnlyClientView() {
        CommandRun run =
                record("h.jsonl", "jdbc:sqlite::memory:", "--transactions", "40", "--certify", "none", "--json");

        assertThat(run.out()).contains("\"certificates\":\"none\"");
        assertThat(path("h.jsonl")).content().doesNotContain("\"version\":").doesNotContain("\"start\":");
    }

    @Test
    void transactionsAreAsManyAsTimeAllowsAtThisRate() {
        CommandRun run = record(
                "h.jsonl",
                "jdbc:h2:mem:",
                "--duration",
                "1s",
                "--rate",
                "20",
                "--warm-up",
                "50ms",
                "--retries",
                "2",
                "--json");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(number(JsonTree.lines(run.out()).get(0), "transactions")).isLessThanOrEqualTo(20);
    }

    // ---------------------------------------------------------------- tables

    @Test
    void theDdlIsPrintedAndNothingElseDone() {
        CommandRun run =
                CommandRun.of("record", "--jdbc", "jdbc:postgresql://nowhere/x", "--ddl", "--workload", "bank");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "CREATE TABLE nightjar_account (id INTEGER PRIMARY KEY, amount BIGINT NOT NULL, v BIGINT NOT NULL,"
                                + " n BIGINT NOT NULL);\n");
    }

    @Test
    void tablesAreGoneUnlessTheyAreToBeKept() throws SQLException {
        String url = "jdbc:sqlite:" + path("db");

        record("a.jsonl", url, "--transactions", "10");
        assertThat(tables(url)).isEmpty();
        record("a.jsonl", url, "--transactions", "10", "--keep");
        assertThat(tables(url)).contains("nightjar_register", "nightjar_tables");
        assertThat(record("a.jsonl", url, "--transactions", "10").code()).isZero();
        assertThat(tables(url)).isEmpty();
    }

    @Test
    void aTableOfSomebodyElseIsLeftAlone() throws SQLException {
        String url = "jdbc:sqlite:" + path("db");
        execute(url, "CREATE TABLE nightjar_register (mine TEXT)");
        execute(url, "INSERT INTO nightjar_register VALUES ('dear')");

        CommandRun run = record("a.jsonl", url, "--transactions", "10");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo(
                        "nightjar: [" + url + "] table exists and is not ours: table=nightjar_register; it is left as"
                                + " it is, rename it or record into another schema or database\n");
        assertThat(tables(url)).containsExactly("nightjar_register");
        assertThat(path("a.jsonl")).doesNotExist();
    }

    @Test
    void tablesOfARecordingThatStillRunsAreLeftAlone() throws Exception {
        String url = "jdbc:sqlite:" + path("db") + "?journal_mode=WAL";
        Recording first = running(url, "a");
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
            assertThatThrownBy(() -> first.run(count -> {}, line -> {})).hasMessageStartingWith("stopped: ");
        });
        awaitManifest("a");
        String mark = markOf(url);

        CommandRun second = record("b.jsonl", url, "--transactions", "10");

        assertThat(second.code()).isEqualTo(64);
        assertThat(second.err()).contains("another recording uses the table: table=nightjar_register made_by=" + mark);
        assertThat(path("b.jsonl")).doesNotExist();
        first.stop();
        end.get(60, TimeUnit.SECONDS);
        assertThat(checked("a", "ser").verdict().word()).isEqualTo("holds");
        assertThat(tables(url)).isEmpty();

        record("a.jsonl", url, "--transactions", "10", "--keep");
        String pid = "." + ProcessHandle.current().pid() + ".";
        execute(url, "UPDATE nightjar_tables SET made_by = '" + mark.replace(pid, ".999999999.") + "'");
        assertThat(record("c.jsonl", url, "--transactions", "10", "--keep").code())
                .as("a maker that was killed")
                .isZero();
        execute(url, "UPDATE nightjar_tables SET made_by = '" + mark.replace(" by ", " by f") + "'");
        assertThat(record("d.jsonl", url, "--transactions", "10").code())
                .as("a maker on another machine")
                .isEqualTo(64);
    }

    /** Starts a recording that ends on request. */
    private Recording running(String url, String out) {
        return new Recording(
                JdbcAddress.of(url, null, null, null, Duration.ofSeconds(10)),
                new RecordOptions(
                        new RecordOptions.Output(path(out), null, SqlDialect.Certificates.SNAPSHOTS, false),
                        new RecordOptions.Programs("register", 3, 0.5, 100, KeyDistribution.UNIFORM, false),
                        new RecordOptions.Clients(2, 50, 0, Duration.ofSeconds(10)),
                        new RecordOptions.Length(RecordOptions.UNBOUNDED, Duration.ofMinutes(2), Duration.ZERO),
                        SqlIsolation.SERIALIZABLE,
                        1));
    }

    private void awaitManifest(String out) throws InterruptedException {
        for (int i = 0; i < 3_000 && !Files.exists(path(out).resolve("_manifest.json")); i++) {
            Thread.sleep(10);
        }
        assertThat(path(out).resolve("_manifest.json")).exists();
    }

    /** Returns the mark of a running recording in the list of tables. */
    private static String markOf(String url) throws InterruptedException {
        for (int i = 0; i < 1_000; i++) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT made_by FROM nightjar_tables WHERE name = 'nightjar_register'")) {
                if (row.next()) {
                    return row.getString(1);
                }
            } catch (SQLException notYet) {
                assertThat(notYet.getMessage()).containsPattern("no such table|locked|busy");
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no table was made");
    }

    /** The driver closes statements that fail. */
    @Test
    void aConflictOfDuckDbCostsNoOtherTransaction() {
        CommandRun run = record(
                "h.jsonl", "jdbc:duckdb:", "--isolation", "si", "--transactions", "600", "--keys", "2", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        Map<String, Object> summary = JsonTree.lines(run.out()).get(0);
        assertThat(number(summary, "aborted")).isPositive();
        assertThat(number(summary, "unknown")).isZero();
        assertThat(path("h.jsonl")).content().doesNotContain("was closed");
    }

    // ---------------------------------------------------------------- bad input

    @Test
    void formatsThatAreOnlyReadAreNotOffered() {
        for (String format : List.of("debezium", "viper")) {
            CommandRun run = record("h", "jdbc:h2:mem:", "--transactions", "10", "--to", format);

            assertThat(run.code()).isEqualTo(64);
            assertThat(run.err()).startsWith("nightjar: format is only read: format=" + format + " expected=");
        }
        assertThat(CommandRun.of("record", "--help").out()).doesNotContain("debezium");
    }

    @Test
    void unsupportedRequestIsWrongUsage() {
        assertThat(record("a.jsonl", "postgres://u:geheim@h/db").err())
                .startsWith("nightjar: not an address of JDBC: url=postgres://u:***@h/db expected=");
        assertThat(record("a.jsonl", "jdbc:oracle:thin:@//h/x").err()).contains("no driver for this address");
        assertThat(record("a.jsonl", "jdbc:h2:mem:", "--isolation", "chaos").err())
                .contains("unknown isolation level: isolation=chaos expected=read-uncommitted|read-committed|");
        assertThat(record("a.jsonl", "jdbc:sqlite::memory:", "--isolation", "rc")
                        .err())
                .contains("isolation level not offered: isolation=read-committed database=sqlite offered=serializable");
        assertThat(record("a.jsonl", "jdbc:h2:mem:", "--workload", "banks").code())
                .isEqualTo(64);
        assertThat(record("a.jsonl", "jdbc:h2:mem:", "--transactions", "0").code())
                .isEqualTo(64);
        assertThat(record("a.jsonl", "jdbc:h2:mem:", "--transactions", "5", "--duration", "1s")
                        .code())
                .isEqualTo(64);
        assertThat(record("a.jsonl", "jdbc:h2:mem:", "--certify", "all").code()).isEqualTo(64);
        assertThat(record("no/such/a.jsonl", "jdbc:h2:mem:").code()).isEqualTo(64);
        assertThat(record("a.unknown-extension.csv", "jdbc:h2:mem:", "--to", "csv")
                        .code())
                .isEqualTo(64);
        assertThat(CommandRun.of("record", "" + path("a.jsonl")).code()).isEqualTo(64);
        assertThat(CommandRun.of("record", "--jdbc", "jdbc:h2:mem:").code()).isEqualTo(64);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void unreachableDatabaseIsRetryableAndPasswordStaysSecret() {
        CommandRun run = record("a.jsonl", "jdbc:postgresql://127.0.0.1:1/db?user=me&password=geheim");

        assertThat(run.code()).isEqualTo(75);
        assertThat(run.err())
                .startsWith("nightjar: [jdbc:postgresql://127.0.0.1:1/db?user=me&password=***] cannot connect: reason=")
                .doesNotContain("geheim");
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://me:geheim@127.0.0.1:1/test",
                "jdbc:postgresql://me:geheim@localhost:1/test",
                "jdbc:postgresql://me:geheim/a@localhost:1/test",
                "jdbc:h2:mem:x;PASSWORD=geheimB geheimC;NOSUCH=1"
            })
    void passwordsThatADriverDoesNotUnderstandStaySecret(String url) {
        CommandRun run = record("a.jsonl", url, "--timeout", "2s");

        assertThat(run.code()).isIn(64, 75);
        assertThat(run.err()).contains("***").doesNotContain("geheim");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "postgresql"})
    void userBeforeHostIsRejectedWithAdvice(String product) {
        CommandRun run = record("a.jsonl", "jdbc:" + product + "://me:geheim@localhost:1/test", "--timeout", "2s");

        assertThat(run.err())
                .contains("; the driver takes no user in front of the host, give --user and --password-env");
    }

    /**
     * HSQLDB has no time-out, and its connections cannot be closed while they wait: neither may the recorder wait for
     * ever.
     */
    @Test
    void aDatabaseThatHangsIsGivenUp() throws Exception {
        String url = "jdbc:hsqldb:mem:hangs-" + directory.getFileName();
        try (Connection other = DriverManager.getConnection(url)) {
            CompletableFuture<Void> locked = CompletableFuture.runAsync(() -> lock(other, "nightjar_register"));

            CommandRun run = record( // one session with pauses, so that the lock can be had
                    "h",
                    url,
                    "--duration",
                    "5m",
                    "--sessions",
                    "1",
                    "--rate",
                    "20",
                    "--timeout",
                    "1s",
                    "--patience",
                    "1s");

            assertThat(run.code()).isEqualTo(75);
            assertThat(run.err())
                    .contains(
                            "the database has not answered any session: seconds=3; earlier transactions are retained");
            assertThat(path("h").resolve("_manifest.json")).content().contains("\"complete\" : false");
            locked.get(1, TimeUnit.MINUTES);
            other.rollback();
        }
    }

    /** Locks a table of a recording, once that is not made any more: who makes tables waits for ever. */
    private void lock(Connection connection, String table) {
        try (Statement statement = connection.createStatement()) {
            awaitManifest("h");
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE " + table + " WRITE");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEarlierFileStaysUntilTheNextIsComplete() throws Exception {
        String url = "jdbc:sqlite:" + path("db") + "?journal_mode=WAL";
        Files.writeString(path("a.parquet"), "dear");
        List<String> lines = new ArrayList<>();
        Recording recording = running(url, "a.parquet");
        CompletableFuture<Void> end = CompletableFuture.runAsync(() ->
                assertThatThrownBy(() -> recording.run(count -> {}, lines::add)).hasMessageStartingWith("stopped: "));
        awaitManifest("a.parquet");
        recording.stop();
        end.get(60, TimeUnit.SECONDS);

        assertThat(path("a.parquet.before")).hasContent("dear");
        assertThat(lines)
                .containsExactly(
                        "the recording is incomplete; the earlier file is retained: path=" + path("a.parquet.before"));

        Files.writeString(path("b.jsonl"), "dear");
        assertThat(record("b.jsonl", url, "--transactions", "10").code()).isZero();
        assertThat(path("b.jsonl")).content().hasLineCount(10);
        assertThat(path("b.jsonl.before")).doesNotExist();

        Files.writeString(path("b.jsonl.before"), "dear");
        assertThat(record("b.jsonl", url, "--transactions", "10").code()).isEqualTo(64);
        assertThat(path("b.jsonl.before")).hasContent("dear");
    }

    @Test
    void anEarlierRecordingThatIsNotCompleteIsNotOverwritten() throws IOException {
        Files.createDirectories(path("a.parquet"));
        Files.writeString(path("a.parquet").resolve("_manifest.json"), "{\"complete\":false}");

        CommandRun run = record("a.parquet", "jdbc:h2:mem:");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("output exists: path=" + path("a.parquet"));
    }

    // ---------------------------------------------------------------- tools

    private CommandRun record(String out, String url, String... more) {
        List<String> args = new ArrayList<>(List.of("record", "" + path(out), "--jdbc", url));
        if (!List.of(more).contains("--timeout")) {
            args.addAll(List.of("--timeout", "60s")); // a busy machine is slow
        }
        args.addAll(List.of(more));
        CommandRun run = CommandRun.of(args.toArray(new String[0]));
        assertThat(run.err()).doesNotContain("\tat ").doesNotContain("a fault of ours");
        return run;
    }

    private RunResult checked(String history, String levels, String... more) {
        List<String> args =
                new ArrayList<>(List.of("check", "" + path(history), "--level", levels, "--lake", "none", "--json"));
        args.addAll(List.of(more));
        CommandRun run = CommandRun.of(args.toArray(new String[0]));
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }

    private static long number(Map<String, Object> object, String name) {
        return ((Number) object.get(name)).longValue();
    }

    private static List<String> tables(String url) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                java.sql.ResultSet rows =
                        statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Path path(String name) {
        return directory.resolve(name);
    }
}
