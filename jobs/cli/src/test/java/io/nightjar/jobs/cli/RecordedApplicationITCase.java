package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.jdbc.RecordingDriver;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.record.DatabaseServer;
import io.nightjar.jobs.record.MariaDbServer;
import io.nightjar.jobs.record.PostgresServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unchanged applications at servers, and the remains of a recording when one is killed. */
@Tag("slow")
class RecordedApplicationITCase {

    @TempDir
    private Path directory;

    @Test
    void postgresLevelsHoldForApplication() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            Path skewed = skewedBank(server, bank -> bank);
            RunResult result = checked(skewed, "si,ser");
            assertThat(verdict(skewed, "si")).isEqualTo("holds");
            assertThat(result.anomalies())
                    .anyMatch(anomaly -> "write-skew".equals(anomaly.pattern()))
                    .allMatch(anomaly -> String.valueOf(anomaly.key()).startsWith("account/"));

            Path serial = directory.resolve("serial");
            bank(server, serial, "SERIALIZABLE", 50);
            assertThat(verdict(serial, "all")).isEqualTo("holds");

            Path searched = directory.resolve("searched"); // predicate reads leave no level undecided
            bank(server, searched, "SERIALIZABLE", 50, BankApplication::searching);
            assertThat(Files.readString(searched.resolve("part-00000.jsonl"))).contains("[\"p\",\"balance > ?\"");

            assertThat(verdict(searched, "si,ser")).isEqualTo("holds");
            List<String> ofSkewed =
                    new ArrayList<>(); // one in twenty stays open: no order that is suggested explains it
            for (int recording = 0; recording < 3; recording++) {
                ofSkewed.add(verdict(skewedBank(server, BankApplication::searching), "si"));
            }
            assertThat(ofSkewed).isSubsetOf("holds", "undecided");
            assertThat(Collections.frequency(ofSkewed, "undecided")).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void theCommandsOfThePageRun() throws Exception {
        Path archive = directory.resolve("shop-run");
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            Files.move(skewedBank(server, bank -> bank), archive);
        }
        String page = Files.readString(
                Path.of("").toAbsolutePath().getParent().resolveSibling("docs/from-an-application.md"));
        List<String> lines =
                page.lines().filter(line -> line.startsWith("nightjar ")).toList();
        for (String line : lines) {
            CommandRun run = CommandRun.of(arguments(line));
            assertThat(run.code()).as("%s: %s", line, run).isEqualTo(line.contains("check") ? 1 : 0);
            assertThat(line.contains("sql") ? run.out() : "write-skew").contains("write-skew");
        }
        assertThat(lines).hasSize(4);
    }

    private String[] arguments(String line) {
        return Pattern.compile("\"([^\"]*)\"|(\\S+)")
                .matcher(line.substring("nightjar ".length()))
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .map(word -> word.matches("shop.*|nightjar-lake")
                        ? directory.resolve(word).toString()
                        : word)
                .toArray(String[]::new);
    }

    @Test
    void everyStatementIsRecordedOnPostgres() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            Path archive = directory.resolve("archive");
            RecordedApplicationTest.assertStatementsAreRecorded(wrapped(server, archive), archive);
            Path conditions = directory.resolve("conditions");
            RecordedApplicationTest.assertConditionsAreRecorded(wrapped(server, conditions), conditions, true);
            Path refused = directory.resolve("refused");
            RecordedApplicationTest.assertRefusedInsertionsAreRecorded(wrapped(server, refused), refused);
            assertWritersAreRecorded(server);
            assertPathsAreFollowed(server);
            assertTextKeysAreCompared(server);
        }
    }

    /**
     * A bank whose balances recur: only writers distinguish the versions of a row, those from before the recording
     * included.
     */
    @Test
    void rowsFromBeforeHaveTheLoaderAsWriter() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            Path archive =
                    recordedBank(server, "INSERT INTO account SELECT id, 100 FROM generate_series(0, 1199) AS id");

            assertThat(Files.readString(archive.resolve("part-00000.jsonl")))
                    .contains("[\"r\",")
                    .doesNotContainPattern("\\[\"r\",\"[^\"]*\",\\{[^}]*}]");
            assertThat(verdict(archive, "all")).isEqualTo("holds");
        }
    }

    @Test
    void initialRowsOfMariaDbAreOneTransaction() throws Exception {
        try (MariaDbServer server = MariaDbServer.started()) {
            Path archive = recordedBank(server, "INSERT INTO account SELECT seq, 100 FROM seq_0_to_1199");

            assertThat(verdict(archive, "all")).isNotEqualTo("violated"); // balances recur, and rows have no writers
        }
    }

    /** Records transfers between 10 of 1,200 accounts, whose rates are in another schema; rows of both were there before. */
    private Path recordedBank(DatabaseServer server, String accounts) throws Exception {
        try (Connection loader = DriverManager.getConnection(server.url());
                Statement statement = loader.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT)");
            statement.execute(accounts);
            statement.execute("CREATE SCHEMA office");
            statement.execute("CREATE TABLE office.rate (id INT PRIMARY KEY, percent INT)");
            statement.execute("INSERT INTO office.rate VALUES (1, 3), (2, 4)");
        }
        Path archive = directory.resolve("plain");
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < 4; client++) {
            Random random = new Random(client);
            clients.add(new Thread(() -> transfer(wrapped(server, archive), random)));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join();
        }

        List<Map<String, Object>> txns = JsonTree.lines(
                Files.readString(archive.resolve("part-00000.jsonl")).strip());
        List<List<Object>> loaded = JsonTree.at(txns.get(0), "ops");
        assertThat(loaded.stream().map(op -> op.get(0) + " " + op.get(1)))
                .hasSize(1_202)
                .startsWith("w account/0")
                .endsWith("w office.rate/1", "w office.rate/2");
        assertThat(txns.get(0)).containsEntry("status", "committed");
        assertThat(txns.subList(1, txns.size())).hasSizeGreaterThan(200).noneMatch(txn -> txn.get("session")
                .equals(txns.get(0).get("session")));
        return archive;
    }

    private static void transfer(String url, Random random) {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            for (int transfer = 0; transfer < 60; transfer++) {
                int from = random.nextInt(10);
                try {
                    move(connection, from, -1);
                    move(connection, (from + 1 + random.nextInt(9)) % 10, 1);
                    readRate(connection, 1 + random.nextInt(2));
                    connection.commit();
                } catch (SQLException conflict) {
                    assertThat(conflict.getSQLState()).isIn("40001", "40P01");
                    connection.rollback();
                }
            }
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void readRate(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT percent FROM office.rate WHERE id = " + id)) {
            row.next();
        }
    }

    private static void move(Connection connection, int id, int amount) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT balance FROM account WHERE id = " + id)) {
            row.next();
            int balance = row.getInt(1) + amount;
            statement.executeUpdate("UPDATE account SET balance = " + balance + " WHERE id = " + id);
        }
    }

    /** A path ends with the transaction that is rolled back, or that it was set in. */
    private void assertPathsAreFollowed(DatabaseServer server) throws Exception {
        Path archive = directory.resolve("paths");
        try (RecordedStatements app = new RecordedStatements(wrapped(server, archive), archive)) {
            app.execute("CREATE TABLE book (id INT PRIMARY KEY)");
            app.execute("CREATE TABLE cover (id INT PRIMARY KEY)");
            app.execute("CREATE SCHEMA shop");
            app.execute("CREATE TABLE shop.book (id INT PRIMARY KEY)");
            app.update("INSERT INTO shop.book VALUES (1)");
            app.connection().setAutoCommit(false);
            app.execute("SET LOCAL search_path TO nowhere, shop, public");
            app.update("INSERT INTO book VALUES (2)");
            app.update("INSERT INTO cover VALUES (2)");
            app.connection().commit();
            app.update("INSERT INTO book VALUES (3)");
            app.execute("SET search_path TO shop");
            app.update("INSERT INTO book VALUES (4)");
            app.connection().rollback();
            app.update("INSERT INTO book VALUES (5)");
            app.connection().commit();
            app.connection().setAutoCommit(true);
            app.query("SELECT set_config('search_path', 'shop', false)");
            app.update("INSERT INTO book VALUES (6)");
            assertThat(app.since().stream()
                            .filter(line -> line.contains("[\"w\""))
                            .map(line -> line.replaceAll(",\\{[^}]*}|\"", "")))
                    .endsWith(
                            "committed [[w,shop.book/1]]",
                            "committed [[w,shop.book/2],[w,cover/2]]",
                            "aborted [[w,book/3],[w,shop.book/4]]",
                            "committed [[w,book/5]]",
                            "committed [[w,shop.book/6]]");

            app.execute("SET search_path TO public");
            app.execute("CREATE TEMPORARY TABLE IF NOT EXISTS book (id INT PRIMARY KEY)");
            assertThat(app.query("SELECT * FROM book WHERE id = 5")).isEmpty();
            assertThat(app.since())
                    .containsExactly("committed [[\"p\",\"SELECT * FROM book WHERE id = 5\",[],null,{}]]");
        }
    }

    /** A collation that equates different texts, and keys that the statement does not name, leave a refusal unknown. */
    private void assertTextKeysAreCompared(DatabaseServer server) throws Exception {
        Path archive = directory.resolve("texts");
        try (RecordedStatements app = new RecordedStatements(wrapped(server, archive), archive)) {
            app.execute("CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
            app.execute("CREATE TABLE guest (name TEXT PRIMARY KEY)");
            app.execute("CREATE TABLE host (name VARCHAR(9) COLLATE anycase PRIMARY KEY)");
            app.update("INSERT INTO guest VALUES ('a\"n')");
            app.update("INSERT INTO host VALUES ('ann')");
            app.since();
            String insert = " (name) VALUES (?) ON CONFLICT (name) DO NOTHING";
            app.update("INSERT INTO guest" + insert, "a\"n");
            app.update("INSERT INTO guest" + insert, "eve");
            app.update("INSERT INTO host" + insert, "ANN");
            app.update("INSERT INTO guest VALUES ('eve') ON CONFLICT DO NOTHING");

            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"ins\",\"guest/a\\\\\\\"n\",{\"name\":\"a\\\"n\"},{\"done\":false}]]",
                            "committed [[\"ins\",\"guest/eve\",{\"name\":\"eve\"},{\"done\":true}]]",
                            "committed [[\"p\",\"INSERT INTO host" + insert + "\",null,null]]",
                            "committed [[\"p\",\"INSERT INTO guest VALUES ('eve') ON CONFLICT DO NOTHING\",null,null]]");
        }
    }

    /**
     * A row that returns to a previous value names the writer that was read; the result for the application does not
     * change.
     */
    private void assertWritersAreRecorded(DatabaseServer server) throws Exception {
        Path archive = directory.resolve("lamps");
        String rows;
        try (RecordedStatements app = new RecordedStatements(wrapped(server, archive), archive)) {
            app.execute("CREATE TABLE lamp (id INT PRIMARY KEY, lit INT)");
            app.execute("CREATE TABLE room (id INT PRIMARY KEY, lit INT) PARTITION BY RANGE (id)");
            app.execute("CREATE TABLE room_1 PARTITION OF room FOR VALUES FROM (0) TO (100)");
            app.update("INSERT INTO room VALUES (1, 1)");
            assertThat(app.query("INSERT INTO lamp VALUES (1, 0) RETURNING lit"))
                    .isEqualTo("0;");
            app.update("UPDATE lamp SET lit = r.lit FROM room r WHERE r.id = lamp.id");
            app.update("UPDATE lamp SET lit = 1 WHERE id = 1");
            app.connection().setAutoCommit(false);
            Savepoint savepoint = app.connection().setSavepoint();
            app.update("UPDATE lamp SET lit = 0 WHERE id = 1");
            app.connection().releaseSavepoint(savepoint);
            assertThat(app.query("SELECT lit FROM lamp WHERE id = 1")).isEqualTo("0;");
            app.connection().commit();
            app.connection().setAutoCommit(true);
            int before = app.sinceWithWriters().size();
            assertThat(app.query("SELECT * FROM lamp WHERE id = 1")).isEqualTo("1,0;");
            assertThat(app.query("SELECT lit FROM room WHERE id = 1")).isEqualTo("1;");
            assertThat(app.sinceWithWriters())
                    .containsExactly(
                            "committed [[\"r\",\"lamp/1\",{\"id\":1,\"lit\":0},{\"writer\":" + before + "}]]",
                            "committed [[\"r\",\"room/1\",{\"id\":1,\"lit\":1}]]");
            try (PreparedStatement insert = app.connection()
                    .prepareStatement("INSERT INTO lamp VALUES (2, 1)", Statement.RETURN_GENERATED_KEYS)) {
                insert.executeUpdate();
                assertThat(insert.getGeneratedKeys().getMetaData().getColumnCount())
                        .isEqualTo(2);
            }
            rows = Files.readString(archive.resolve("part-00000.jsonl"))
                    .replaceAll("\\[\"p\"[^\\[]*\\[],null,\\{}],", "");
            app.execute("INSERT INTO lamp VALUES (3, 1) RETURNING id"); // and its result is not read
            assertThat(app.query("SELECT a.lit, b.* FROM lamp a JOIN lamp b ON b.id = a.id + 1 ORDER BY a.id"))
                    .isEqualTo("0,2,1;1,3,1;");
            assertThat(app.sinceWithWriters().get(2).split("\"writer\":")).hasSize(3); // not of generated keys
            try (Statement updating = app.connection()
                            .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet lamp = updating.executeQuery("SELECT * FROM lamp WHERE id = 1")) {
                assertThat(lamp.next()).isTrue();
                lamp.refreshRow();
                lamp.updateInt("lit", 1);
                lamp.updateRow();
            }
        }
        Path rowsFile = Files.writeString(directory.resolve("told.jsonl"), rows);
        assertThat(verdict(rowsFile, "ser")).isEqualTo("holds");
        Path untold = Files.writeString(directory.resolve("untold.jsonl"), rows.replaceAll(",\\{\"writer\":\\d+}", ""));
        assertThat(verdict(untold, "ser")).isEqualTo("holds"); // candidates explain the values that recur
    }

    @Test
    void mariaDbIsRecordedToo() throws Exception {
        try (MariaDbServer server = MariaDbServer.started()) {
            Path archive = directory.resolve("archive");
            RecordedApplicationTest.assertStatementsAreRecorded(wrapped(server, archive), archive);
            Path conditions = directory.resolve("conditions");
            RecordedApplicationTest.assertConditionsAreRecorded(wrapped(server, conditions), conditions, true);
            assertGeneratedKeysAreRecorded(server);
            assertDatabasesAreFollowed(server);
            Path bank = directory.resolve("bank");
            bank(server, bank, "SERIALIZABLE", 50);
            assertThat(verdict(bank, "all")).isEqualTo("holds");
        }
    }

    private void assertDatabasesAreFollowed(DatabaseServer server) throws Exception {
        Path archive = directory.resolve("databases");
        try (RecordedStatements app = new RecordedStatements(wrapped(server, archive), archive)) {
            String home = app.connection().getCatalog();
            app.execute("CREATE DATABASE shop");
            app.execute("CREATE TABLE shop.book (id INT PRIMARY KEY, v INT)");
            app.update("INSERT INTO shop.book VALUES (1, 1)");
            app.execute("USE shop");
            app.update("UPDATE book SET v = v + 1 WHERE v > 0");
            app.connection().setCatalog(home);
            app.update("UPDATE shop.book SET v = 5 WHERE id = 1");
            assertThat(app.since().stream()
                            .filter(line -> line.contains("\"shop."))
                            .map(line -> line.replaceAll("\"", "")))
                    .containsExactly(
                            "committed [[w,shop.book/1,{id:1,v:1}]]",
                            "committed [[p,v > 0,[],[[r,shop.book/1,{id:1,v:1}]],{relation:shop.book}],[w,shop.book/1,{id:1,v:2}]]",
                            "committed [[w,shop.book/1,{id:1,v:5}]]");
        }
    }

    private void assertGeneratedKeysAreRecorded(DatabaseServer server) throws Exception {
        Path archive = directory.resolve("keys");
        try (RecordedStatements app = new RecordedStatements(wrapped(server, archive), archive)) {
            app.execute("CREATE TABLE made (v INT, id INT AUTO_INCREMENT PRIMARY KEY)");
            try (PreparedStatement insert = app.connection()
                    .prepareStatement("INSERT INTO made (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                insert.setInt(1, 7);
                assertThat(insert.executeUpdate()).isOne();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getLong(1)).isOne();
                }
            }
            assertThat(app.since()).endsWith("committed [[\"w\",\"made/1\",{\"id\":1,\"v\":7}]]");
        }
    }

    @Test
    void killedApplicationLeavesHistoryMarkedIncomplete() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            Path archive = directory.resolve("archive");
            Process application = application(wrapped(server, archive), "REPEATABLE_READ", "1000000", "-Xmx64m");
            Path part = archive.resolve("part-00000.jsonl");
            while (!Files.exists(part) || Files.size(part) < 200_000) {
                assertThat(application.isAlive()).isTrue();
                Thread.sleep(20);
            }
            application.destroyForcibly().waitFor();

            CommandRun run = CommandRun.of("check", "" + archive, "--level", "si", "--lake", "none", "--json");
            assertThat(run.err()).isEmpty();
            assertThat(RunResultJson.read(run.out()).verdict().word()).isEqualTo("holds");
            assertThat(run.out()).contains("\"rule_id\":\"L30\"");
        }
    }

    @Test
    void memoryDoesNotGrowWithTheRecording() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:sqlite:" + directory.resolve("db") + "?journal_mode=WAL&synchronous=OFF"
                + "&busy_timeout=20000&nightjar.archive=" + archive;

        Process application = application(url, "SERIALIZABLE", "6000", "-Xmx20m");

        assertThat(application.waitFor(240, TimeUnit.SECONDS)).isTrue();
        assertThat(application.exitValue()).isZero();
        try (Stream<String> lines = Files.lines(archive.resolve("part-00000.jsonl"))) {
            assertThat(lines.count()).isGreaterThan(20_000);
        }
        assertThat(archive.resolve("_manifest.json")).content().contains("\"complete\" : true");
    }

    /**
     * Returns an archive of repeatable read that is not serializable, which is a matter of chance: repeats until one is
     * found.
     */
    private Path skewedBank(DatabaseServer server, UnaryOperator<BankApplication> kind) throws Exception {
        for (int attempt = 0; attempt < 10; attempt++) {
            Path archive = Files.createTempDirectory(directory, "skewed");
            bank(server, archive, "REPEATABLE_READ", 150, kind);
            if (verdict(archive, "ser").equals("violated")) {
                return archive;
            }
        }
        throw new AssertionError("never violated");
    }

    private static void bank(DatabaseServer server, Path archive, String level, int transfers) throws Exception {
        bank(server, archive, level, transfers, bank -> bank);
    }

    private static void bank(
            DatabaseServer server, Path archive, String level, int transfers, UnaryOperator<BankApplication> kind)
            throws Exception {
        try (HikariDataSource pool = BankApplication.pool(wrapped(server, archive), level)) {
            BankApplication bank = kind.apply(new BankApplication(pool, 10));
            bank.open();
            bank.run(4, transfers);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE account");
                connection.commit();
            }
        }
    }

    /** Updates and deletions by a condition are reads as well; mostly they leave no level undecided. */
    @Test
    void rowsReadByConditionsAreChecked() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            List<String> verdicts = new ArrayList<>();
            for (int run = 0; run < 10 && !verdicts.contains("holds"); run++) {
                Path serial = directory.resolve("serial-" + run);
                bank(server, serial, "SERIALIZABLE", 60, BankApplication::charging);
                assertThat(Files.readString(serial.resolve("part-00000.jsonl")))
                        .contains("[\"p\",\"balance BETWEEN ? AND ?\"");
                verdicts.add(verdict(serial, "si,ser"));
            }
            assertThat(verdicts).contains("holds").doesNotContain("violated");
            assertThat(verdict(skewedBank(server, BankApplication::charging), "si"))
                    .isNotEqualTo("violated"); // an order that explains the rows need not explain the conditions
        }
    }

    private static String wrapped(DatabaseServer server, Path archive) {
        return server.url().replace("jdbc:", "jdbc:nightjar:") + "&nightjar.archive=" + archive;
    }

    private static Process application(String url, String level, String transfers, String memory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        memory,
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPathOfApplication(),
                        BankApplication.class.getName(),
                        url,
                        level,
                        transfers)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /**
     * Returns the dependencies of the application and no more: the directories of all jars of a build's tests fill a
     * small heap.
     */
    private static String classPathOfApplication() {
        return Stream.of(
                        BankApplication.class,
                        RecordingDriver.class,
                        HikariDataSource.class,
                        org.slf4j.Logger.class,
                        org.postgresql.Driver.class,
                        org.sqlite.JDBC.class)
                .map(each ->
                        each.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String verdict(Path history, String levels) {
        return checked(history, levels).verdict().word();
    }

    private static RunResult checked(Path history, String levels) {
        CommandRun run = CommandRun.of("check", "" + history, "--level", levels, "--lake", "none", "--json");
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }
}
