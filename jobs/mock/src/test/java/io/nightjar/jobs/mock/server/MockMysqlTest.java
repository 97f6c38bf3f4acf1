package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the server with drivers of MySQL and MariaDB, with statements prepared by the driver and by the server. */
class MockMysqlTest {

    private static final String MYSQL = "mysql";
    private static final String MYSQL_PREPARED = "mysql prepared";
    private static final String MARIADB = "mariadb";
    private static final String MARIADB_PREPARED = "mariadb prepared";
    private static final int BEYOND_THE_FIFTH = 8;

    private MockDatabase database;
    private final List<Connection> connections = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        MockOptions options = MockClients.options(IsolationLevel.SERIALIZABLE, 1, true);
        database = new MockDatabase(
                options, new AnswerChooser(options.reads().choice(), 1, true), null, "127.0.0.1", 0, 0, note -> {});
    }

    @AfterEach
    void close() throws IOException, SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        database.close();
    }

    private String url(String driver) {
        String address = "://127.0.0.1:" + database.mysqlPort() + "/shop?";
        return switch (driver) {
            case MYSQL -> "jdbc:mysql" + address + "user=me&password=any";
            case MYSQL_PREPARED -> "jdbc:mysql" + address + "user=me&useServerPrepStmts=true&useCursorFetch=true";
            case MARIADB -> "jdbc:mariadb" + address + "user=me&password=any";
            default -> "jdbc:mariadb" + address + "user=me&useServerPrepStmts=true";
        };
    }

    private Connection connect(String driver) throws SQLException {
        Connection connection = DriverManager.getConnection(url(driver));
        connections.add(connection);
        return connection;
    }

    private Connection withTables(String driver) throws SQLException {
        Connection connection = connect(driver);
        MockClients.update(
                connection,
                "CREATE TABLE `Item` (id INT(11) UNSIGNED NOT NULL AUTO_INCREMENT, name VARCHAR(30) NOT NULL DEFAULT 'none',"
                        + " price DECIMAL(10,2), note TEXT, made DATETIME(6) NULL, day DATE, good TINYINT(1), raw BLOB,"
                        + " size DOUBLE, much BIGINT, at TIME, PRIMARY KEY (`id`), UNIQUE KEY by_name (name), KEY by_day (day))"
                        + " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='things'");
        MockClients.update(
                connection,
                "CREATE TABLE part (id INT PRIMARY KEY, item INT UNSIGNED, KEY by_day (item),"
                        + " CONSTRAINT of_item FOREIGN KEY (item) REFERENCES Item (id))");
        return connection;
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MYSQL_PREPARED, MARIADB, MARIADB_PREPARED})
    void valuesOfAllTypesComeBack(String driver) throws SQLException {
        Connection connection = withTables(driver);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO item(name, price, note, made, day, good, raw, size, much, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (int i = 0; i < BEYOND_THE_FIFTH; i++) {
                insert.setString(1, "n" + i);
                insert.setBigDecimal(2, new BigDecimal("-12345.50"));
                insert.setString(3, "it's \\ \u00e9 \"q\"\n");
                insert.setTimestamp(4, Timestamp.valueOf("2024-02-29 10:11:12.123456"));
                insert.setDate(5, Date.valueOf("2024-02-29"));
                insert.setBoolean(6, true);
                insert.setBytes(7, new byte[] {1, -2, '\'', 0, '\\'});
                insert.setDouble(8, 1.25);
                insert.setLong(9, 1L << 40);
                insert.setTime(10, java.sql.Time.valueOf("10:11:12"));
                assertThat(insert.executeUpdate()).isOne();
            }
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT price, note, made, day, good, raw, size, much, at, NULL AS nothing FROM item WHERE name = ?")) {
            for (int i = 0; i < BEYOND_THE_FIFTH; i++) {
                select.setString(1, "N" + i);
                try (ResultSet row = select.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getBigDecimal(1)).isEqualTo("-12345.50");
                    assertThat(row.getString(2)).isEqualTo("it's \\ \u00e9 \"q\"\n");
                    assertThat(row.getTimestamp(3)).isEqualTo(Timestamp.valueOf("2024-02-29 10:11:12.123456"));
                    assertThat(row.getDate(4)).isEqualTo(Date.valueOf("2024-02-29"));
                    assertThat(row.getBoolean(5)).isTrue();
                    assertThat(row.getBytes(6)).containsExactly(1, -2, '\'', 0, '\\');
                    assertThat(row.getDouble(7)).isEqualTo(1.25);
                    assertThat(row.getLong("much")).isEqualTo(1L << 40);
                    assertThat(row.getTime(9)).hasToString("10:11:12");
                    assertThat(row.getString("nothing")).isNull();
                    assertThat(row.next()).isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MYSQL_PREPARED, MARIADB, MARIADB_PREPARED})
    void keysThatTheServerMadeAreReturned(String driver) throws SQLException {
        Connection connection = withTables(driver);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item(name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int round = 0; round < 2; round++) {
                insert.setString(1, "a" + round);
                assertThat(insert.executeUpdate()).isOne();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getLong(1)).isEqualTo(round + 1L);
                }
                assertThat(MockClients.number(connection, "SELECT LAST_INSERT_ID()"))
                        .isEqualTo(round + 1L);
            }
        }
        MockClients.update(connection, "INSERT INTO item(name) VALUES ('b'), ('c')");
        assertThat(MockClients.number(connection, "SELECT LAST_INSERT_ID()")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MYSQL_PREPARED, MARIADB, MARIADB_PREPARED})
    void batchesAndRowsInStepsWork(String driver) throws SQLException {
        Connection connection = withTables(driver);
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO item(name, much) VALUES (?, ?)")) {
            for (int i = 0; i < 100; i++) {
                insert.setString(1, "n" + i);
                insert.setInt(2, i);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(100);
        }
        connection.commit();
        try (PreparedStatement select = connection.prepareStatement("SELECT much FROM item ORDER BY much")) {
            select.setFetchSize(7);
            try (ResultSet rows = select.executeQuery()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1)).isEqualTo(i);
                }
                assertThat(rows.next()).isFalse();
            }
        }
        connection.commit();
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void rowsAreUpdatedWhereTheyAreRead(String driver) throws SQLException {
        Connection connection = withTables(driver);
        MockClients.update(connection, "INSERT INTO item(name, much) VALUES ('a', 1), ('b', 2)");
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet row = statement.executeQuery("SELECT * FROM item WHERE id = 2")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getMetaData().isAutoIncrement(1)).isTrue();
            row.updateString("name", "c");
            row.updateRow();
            row.moveToInsertRow();
            row.updateLong("id", 3);
            row.updateString("name", "d");
            row.insertRow();
        }
        assertThat(MockClients.number(connection, "SELECT id FROM item WHERE name = 'd'"))
                .isEqualTo(3);
        assertThat(MockClients.number(connection, "SELECT much FROM item WHERE name = 'c'"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void multiStatementsNeedClientFlag(String driver) throws SQLException {
        assertThat(state(connect(driver), "SELECT 1; SELECT 2")).isEqualTo("42000");
        try (Connection connection = DriverManager.getConnection(url(driver) + "&allowMultiQueries=true");
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SELECT 1; SELECT 2")).isTrue();
            assertThat(statement.getMoreResults()).isTrue();
            try (ResultSet second = statement.getResultSet()) {
                assertThat(second.next()).isTrue();
                assertThat(second.getInt(1)).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MYSQL_PREPARED, MARIADB, MARIADB_PREPARED})
    void databasesThatAreMadeHaveTablesOfTheirOwn(String driver) throws SQLException {
        Connection connection = withTables(driver);
        MockClients.update(connection, "CREATE DATABASE other");
        MockClients.update(connection, "CREATE TABLE other.item (id INT PRIMARY KEY, KEY by_day (id))");
        MockClients.update(connection, "INSERT INTO other.item VALUES (7)");
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item")).isZero();
        connection.setCatalog("other");
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item")).isOne();
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM shop.item"))
                .isZero();
        assertThat(column(connection.getMetaData().getTables("other", null, "%", null), "TABLE_NAME"))
                .containsExactly("item");
        connection.setCatalog("shop");
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item")).isZero();
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM other.item"))
                .isOne();
        MockClients.update(connection, "CREATE VIEW shop.seen AS SELECT id FROM shop.item");
        MockClients.update(connection, "DROP VIEW shop.seen");
        assertThat(state(connection, "DROP DATABASE shop")).isEqualTo("42000");
        MockClients.update(connection, "DROP DATABASE other");
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void columnsThatAreInsertedMayBeNamedWithTheirTable(String driver) throws SQLException {
        Connection connection = withTables(driver);
        MockClients.update(connection, "INSERT INTO `shop`.`item` (`item`.`name`, shop.item.much) VALUES ('a', 1)");
        MockClients.update(
                connection,
                "INSERT INTO item SET item.id = 1, item.name = CONCAT('b', 'c') ON DUPLICATE KEY UPDATE item.much = 6");
        MockClients.update(
                connection,
                "INSERT INTO item SET id = 1, name = 'd', much = 7 AS made ON DUPLICATE KEY UPDATE much = made.much");
        assertThat(MockClients.number(connection, "SELECT much FROM item WHERE name = 'a'"))
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void aStatementThatFailsIsTakenBackAlone(String driver) throws SQLException {
        Connection connection = withTables(driver);
        connection.setAutoCommit(false);
        MockClients.update(connection, "INSERT INTO item(id, name) VALUES (1, 'a')");
        SQLException twice = catchThrowableOfType(
                SQLException.class,
                () -> MockClients.update(connection, "INSERT INTO item(id, name) VALUES (2, 'b'), (3, 'A')"));
        assertThat(twice.getSQLState()).isEqualTo("23000");
        assertThat(twice.getErrorCode()).isEqualTo(1062);
        Savepoint point = connection.setSavepoint("p");
        MockClients.update(connection, "UPDATE item SET name = 'z' WHERE id = 1");
        connection.rollback(point);
        connection.commit();
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item WHERE name = 'a'"))
                .isOne();
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item")).isOne();
        connection.rollback();
        assertThat(state(connection, "SELECT * FROM nothing")).isEqualTo("42S02");
        assertThat(state(connection, "SELECT nothing FROM item")).isEqualTo("42S22");
        assertThat(state(connection, "SELEC 1")).isEqualTo("42000");
        assertThat(state(connection, "LOCK TABLES item WRITE")).isEqualTo("42000");
        assertThat(state(connection, "UPDATE item SET name = 'z' ORDER BY id DESC LIMIT 1"))
                .isEqualTo("42000"); // concerns any row, as in the engine
        assertThat(state(connection, "DELETE FROM item ORDER BY id DESC LIMIT 1"))
                .isEqualTo("42000");
        assertThat(state(connection, "SELECT name INTO OUTFILE 'x' FROM item")).isEqualTo("42000");
        assertThat(state(connection, "INSERT INTO part VALUES (1, 77)")).isEqualTo("23000");
        assertThat(state(connection, "INSERT INTO item(name) VALUES (NULL)")).isEqualTo("23000");
    }

    private static String state(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return catchThrowableOfType(SQLException.class, () -> statement.execute(sql))
                    .getSQLState();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void theDriverIsToldOfTablesColumnsAndKeys(String driver) throws SQLException {
        Connection connection = withTables(driver);
        assertThat(column(connection.getMetaData().getTables("shop", null, "%", new String[] {"TABLE"}), "TABLE_NAME"))
                .containsExactly("item", "part");
        assertThat(column(connection.getMetaData().getColumns("shop", null, "item", "%"), "COLUMN_NAME"))
                .startsWith("id", "name", "price")
                .hasSize(11);
        assertThat(column(connection.getMetaData().getColumns("shop", null, "item", "%"), "DATA_TYPE"))
                .startsWith("-5", "12", "3");
        assertThat(column(connection.getMetaData().getPrimaryKeys("shop", null, "item"), "COLUMN_NAME"))
                .containsExactly("id");
        assertThat(column(connection.getMetaData().getImportedKeys("shop", null, "part"), "PKTABLE_NAME"))
                .containsExactly("item");
        assertThat(column(connection.getMetaData().getIndexInfo("shop", null, "item", false, true), "INDEX_NAME"))
                .containsExactly("PRIMARY", "by_name", "by_day");
        assertThat(column(connection.getMetaData().getCatalogs(), "TABLE_CAT")).contains("shop");
        assertThat(connection.getCatalog()).isEqualTo("shop");
        assertThat(connection.isValid(1)).isTrue();
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                values.add(rows.getString(name));
            }
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void theDialectIsMysqls(String driver) throws SQLException {
        Connection connection = withTables(driver);
        MockClients.update(connection, "INSERT INTO item SET id = 1, name = \"a\", much = 5");
        MockClients.update(
                connection,
                "INSERT INTO item(id, name, much) VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE much = much + VALUES(much)");
        MockClients.update(
                connection,
                "INSERT INTO item(id, name, much) VALUES (1, 'x', 1) AS new ON DUPLICATE KEY UPDATE much = item.much + new.much");
        assertThat(MockClients.number(connection, "SELECT much FROM item WHERE id = 1"))
                .isEqualTo(7);
        assertThat(MockClients.update(connection, "INSERT IGNORE INTO item(id, name) VALUES (1, 'x')"))
                .isZero();
        MockClients.update(connection, "REPLACE INTO part VALUES (1, NULL), (2, 1)");
        assertThat(
                        texts(
                                connection,
                                "SELECT 7 / 2 = 3.5, 0 || 0, IF(1 = 1, 'y', 'n'), IFNULL(NULL, 'z'), CONCAT('a', 1, \"b\"),"
                                        + " NULL <=> NULL, LENGTH('\u00e9'), 5 % 3, !0, DATE_ADD('2024-02-28', INTERVAL 2 DAY) > '2024-02-29'"))
                .containsExactly("1", "0", "y", "z", "a1b", "1", "2", "2", "1", "1");
        MockClients.update(connection, "CREATE TEMPORARY TABLE doc (data JSON, n INT)");
        MockClients.update(connection, "INSERT INTO doc VALUES ('{\"a\": \"x\"}', 7)");
        assertThat(texts(connection, "SELECT data, n FROM doc")).containsExactly("{\"a\": \"x\"}", "7");
        assertThatThrownBy(() -> texts(connection, "SELECT data->'$.a' FROM doc"))
                .hasMessageContaining("-> is not supported by this server");
        assertThatThrownBy(() -> texts(connection, "SELECT JSON_PRETTY(data) FROM doc"))
                .isInstanceOfSatisfying(SQLException.class, failed -> assertThat(failed.getErrorCode())
                        .isEqualTo(1235))
                .hasMessageContaining("function JSON_PRETTY is not supported by this server");
        assertThatThrownBy(() -> texts(connection, "SELECT WEEK('2024-02-29')"))
                .hasMessageContaining("function WEEK is not supported by this server");
        assertThatThrownBy(() -> texts(connection, "SELECT DATE_FORMAT('2024-02-29', '%U')"))
                .hasMessageContaining("a format with weeks, %U, is not supported by this server");
        assertThat(texts(connection, "SELECT item FROM part ORDER BY item LIMIT 0, 1"))
                .containsExactly((String) null);
        assertThat(texts(connection, "SELECT item FROM part ORDER BY item DESC LIMIT 1"))
                .containsExactly("1");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT COUNT(*), much M, it.Name FROM shop.item it GROUP BY much, name")) {
            assertThat(rows.getMetaData().getColumnLabel(1)).isEqualTo("COUNT(*)");
            assertThat(rows.getMetaData().getColumnLabel(2)).isEqualTo("M");
            assertThat(rows.getMetaData().getColumnLabel(3)).isEqualTo("Name");
        }
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(rows.getString(i));
            }
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void aStatementIsStoppedAfterItsTime(String driver) throws SQLException {
        Connection connection = connect(driver);
        MockClients.update(connection, "SET nightjar.phase = 'load'");
        MockClients.update(connection, "CREATE TABLE n (i INT PRIMARY KEY)");
        StringBuilder rows = new StringBuilder("INSERT INTO n VALUES (0)");
        for (int i = 1; i < 600; i++) {
            rows.append(",(").append(i).append(')');
        }
        MockClients.update(connection, rows.toString());
        MockClients.update(connection, "SET nightjar.phase = 'run'");
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException late = catchThrowableOfType(
                    SQLException.class, () -> statement.executeQuery("SELECT SUM(a.i * b.i + c.i) FROM n a, n b, n c"));
            assertThat(late.getMessage()).isNotEmpty();
        }
        assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM n WHERE i < 3"))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void aPoolOfConnectionsWorks(String driver) throws SQLException {
        withTables(driver);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(driver));
        config.setMaximumPoolSize(3);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int i = 0; i < 5; i++) {
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    MockClients.update(connection, "INSERT INTO item(name) VALUES ('n" + i + "')");
                    connection.commit();
                }
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(MockClients.number(connection, "SELECT COUNT(*) FROM item"))
                        .isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void clientsOfBothProtocolsAreOnTheSameTables(String driver) throws SQLException {
        Connection connection = withTables(driver);
        MockClients.update(connection, "INSERT INTO item(name) VALUES ('a')");
        try (Connection other =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + database.port() + "/any?user=any")) {
            MockClients.update(other, "SET nightjar.reads = 'newest'");
            assertThat(MockClients.number(other, "SELECT count(*) FROM item WHERE name = 'a'"))
                    .isOne();
            assertThat(MockClients.update(other, "UPDATE item SET much = 5 / 2 WHERE id = 1"))
                    .isOne();
        }
        MockClients.update(connection, "SET nightjar.reads = 'newest'");
        assertThat(MockClients.number(connection, "SELECT much FROM item WHERE id = 1"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {MYSQL, MARIADB})
    void longTextIsNotCutOff(String driver) throws SQLException {
        try (Statement statement = connect(driver).createStatement();
                ResultSet row = statement.executeQuery("SELECT CHAR_LENGTH(t), RIGHT(t, 1) FROM"
                        + " (SELECT CONCAT(UPPER(REPEAT('a', 1500000)), 'b') AS t) AS long_one")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).isEqualTo(1_500_001);
            assertThat(row.getString(2)).isEqualTo("b");
        }
    }
}
