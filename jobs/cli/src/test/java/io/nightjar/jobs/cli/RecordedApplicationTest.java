package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unchanged applications whose driver is wrapped. */
class RecordedApplicationTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "'h2:mem:bank-%s;LOCK_TIMEOUT=10000;OPTIMIZE_REUSE_RESULTS=0;nightjar.archive=', SERIALIZABLE, si",
        "'sqlite:%s/bank.db?journal_mode=WAL&busy_timeout=20000&nightjar.archive=', SERIALIZABLE, all",
        "'hsqldb:mem:bank-%s;hsqldb.tx=mvcc;nightjar.archive=', SERIALIZABLE, si",
    })
    void aPoolOfAnApplicationIsRecorded(String url, String isolation, String levels) throws Exception {
        Path archive = directory.resolve("archive");
        String jdbc = "jdbc:nightjar:" + url.formatted(directory) + archive;
        try (HikariDataSource pool = BankApplication.pool(jdbc, isolation)) {
            BankApplication bank = new BankApplication(pool, 10);
            bank.open();
            bank.run(4, 50);
        }

        RunResult result = checked(archive, levels);
        assertThat(result.verdict().word()).isEqualTo("holds");
        assertThat(result.transactions()).isGreaterThan(200);
        assertThat(result.operations()).isGreaterThan(300);
        assertThat(archive.resolve("_manifest.json")).content().contains("\"not_recorded\" : {}");
    }

    @ParameterizedTest
    @CsvSource({
        "'hsqldb:mem:triggers;nightjar.archive=', 'CREATE TRIGGER t AFTER UPDATE ON item REFERENCING NEW AS n"
                + " FOR EACH ROW INSERT INTO audit VALUES (n.id)'",
        "'sqlite:%s/db?nightjar.archive=', 'CREATE TRIGGER t AFTER UPDATE ON item BEGIN INSERT INTO audit VALUES (new.id); END'"
    })
    void tablesWithTriggersAreNamedWhereAUserLooks(String url, String trigger) throws Exception {
        Path archive = directory.resolve("archive");
        String jdbc = url.formatted(directory);
        try (Connection before =
                        DriverManager.getConnection("jdbc:" + jdbc.substring(0, jdbc.indexOf("nightjar") - 1));
                Statement statement = before.createStatement()) {
            statement.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, stock BIGINT)");
            statement.execute("CREATE TABLE audit (id INTEGER PRIMARY KEY)");
            statement.execute(trigger);
            try (RecordedStatements app = new RecordedStatements("jdbc:nightjar:" + jdbc + archive, archive)) {
                app.execute("INSERT INTO item VALUES (1, 5)");
                app.execute("UPDATE item SET stock = 6 WHERE id = 1");
                assertThat(app.query("SELECT id FROM audit WHERE id = 1")).isEqualTo("1;");
            }
        }

        for (CommandRun run : new CommandRun[] {
            CommandRun.of("check", "" + archive, "--lake", "none", "--exit-zero"),
            CommandRun.of("inspect", "" + archive)
        }) {
            assertThat(run.out() + run.err()).contains("L39").containsIgnoringCase("table item has triggers");
        }
    }

    @Test
    void aTableWithoutTriggersIsNotNamed() throws Exception {
        Path archive = directory.resolve("archive");
        try (RecordedStatements app =
                new RecordedStatements("jdbc:nightjar:hsqldb:mem:no-triggers;nightjar.archive=" + archive, archive)) {
            app.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, stock BIGINT)");
            app.execute("INSERT INTO item VALUES (1, 5)");
        }

        assertThat(CommandRun.of("inspect", "" + archive).out()).doesNotContain("L39");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2:mem:%s;DATABASE_TO_LOWER=TRUE;nightjar.archive=", "sqlite:%s/db?nightjar.archive="})
    void everyStatementIsRecorded(String url) throws Exception {
        Path archive = directory.resolve("archive");

        assertStatementsAreRecorded("jdbc:nightjar:" + url.formatted(directory) + archive, archive);
    }

    /** The same on every database. */
    static void assertStatementsAreRecorded(String url, Path archive) throws Exception {
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR(20), stock BIGINT)");
            assertThat(app.update("INSERT INTO item (id, name) VALUES (?, ?)", 1, "pen"))
                    .isOne();
            assertThat(app.update("INSERT INTO item VALUES (2, 'cup', 5), (3, 'hat', 7)"))
                    .isEqualTo(2);
            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"w\",\"item/1\",{\"id\":1,\"name\":\"pen\",\"stock\":null}]]",
                            "committed [[\"w\",\"item/2\",{\"id\":2,\"name\":\"cup\",\"stock\":5}],"
                                    + "[\"w\",\"item/3\",{\"id\":3,\"name\":\"hat\",\"stock\":7}]]");

            assertThat(app.query("SELECT name FROM item i WHERE i.id = ?", 2)).isEqualTo("cup;");
            assertThat(app.query("select * from item where id = 9")).isEmpty();
            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"r\",\"item/2\",{\"id\":2,\"name\":\"cup\",\"stock\":5}]]",
                            "committed [[\"r\",\"item/9\",null]]");

            assertThat(app.query("SELECT upper(name) FROM item WHERE stock > ? AND name <> 'pen' ORDER BY id", 6))
                    .isEqualTo("HAT;");
            assertThat(app.query("SELECT count(*) FROM item WHERE stock < 6")).isEqualTo("1;");
            assertThat(app.query("SELECT name, count(*) FROM item GROUP BY name HAVING name = 'hat'"))
                    .isEqualTo("hat,1;");
            assertThat(app.query("SELECT id FROM item ORDER BY id LIMIT 1")).isEqualTo("1;");
            assertThat(app.query("SELECT id FROM item WHERE stock > ? ORDER BY name LIMIT ?", 4, 1))
                    .isEqualTo("2;");
            assertThat(app.query("SELECT id FROM item WHERE id = 2 LIMIT 0")).isEmpty();
            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"p\",\"stock > ? AND name <> 'pen'\",[6],"
                                    + "[[\"r\",\"item/3\",{\"id\":3,\"name\":\"hat\",\"stock\":7}]],{\"relation\":\"item\"}]]",
                            "committed [[\"p\",\"count(*) WHERE stock < 6\",[],null,{\"relation\":\"item\",\"value\":\"1\"}]]",
                            "committed [[\"p\",\"SELECT name, count(*) FROM item GROUP BY name HAVING name = 'hat'\",[],null,{}]]",
                            "committed [[\"p\",\"id IS NOT NULL\",[],[[\"r\",\"item/1\","
                                    + "{\"id\":1,\"name\":\"pen\",\"stock\":null}]],"
                                    + "{\"relation\":\"item\",\"limit\":1,\"order\":\"id\"}]]",
                            "committed [[\"p\",\"stock > ?\",[4],[[\"r\",\"item/2\","
                                    + "{\"id\":2,\"name\":\"cup\",\"stock\":5}]],{\"relation\":\"item\",\"limit\":1}]]",
                            "committed [[\"p\",\"id = 2\",[],[],{\"relation\":\"item\",\"limit\":0}]]");

            app.connection().setAutoCommit(false);
            assertThat(app.update("UPDATE item SET stock = coalesce(stock, 0) + ? WHERE id = ?", 4, 1))
                    .isOne();
            assertThat(app.query("SELECT stock FROM item WHERE id = 1")).isEqualTo("4;");
            Savepoint savepoint = app.connection().setSavepoint();
            app.update("UPDATE item SET stock = 0 WHERE id = 2");
            app.connection().rollback(savepoint);
            app.connection().commit();
            app.update("UPDATE item SET stock = 1 WHERE id = 3");
            app.connection().rollback();
            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"w\",\"item/1\",{\"id\":1,\"name\":\"pen\",\"stock\":4}],"
                                    + "[\"r\",\"item/1\",{\"id\":1,\"name\":\"pen\",\"stock\":4}]]",
                            "aborted [[\"w\",\"item/3\",{\"id\":3,\"name\":\"hat\",\"stock\":1}]]");

            app.connection().setAutoCommit(true);
            assertThat(app.update("DELETE FROM item WHERE id = 2")).isOne();
            app.query("SELECT * FROM item WHERE id = 2");
            assertThat(app.since())
                    .containsExactly("committed [[\"d\",\"item/2\"]]", "committed [[\"r\",\"item/2\",null]]");
            app.execute("DROP TABLE IF EXISTS part");
            app.execute(
                    "CREATE TABLE part (id INTEGER PRIMARY KEY, item INTEGER, FOREIGN KEY (item) REFERENCES item (id)"
                            + " ON DELETE CASCADE)");
            app.update("INSERT INTO part VALUES (7, 3)");
            app.update("DELETE FROM item WHERE id = 1");
            app.query("SELECT * FROM part WHERE id = 7");
            assertThat(app.since().get(2))
                    .isEqualTo("committed [[\"p\",\"SELECT * FROM part WHERE id = 7\",[],null,{}]]");
            assertThatThrownBy(() -> app.update("INSERT INTO item (id) VALUES (3)"))
                    .isInstanceOf(SQLException.class);
            assertThat(app.since()).containsExactly("aborted []");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hsqldb:mem:told;nightjar.archive=",
                "duckdb:%s/db?nightjar.archive=",
                "sqlite:%s/db?nightjar.archive=",
                "h2:mem:%s;DATABASE_TO_LOWER=TRUE;nightjar.archive="
            })
    void updatesAndDeletionsByConditionAreRecorded(String url) throws Exception {
        Path archive = directory.resolve("archive");

        assertConditionsAreRecorded(
                "jdbc:nightjar:" + url.formatted(directory) + archive, archive, url.startsWith("h2"));
        assertThat(checked(archive, "all").verdict().word())
                .isEqualTo(url.startsWith("hsqldb") ? "undecided" : "holds");
    }

    /**
     * Verifies the same on every database.
     *
     * @param areFound whether the rows that an update found are recorded as well as their new state
     */
    static void assertConditionsAreRecorded(String url, Path archive, boolean areFound) throws Exception {
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE stock (id INTEGER PRIMARY KEY, v BIGINT)");
            app.update("INSERT INTO stock VALUES (1, 5), (2, 5), (3, 7)");
            assertThat(app.update("UPDATE stock SET v = v + ? WHERE v = ?", 1, 5))
                    .isEqualTo(2);
            assertThat(app.update("UPDATE stock SET v = 0 WHERE v = 99")).isZero();
            app.connection().setAutoCommit(false);
            assertThat(app.update("UPDATE stock SET v = v * 10 WHERE v = 7")).isOne();
            app.connection().rollback();
            assertThat(app.update("DELETE FROM stock WHERE v > ?", 6)).isOne();
            assertThat(app.update("DELETE FROM stock WHERE v > ?", 6)).isZero();
            app.connection().commit();
            app.connection().setAutoCommit(true);
            assertThat(app.update("UPDATE stock SET v = ? WHERE id = ? AND v = ?", 8, 1, 6))
                    .isOne();
            assertThat(app.update("UPDATE stock SET v = ? WHERE id = ? AND v = ?", 9, 1, 6))
                    .isZero();

            boolean areCounted = url.contains("sqlite") || url.contains("duckdb");
            String start = areCounted ? "count(*) where " : "";
            assertThat(app.since().toString().toLowerCase(Locale.ROOT))
                    .endsWith(
                            "committed [[\"w\",\"stock/1\",{\"id\":1,\"v\":5}],[\"w\",\"stock/2\",{\"id\":2,\"v\":5}],"
                                    + "[\"w\",\"stock/3\",{\"id\":3,\"v\":7}]],"
                                    + " committed [[\"p\",\"" + start + "v = ?\",[5],"
                                    + (areFound
                                            ? "[[\"r\",\"stock/1\",{\"id\":1,\"v\":5}],[\"r\",\"stock/2\",{\"id\":2,\"v\":5}]]"
                                            : "null")
                                    + ",{\"relation\":\"stock\"" + (areCounted ? ",\"value\":\"2\"" : "") + "}],"
                                    + "[\"w\",\"stock/1\",{\"id\":1,\"v\":6}],[\"w\",\"stock/2\",{\"id\":2,\"v\":6}]],"
                                    + " committed [[\"p\",\"v = 99\",[],[],{\"relation\":\"stock\"}]],"
                                    + " aborted [[\"p\",\"" + start + "v = 7\",[],"
                                    + (areFound ? "[[\"r\",\"stock/3\",{\"id\":3,\"v\":7}]]" : "null")
                                    + ",{\"relation\":\"stock\"" + (areCounted ? ",\"value\":\"1\"" : "") + "}],"
                                    + "[\"w\",\"stock/3\",{\"id\":3,\"v\":70}]],"
                                    + " committed [[\"p\",\"v > ?\",[6],[[\"r\",\"stock/3\",{\"id\":3,\"v\":7}]],{\"relation\":\"stock\"}],"
                                    + "[\"d\",\"stock/3\"],"
                                    + "[\"p\",\"v > ?\",[6],[],{\"relation\":\"stock\"}]],"
                                    + " committed [[\"p\",\"id = ? and v = ?\",[1,6],[[\"r\",\"stock/1\",{\"id\":1,\"v\":6}]],"
                                    + "{\"relation\":\"stock\"}],[\"w\",\"stock/1\",{\"id\":1,\"v\":8}]],"
                                    + " committed [[\"p\",\"id = ? and v = ?\",[1,6],[],{\"relation\":\"stock\"}]]]");
            assertThat(archive.resolve("_manifest.json")).content().contains("\"not_recorded\" : {}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"duckdb:%s/db?nightjar.archive=", "sqlite:%s/db?nightjar.archive="})
    void refusedInsertionsAreRecorded(String url) throws Exception {
        Path archive = directory.resolve("archive");

        assertRefusedInsertionsAreRecorded("jdbc:nightjar:" + url.formatted(directory) + archive, archive);
        assertThat(checked(archive, "all").verdict().word()).isEqualTo("holds");
    }

    /** The same on every database. */
    static void assertRefusedInsertionsAreRecorded(String url, Path archive) throws Exception {
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE seat (id INTEGER PRIMARY KEY, name VARCHAR(20) UNIQUE)");
            String insert = "INSERT INTO seat (name, id) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
            assertThat(app.update(insert, "ann", 1)).isOne();
            assertThat(app.update(insert, "bob", 1)).isZero();
            app.update("DELETE FROM seat WHERE id = 1");
            assertThat(app.update(insert, "bob", 1)).isOne();

            assertThat(app.since())
                    .endsWith(
                            "committed [[\"ins\",\"seat/1\",{\"id\":1,\"name\":\"ann\"},{\"done\":true}]]",
                            "committed [[\"ins\",\"seat/1\",{\"id\":1},{\"done\":false}]]",
                            "committed [[\"d\",\"seat/1\"]]",
                            "committed [[\"ins\",\"seat/1\",{\"id\":1,\"name\":\"bob\"},{\"done\":true}]]");
        }
    }

    /** Another unique column, a collation or a trigger may prevent an insertion as well. */
    @Test
    void insertionsPreventedByOthersThanKeysAreOpaque() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:sqlite:" + directory.resolve("db") + "?nightjar.archive=" + archive;
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE seat (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
            app.execute("CREATE TABLE guest (name TEXT COLLATE NOCASE PRIMARY KEY)");
            app.update("INSERT INTO seat VALUES (1, 'ann')");
            app.update("INSERT INTO guest VALUES ('ann')");
            app.since();
            app.update("INSERT INTO seat (id, name) VALUES (2, 'ann') ON CONFLICT (name) DO NOTHING");
            app.update("INSERT INTO seat (id, name) VALUES (2, 'ann') ON CONFLICT DO NOTHING");
            app.update("INSERT INTO seat (id, name) VALUES (2, 'eve'), (1, 'joe') ON CONFLICT (id) DO NOTHING");
            app.update("INSERT INTO guest (name) VALUES ('ANN') ON CONFLICT (name) DO NOTHING");
            app.execute("CREATE TRIGGER none BEFORE INSERT ON seat BEGIN SELECT RAISE(IGNORE); END");
            app.update("INSERT INTO seat (id, name) VALUES (9, 'bob') ON CONFLICT (id) DO NOTHING");

            assertThat(app.since())
                    .hasSizeGreaterThanOrEqualTo(5)
                    .noneMatch(line -> line.contains("[\"ins\","))
                    .contains(
                            "committed [[\"w\",\"seat/2\",{\"id\":2,\"name\":\"eve\"}],[\"p\",\"INSERT INTO seat (id, name)"
                                    + " VALUES (2, 'eve'), (1, 'joe') ON CONFLICT (id) DO NOTHING\",null,null]]");
        }
    }

    @Test
    void unrequestedTablesAreOmitted() throws Exception {
        Path archive = directory.resolve("archive");
        String target = "h2:mem:wanted;DATABASE_TO_LOWER=TRUE";
        try (Connection direct = DriverManager.getConnection("jdbc:" + target);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            statement.execute("CREATE TABLE log (id INT PRIMARY KEY)");
            statement.execute("INSERT INTO t VALUES (1, 10)");
            statement.execute("INSERT INTO log VALUES (1)");
            try (RecordedStatements app = new RecordedStatements(
                    "jdbc:nightjar:" + target + ";nightjar.tables=T, x;nightjar.archive=" + archive, archive)) {
                app.query("SELECT * FROM t WHERE id = 1");
                app.update("INSERT INTO log VALUES (2)");
                assertThat(app.since())
                        .containsExactly(
                                "committed [[\"w\",\"t/1\",{\"id\":1,\"v\":10}]]",
                                "committed [[\"r\",\"t/1\",{\"id\":1,\"v\":10}]]",
                                "committed [[\"p\",\"INSERT INTO log VALUES (2)\",[],null,{}]]");
            }
        }
        assertThat(archive.resolve("_manifest.json")).content().contains("\"log\" : \"not one of nightjar.tables\"");
    }

    @Test
    void batchesAndGeneratedKeysAreUnchanged() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:h2:mem:keys;DATABASE_TO_LOWER=TRUE;nightjar.archive=" + archive;
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE t (v INT, id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY)");
            try (PreparedStatement insert = app.connection()
                            .prepareStatement("INSERT INTO t (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
                    PreparedStatement batch = app.connection().prepareStatement("UPDATE t SET v = ? WHERE v = ?")) {
                insert.setInt(1, 7);
                assertThat(insert.executeUpdate()).isOne();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getLong(1)).isOne();
                    assertThat(keys.next()).isFalse();
                }
                batch.setInt(1, 8);
                batch.setInt(2, 7);
                batch.addBatch();
                batch.setInt(1, 9);
                batch.setInt(2, 0);
                batch.addBatch();
                assertThat(batch.executeBatch()).containsExactly(1, 0);
            }
            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"w\",\"t/1\",{\"id\":1,\"v\":7}]]",
                            "committed [[\"p\",\"v = ?\",[7],[[\"r\",\"t/1\",{\"id\":1,\"v\":7}]],{\"relation\":\"t\"}],[\"w\",\"t/1\",{\"id\":1,\"v\":8}]]",
                            "committed [[\"p\",\"v = ?\",[0],[],{\"relation\":\"t\"}]]");
        }
    }

    @Test
    void returnedRowsAreRecordedAsWritesOnly() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:sqlite:" + directory.resolve("db") + "?nightjar.archive=" + archive;
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v INT)");
            assertThat(app.query("INSERT INTO t VALUES (1, 5), (2, 6) RETURNING v"))
                    .isEqualTo("5;6;");
            assertThat(app.query("UPDATE t SET v = v + 1 WHERE id = ? RETURNING id, v", 2))
                    .isEqualTo("2,7;");

            assertThat(app.since())
                    .containsExactly(
                            "committed [[\"w\",\"t/1\",{\"id\":1,\"v\":5}],[\"w\",\"t/2\",{\"id\":2,\"v\":6}]]",
                            "committed [[\"w\",\"t/2\",{\"id\":2,\"v\":7}]]");
        }
    }

    @Test
    void anApplicationGoesOnWhenItsRecordingCannot() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:sqlite:" + directory.resolve("db") + "?nightjar.archive=" + archive;
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v INT)");
            try (PreparedStatement update = app.connection().prepareStatement("UPDATE t SET v = ? WHERE id = 1")) {
                update.setInt(1, 6);
                app.update("INSERT INTO t VALUES (1, 5)");
                Thread.currentThread().interrupt(); // applications do that
                assertThat(update.executeUpdate()).isOne();
                assertThat(Thread.interrupted()).isTrue();
                assertThat(app.since()).hasSize(2);

                Files.delete(archive.resolve("_manifest.json"));
                Files.createDirectories(archive.resolve("_manifest.json").resolve("no room"));
                app.execute("REPLACE INTO t VALUES (1, 0)"); // the manifest must state it
                assertThat(update.executeUpdate()).isOne();
                assertThat(app.query("SELECT v FROM t WHERE id = 1")).isEqualTo("6;");
                assertThat(app.since()).isEmpty();
            }
        }
    }

    @Test
    void tableWithUntraceableChangesIsNoLongerRecorded() throws Exception {
        Path archive = directory.resolve("archive");
        String url = "jdbc:nightjar:h2:mem:untold;DATABASE_TO_LOWER=TRUE;nightjar.archive=" + archive;
        try (RecordedStatements app = new RecordedStatements(url, archive)) {
            app.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            app.execute("CREATE TABLE other (id INT PRIMARY KEY)");
            app.update("INSERT INTO t VALUES (1, 1)");
            app.update("INSERT INTO other VALUES (1)");
            app.update("MERGE INTO t KEY (id) VALUES (1, 2)");
            assertThat(app.query("SELECT v FROM t WHERE id = 1")).isEqualTo("2;");
            app.query("SELECT * FROM other WHERE id = 1");

            assertThat(app.since().subList(2, 5))
                    .containsExactly(
                            "committed [[\"p\",\"MERGE INTO t KEY (id) VALUES (1, 2)\",[],null,{}]]",
                            "committed [[\"p\",\"SELECT v FROM t WHERE id = 1\",[],null,{}]]",
                            "committed [[\"r\",\"other/1\",{\"id\":1}]]");
            assertThat(archive.resolve("_manifest.json"))
                    .content()
                    .contains("\"t\" : \"a statement does not report its writes: MERGE INTO t")
                    .contains("\"complete\" : false");
        }
        assertThat(archive.resolve("_manifest.json")).content().contains("\"complete\" : true");
        assertThat(checked(archive, "si").verdict().word()).isNotEqualTo("violated");
    }

    /** SQLite has rows whose primary key is null. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tableWithRowsWithoutKeyIsNotRecorded(boolean areThereBefore) throws Exception {
        Path archive = directory.resolve("archive");
        String target = "sqlite:" + directory.resolve("db");
        try (Connection direct = DriverManager.getConnection("jdbc:" + target);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE TABLE t (k TEXT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO t VALUES ('a', 1)");
            if (areThereBefore) {
                statement.execute("INSERT INTO t VALUES (NULL, 1)");
            }
        }
        try (RecordedStatements app =
                new RecordedStatements("jdbc:nightjar:" + target + "?nightjar.archive=" + archive, archive)) {
            app.update("INSERT INTO t VALUES (NULL, 2)");
            app.update("UPDATE t SET v = 3 WHERE k IS NULL");
            assertThat(app.query("SELECT max(v) FROM t")).isEqualTo("3;");
        }

        assertThat(archive.resolve("_manifest.json"))
                .content()
                .contains("\"t\" : \"a row has no key: a column of its primary key is null\"");
        assertThat(checked(archive, "all").verdict().word()).isNotEqualTo("violated");
    }

    @Test
    void initialRowsAreFirstTransaction() throws Exception {
        Path archive = directory.resolve("archive");
        String target = "h2:mem:before;DATABASE_TO_LOWER=TRUE";
        try (Connection direct = DriverManager.getConnection("jdbc:" + target);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
            statement.execute("CREATE TABLE keyless (v INT)");
            statement.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
            try (RecordedStatements app =
                    new RecordedStatements("jdbc:nightjar:" + target + ";nightjar.archive=" + archive, archive)) {
                app.query("SELECT * FROM t WHERE id = 1");
                app.execute("ALTER TABLE t ADD COLUMN w INT");
                app.query("SELECT v FROM t WHERE id = 1");

                assertThat(app.since())
                        .containsExactly(
                                "committed [[\"w\",\"t/1\",{\"id\":1,\"v\":10}],[\"w\",\"t/2\",{\"id\":2,\"v\":20}],"
                                        + "[\"w\",\"t#2/1\",{\"id\":1,\"v\":10,\"w\":null}],[\"w\",\"t#2/2\",{\"id\":2,\"v\":20,\"w\":null}]]",
                                "committed [[\"r\",\"t/1\",{\"id\":1,\"v\":10}]]",
                                "committed [[\"r\",\"t#2/1\",{\"id\":1,\"v\":10,\"w\":null}]]");
            }
        }
        assertThat(archive.resolve("_manifest.json")).content().contains("\"keyless\" : \"no primary key\"");
        assertThat(checked(archive, "all").verdict().word()).isEqualTo("holds");
    }

    @Test
    void rowsFromBeforeAreWrittenByOneTransaction() throws Exception {
        Path archive = directory.resolve("archive");
        String target = "h2:mem:loaded;DATABASE_TO_LOWER=TRUE";
        try (Connection direct = DriverManager.getConnection("jdbc:" + target);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE TABLE many (id INT PRIMARY KEY, v VARCHAR)");
            statement.execute("INSERT INTO many SELECT \"X\", 'äöü' || \"X\" FROM system_range(1, 20000)");
            statement.execute("CREATE TABLE more (id INT PRIMARY KEY)");
            statement.execute("INSERT INTO more SELECT \"X\" FROM system_range(1, 501)");
            try (RecordedStatements app =
                    new RecordedStatements("jdbc:nightjar:" + target + ";nightjar.archive=" + archive, archive)) {
                app.query("SELECT v FROM many WHERE id = 20000");
                app.update("DELETE FROM more WHERE id = 501");
            }
        }

        List<Map<String, Object>> txns = JsonTree.lines(
                Files.readString(archive.resolve("part-00000.jsonl")).strip());
        List<List<Object>> loaded = JsonTree.at(txns.get(0), "ops");
        assertThat(loaded).hasSize(20_501).allMatch(op -> op.get(0).equals("w"));
        assertThat(txns.get(0)).containsEntry("session", 0L).containsEntry("status", "committed");
        assertThat(txns).hasSize(3);
        assertThat(txns.subList(1, 3)).noneMatch(txn -> txn.get("session").equals(0L));
        assertThat(checked(archive, "all").verdict().word()).isEqualTo("holds");
    }

    @Test
    void unsupportedStatementsAreReportedFirst() throws Exception {
        Path archive = directory.resolve("archive");

        assertThat(refusal("jdbc:nightjar:h2:mem:a")).contains("add nightjar.archive=FOLDER to the address");
        assertThat(refusal("jdbc:nightjar:sqlite::memory:?nightjar.archive=" + archive))
                .contains("each connection to this address opens a separate database");
        assertThat(refusal("jdbc:nightjar:nosuch:x?nightjar.archive=" + archive + "&password=geheim"))
                .contains("no driver for the database: url=jdbc:nosuch:…")
                .doesNotContain("geheim");
        assertThat(archive).doesNotExist();
        Files.createDirectories(archive);
        Files.writeString(archive.resolve("mine"), "dear");
        assertThat(refusal("jdbc:nightjar:h2:mem:a;nightjar.archive=" + archive))
                .contains("archive exists: folder=");
        Path one = directory.resolve("one");
        DriverManager.getConnection("jdbc:nightjar:h2:mem:a;nightjar.archive=" + one)
                .close();
        assertThat(refusal("jdbc:nightjar:h2:mem:b;nightjar.archive=" + one))
                .contains("one archive is of one database");
    }

    private static String refusal(String url) {
        return assertThatThrownBy(() -> DriverManager.getConnection(url).close())
                .isInstanceOf(SQLException.class)
                .actual()
                .getMessage();
    }

    private static RunResult checked(Path history, String levels) {
        CommandRun run = CommandRun.of("check", "" + history, "--level", levels, "--lake", "none", "--json");
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }

    @Test
    void aTransactionBeginsBeforeTheQueriesOfTheRecorder() throws Exception {
        Path archive = directory.resolve("archive");
        String database = "h2:mem:early;DATABASE_TO_LOWER=TRUE";
        long prepared;
        try (Connection other = DriverManager.getConnection("jdbc:" + database);
                Statement definition = other.createStatement()) {
            definition.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, stock BIGINT)");
            try (Connection connection =
                    DriverManager.getConnection("jdbc:nightjar:" + database + ";nightjar.archive=" + archive)) {
                connection.setAutoCommit(false);
                try (PreparedStatement read = connection.prepareStatement("SELECT stock FROM item WHERE id = 1")) {
                    Instant now = Instant.now();
                    prepared = now.getEpochSecond() * 1_000_000_000L + now.getNano();
                    read.executeQuery().close();
                }
                connection.commit();
            }
        }

        Path history = directory.resolve("history.jsonl");
        assertThat(CommandRun.of("convert", "" + archive, "" + history).code()).isZero();
        Map<String, Object> row = JsonTree.object(Files.readString(history).strip());
        assertThat(JsonTree.<Long>at(row, "invoke")).isLessThanOrEqualTo(prepared);
    }
}
