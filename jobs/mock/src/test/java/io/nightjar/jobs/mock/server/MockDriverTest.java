package io.nightjar.jobs.mock.server;

import static io.nightjar.jobs.mock.server.MockClients.number;
import static io.nightjar.jobs.mock.server.MockClients.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.MockFaults;
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
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the server with PostgreSQL's JDBC driver and a connection pool. */
class MockDriverTest {

    private static final int BEYOND_THE_FIFTH = 8;

    private MockClients clients;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, SQLException {
        clients = new MockClients(MockClients.options(IsolationLevel.SERIALIZABLE, 1, true));
        connection = clients.connect();
        update(
                connection,
                "CREATE TABLE item(id SERIAL PRIMARY KEY, name VARCHAR(30) UNIQUE, price NUMERIC(10,2), note TEXT,"
                        + " made TIMESTAMP, seen TIMESTAMPTZ, day DATE, good BOOLEAN, raw BYTEA, size FLOAT8, code UUID,"
                        + " much BIGINT)");
        update(connection, "CREATE TABLE part(id INT PRIMARY KEY, item INT REFERENCES item(id))");
    }

    @AfterEach
    void close() throws IOException, SQLException {
        clients.close();
    }

    @Test
    void valuesOfAllTypesComeBackAlsoInBinary() throws SQLException {
        UUID code = new UUID(1, 2);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO item(name, price, note, made, seen, day, good, raw, size, code, much)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (int i = 0; i < BEYOND_THE_FIFTH; i++) {
                insert.setString(1, "n" + i);
                insert.setBigDecimal(2, new BigDecimal("-12345.50"));
                insert.setString(3, "it's \\ \u00e9");
                insert.setTimestamp(4, Timestamp.valueOf("2024-02-29 10:11:12.123456"));
                insert.setObject(5, java.time.OffsetDateTime.parse("2024-02-29T10:11:12+02:00"));
                insert.setDate(6, Date.valueOf("2024-02-29"));
                insert.setBoolean(7, true);
                insert.setBytes(8, new byte[] {1, -2});
                insert.setDouble(9, 1.25);
                insert.setObject(10, code);
                insert.setLong(11, 1L << 40);
                assertThat(insert.executeUpdate()).isOne();
            }
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT price, note, made, seen, day, good, raw, size, code, much FROM item WHERE name = ?")) {
            for (int i = 0; i < BEYOND_THE_FIFTH; i++) {
                select.setString(1, "n" + i);
                try (ResultSet row = select.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getBigDecimal(1)).isEqualTo("-12345.50");
                    assertThat(row.getString(2)).isEqualTo("it's \\ \u00e9");
                    assertThat(row.getTimestamp(3)).isEqualTo(Timestamp.valueOf("2024-02-29 10:11:12.123456"));
                    assertThat(row.getObject(4, java.time.OffsetDateTime.class).toInstant())
                            .isEqualTo("2024-02-29T08:11:12Z");
                    assertThat(row.getDate(5)).isEqualTo(Date.valueOf("2024-02-29"));
                    assertThat(row.getBoolean(6)).isTrue();
                    assertThat(row.getBytes(7)).containsExactly(1, -2);
                    assertThat(row.getDouble(8)).isEqualTo(1.25);
                    assertThat(row.getObject(9)).isEqualTo(code);
                    assertThat(row.getLong(10)).isEqualTo(1L << 40);
                }
            }
        }
    }

    @Test
    void aCheckThatRowsBreakIsRefusedWithoutATable() throws SQLException {
        update(connection, "INSERT INTO item(name, much) VALUES ('a', 1)");
        SQLException refused = catchThrowableOfType(
                SQLException.class,
                () -> update(connection, "ALTER TABLE item ADD CONSTRAINT plenty CHECK (much > 5)"));
        assertThat(refused.getMessage()).contains("check constraint \"plenty\" is violated by some row");
        assertThat(refused.getSQLState()).isEqualTo("23514");
    }

    @Test
    void functionsOfNamesReturnNullForNull() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT to_regclass(NULL), to_regtype(NULL),"
                        + " pg_get_serial_sequence(NULL, 'id'), pg_get_serial_sequence('item', NULL),"
                        + " current_setting(NULL), current_setting(NULL, true)")) {
            assertThat(row.next()).isTrue();
            for (int column = 1; column <= 6; column++) {
                assertThat(row.getString(column)).isNull();
            }
        }
    }

    @Test
    void keysThatTheServerMadeAreReturned() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item(name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, "a");
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                assertThat(keys.next()).isTrue();
                assertThat(keys.getInt("id")).isOne();
            }
        }
        assertThat(number(connection, "DELETE FROM item WHERE name = 'a' RETURNING id"))
                .isOne();
    }

    @Test
    void columnsOfExpressionsAreCalledAsInPostgres() throws SQLException {
        update(connection, "INSERT INTO item(name) VALUES ('a')");
        assertThat(labels(
                        "SELECT count(*), sum(much) OVER () + 1, lower(name), name::text, cast(price AS int) FROM item"
                                + " GROUP BY id"))
                .containsExactly("count", "?column?", "lower", "name", "price");
        assertThat(labels("SELECT '1'::int, date '2024-01-01', ARRAY[1, 2], CASE WHEN good THEN 1 END, trim(name),"
                        + " CASE WHEN good THEN 1 ELSE id END, (SELECT max(id) FROM item), 1, 'x', (name), 1.5::float8"
                        + " FROM item"))
                .containsExactly(
                        "int4",
                        "date",
                        "array",
                        "case",
                        "btrim",
                        "id",
                        "max",
                        "?column?",
                        "?column?",
                        "name",
                        "float8");
        assertThat(labels("SELECT id + 1, part.*, row_number() OVER (ORDER BY id), item n FROM part"))
                .containsExactly("?column?", "id", "item", "row_number", "n");
        assertThat(labels("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id), count(DISTINCT id) FROM item"))
                .containsExactly("percentile_cont", "count");
        assertThat(labels("INSERT INTO item(name) VALUES ('b') RETURNING upper(name), id::text"))
                .containsExactly("upper", "id");
        assertThat(labels("VALUES (1, 2)")).containsExactly("column1", "column2");
    }

    @Test
    void queriesInsideOfOthersFindTheNamesOfFunctions() throws SQLException {
        assertThat(number(connection, "SELECT count FROM (SELECT count(*), max(id) FROM item) x"))
                .isZero();
        assertThat(labels("WITH c AS (SELECT count(*), sum(much) FROM item) SELECT * FROM c"))
                .containsExactly("count", "sum");
    }

    private List<String> labels(String query) throws SQLException {
        List<String> labels = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                labels.add(rows.getMetaData().getColumnLabel(i));
            }
        }
        return labels;
    }

    @Test
    void unreadableValueIsReported() {
        assertThat(failure("SELEC 1").getMessage()).contains("syntax error at or near \"SELEC\"");
        assertThat(failure("SELECT 1 FROM").getMessage()).contains("syntax error at end of input");
        assertThat(failure("INSERT INTO item(price) VALUES (123456789012)").getSQLState())
                .isEqualTo("22003");
    }

    @Test
    void bytesMayBeWrittenInHex() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT '\\x01fe'::bytea, cast('\\x41' AS bytea), '\\x41'::text")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getBytes(1)).containsExactly(1, -2);
            assertThat(row.getBytes(2)).containsExactly('A');
            assertThat(row.getString(3)).isEqualTo("\\x41");
        }
    }

    private SQLException failure(String statement) {
        return catchThrowableOfType(SQLException.class, () -> update(connection, statement));
    }

    @Test
    void batchesAreOneTransaction() throws SQLException {
        update(connection, "INSERT INTO item(name) VALUES ('a')");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO part VALUES (?, 1)")) {
            for (int id = 0; id < 20; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            assertThat(Arrays.stream(insert.executeBatch()).sum()).isEqualTo(20);
        }
        assertThat(number(connection, "SELECT count(*) FROM part")).isEqualTo(20);
    }

    @Test
    void rowsAreFetchedInSteps() throws SQLException {
        update(connection, "INSERT INTO item(name) VALUES ('a')");
        for (int id = 0; id < 10; id++) {
            update(connection, "INSERT INTO part VALUES (" + id + ", 1)");
        }
        connection.setAutoCommit(false);
        List<Integer> found = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM part ORDER BY id DESC")) {
            select.setFetchSize(3);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getInt("id"));
                }
            }
        }
        connection.commit();
        assertThat(found).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    }

    @Test
    void failedTransactionContinuesOnlyFromSavepoint() throws SQLException {
        connection.setAutoCommit(false);
        update(connection, "INSERT INTO item(name) VALUES ('a')");
        Savepoint savepoint = connection.setSavepoint();
        assertThat(stateOf("INSERT INTO item(name) VALUES ('a')")).isEqualTo("23505");
        assertThat(stateOf("SELECT 1")).isEqualTo("25P02");
        connection.rollback(savepoint);
        update(connection, "INSERT INTO item(name) VALUES ('b')");
        connection.commit();

        assertThat(number(connection, "SELECT count(*) FROM item")).isEqualTo(2);
        connection.rollback();
        update(connection, "DELETE FROM item");
        connection.rollback();
        assertThat(number(connection, "SELECT count(*) FROM item")).isEqualTo(2);
    }

    private String stateOf(String sql) {
        return catchThrowableOfType(SQLException.class, () -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                })
                .getSQLState();
    }

    @Test
    void unsupportedStatementIsRejectedWithState() throws SQLException {
        assertThat(stateOf("SELECT nothing FROM item")).isEqualTo("42703");
        assertThat(stateOf("SELECT * FROM nowhere")).isEqualTo("42P01");
        assertThat(stateOf("SELEC 1")).isEqualTo("42601");
        assertThat(stateOf("COPY item FROM STDIN")).isEqualTo("0A000");
        assertThat(stateOf("SELECT now() - cast('1 day' AS interval)")).isEqualTo("0A000");
        assertThat(stateOf("SELECT now() - interval '1 day 02:00:00'")).isEqualTo("0A000");
        assertThat(stateOf("UPDATE item SET name = 'z' ORDER BY id LIMIT 1")).isEqualTo("42601");
        assertThat(stateOf("DELETE FROM item LIMIT 1")).isEqualTo("42601");
        assertThat(stateOf("INSERT INTO part VALUES (1, 77)")).isEqualTo("23503");
        assertThat(stateOf("INSERT INTO part VALUES (NULL, NULL)")).isEqualTo("23502");
        assertThat(stateOf("SELECT 1 / 0")).isEqualTo("22012");
        assertThat(stateOf("SET nightjar.mood = 'good'")).isEqualTo("42704");
        assertThat(stateOf("SET nightjar.phase = 'lod'")).isEqualTo("22023");
        assertThat(stateOf("SET nightjar.level = 'read uncommitted'")).isEqualTo("22023");
        update(connection, "INSERT INTO item(name) VALUES ('a')");
        assertThat(stateOf("SET nightjar.level = 'rc'")).isEqualTo("55000");
    }

    @Test
    void theDriverIsToldOfTablesColumnsAndKeys() throws SQLException {
        assertThat(names(connection.getMetaData().getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME"))
                .containsExactly("item", "part");
        assertThat(names(connection.getMetaData().getColumns(null, null, "part", "%"), "TYPE_NAME"))
                .containsExactly("int4", "int4");
        assertThat(names(connection.getMetaData().getColumns(null, null, "item", "price"), "COLUMN_SIZE"))
                .containsExactly("10");
        assertThat(names(connection.getMetaData().getPrimaryKeys(null, null, "item"), "COLUMN_NAME"))
                .containsExactly("id");
        assertThat(names(connection.getMetaData().getImportedKeys(null, null, "part"), "PKTABLE_NAME"))
                .containsExactly("item");
        assertThat(names(connection.getMetaData().getIndexInfo(null, null, "part", true, false), "COLUMN_NAME"))
                .containsExactly("id");
    }

    private static List<String> names(ResultSet rows, String column) throws SQLException {
        List<String> names = new ArrayList<>();
        while (rows.next()) {
            names.add(rows.getString(column));
        }
        return names;
    }

    @Test
    void aPoolOfConnectionsWorks() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(clients.url());
        config.setMaximumPoolSize(3);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int i = 0; i < 6; i++) {
                try (Connection pooled = pool.getConnection()) {
                    assertThat(update(pooled, "INSERT INTO item(name) VALUES ('p" + i + "')"))
                            .isOne();
                }
            }
        }
        assertThat(clients.newest("SELECT count(*) FROM item")).isEqualTo(6);
    }

    @Test
    void rowsThatAreThereAreReplacedOnConflict() throws SQLException {
        update(connection, "INSERT INTO item(id, name) VALUES (5, 'a')");
        String upsert =
                "INSERT INTO item(id, name) VALUES (5, 'b') ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name";

        assertThat(update(connection, upsert)).isOne();
        assertThat(update(connection, "INSERT INTO item(id, name) VALUES (5, 'c') ON CONFLICT DO NOTHING"))
                .isZero();
        assertThat(number(connection, "SELECT count(*) FROM item WHERE name = 'b'"))
                .isOne();
    }

    @Test
    void valuesMayBeLeftOutAtTheEnd() throws SQLException {
        assertThat(update(connection, "INSERT INTO part VALUES (7), (8)")).isEqualTo(2);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO part VALUES (?)")) {
            insert.setInt(1, 9);
            insert.executeUpdate();
        }
        assertThat(number(connection, "SELECT count(*) FROM part WHERE item IS NULL"))
                .isEqualTo(3);
    }

    @Test
    void loadedRowsAreVisibleToAllSessions() throws SQLException {
        clients.load("INSERT INTO part VALUES (1, NULL)", "INSERT INTO part VALUES (2, NULL)");
        for (int i = 0; i < 5; i++) {
            assertThat(number(clients.connect(), "SELECT count(*) FROM part")).isEqualTo(2);
        }
    }

    @Test
    void aSerialScheduleEndsWhoKeepsOthersWaiting() throws Exception {
        for (long patienceMs : new long[] {50, 0}) {
            endsWhoKeepsOthersWaiting(patienceMs);
        }
    }

    private static void endsWhoKeepsOthersWaiting(long patienceMs) throws Exception {
        MockOptions serial = new MockOptions(
                IsolationLevel.READ_COMMITTED,
                1,
                new MockOptions.Reads(
                        MockClients.options(IsolationLevel.SERIALIZABLE, 1, true)
                                .reads()
                                .choice(),
                        true,
                        true,
                        Integer.MAX_VALUE),
                new MockOptions.Schedule(true, patienceMs),
                MockFaults.NONE);
        try (MockClients others = new MockClients(serial)) {
            others.load("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 0)");
            Connection slow = others.connectForTransactions();
            update(slow, "UPDATE t SET v = 1 WHERE id = 1");

            assertThat(update(others.connect(), "UPDATE t SET v = 2 WHERE id = 1"))
                    .isOne();
            SQLException ended = catchThrowableOfType(SQLException.class, slow::commit);
            assertThat(ended.getSQLState()).isEqualTo("25P03");
            assertThat(others.newest("SELECT v FROM t")).isEqualTo(2);
        }
    }

    @Test
    void faultsEndConnectionsAndCommits() throws Exception {
        MockOptions options = MockClients.options(IsolationLevel.CAUSAL, 1, true);
        MockOptions faulty = new MockOptions(
                options.level(),
                1,
                new MockOptions.Reads(options.reads().choice(), true, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(false, 500),
                MockFaults.parse("abort=0.3,unknown-commit=0.3,disconnect=0.1"));
        List<String> states = new ArrayList<>();
        try (MockClients others = new MockClients(faulty)) {
            for (int i = 0; i < 40; i++) {
                try (Connection one = DriverManager.getConnection(others.url())) {
                    update(one, "CREATE TABLE t" + i + "(id INT PRIMARY KEY)");
                    update(one, "INSERT INTO t" + i + " VALUES (1)");
                } catch (SQLException failed) {
                    states.add(failed.getSQLState());
                }
            }
        }
        assertThat(states).contains("40001", "08006");
    }
}
