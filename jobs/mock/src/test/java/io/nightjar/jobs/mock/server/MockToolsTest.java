package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the messages of drivers and tools other than the current JDBC driver. */
class MockToolsTest {

    private static final MockOptions OPTIONS = MockClients.options(IsolationLevel.SERIALIZABLE, 1, true);
    private static final int WAIT_MS = 20_000;

    private MockDatabase database;
    private Connection connection;

    @TempDir
    private Path directory;

    @BeforeEach
    void connect() throws IOException, SQLException {
        database = new MockDatabase(
                OPTIONS,
                new AnswerChooser(OPTIONS.reads().choice(), 1, true),
                MockArchive.of(directory.resolve("mock.jsonl")),
                "127.0.0.1",
                0,
                0,
                note -> {});
        connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test");
    }

    @AfterEach
    void close() throws IOException, SQLException {
        connection.close();
        database.close();
    }

    /** Some clients send Flush, and Sync only after they have read the response. */
    @Test
    void failureIsSentBeforeSync() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", database.port())) {
            socket.setSoTimeout(WAIT_MS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            send(out, 0, new byte[] {0, 3, 0, 0}, "user", "test", "");
            assertThat(typesUntil(in, 'Z')).contains("R").endsWith("Z");
            send(out, 'P', new byte[0], "", "SELEC 1");
            send(out, 'H', new byte[0]);
            assertThat(typesUntil(in, 'E')).isEqualTo("E");
            send(out, 'S', new byte[0]);
            assertThat(typesUntil(in, 'Z')).isEqualTo("Z");
        }
    }

    private static void send(DataOutputStream out, int type, byte[] first, String... texts) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(first);
        for (String text : texts) {
            body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            body.write(0);
        }
        if (type == 'P') {
            body.writeBytes(new byte[] {0, 0});
        }
        if (type != 0) {
            out.write(type);
        }
        out.writeInt(body.size() + 4);
        out.write(body.toByteArray());
        out.flush();
    }

    private static String typesUntil(DataInputStream in, char last) throws IOException {
        StringBuilder types = new StringBuilder();
        do {
            types.append((char) in.readByte());
            in.readNBytes(in.readInt() - 4);
        } while (types.charAt(types.length() - 1) != last);
        return types.toString();
    }

    /** Drivers before 42.7.5 do not quote names, and query arrays of rows. */
    @Test
    void olderDriversAskAboutTables() throws SQLException {
        run("CREATE TABLE item(id INT PRIMARY KEY, name VARCHAR(9) UNIQUE)");
        run("CREATE TABLE part(a INT, b INT, item INT REFERENCES item(id), PRIMARY KEY (a, b))");
        assertThat(
                        rows(
                                "SELECT NULL AS TABLE_CAT, n.nspname AS TABLE_SCHEM, c.relname AS TABLE_NAME, '' AS REF_GENERATION"
                                        + " FROM pg_catalog.pg_namespace n, pg_catalog.pg_class c WHERE c.relnamespace = n.oid"
                                        + " AND c.relname LIKE 'item' AND (false OR ( c.relkind = 'r' AND n.nspname !~ '^pg_' ) )"))
                .hasSize(1)
                .allMatch(row -> row.contains("|public|item|TABLE|"));
        assertThat(rows("SELECT result.TABLE_CAT, result.PK_NAME FROM (SELECT NULL AS TABLE_CAT,"
                        + " (information_schema._pg_expandarray(i.indkey)).n AS KEY_SEQ, ci.relname AS PK_NAME"
                        + " FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_index i ON true WHERE true"
                        + " AND ct.relname = 'part' AND i.indisprimary ) result"))
                .containsExactly("test|public|part|a|1|part_pkey", "test|public|part|b|2|part_pkey");
        assertThat(rows(
                        "SELECT tmp.TABLE_CAT, CASE tmp.AM_NAME WHEN 'btree' THEN CASE tmp.I_INDOPTION[tmp.ORDINAL_POSITION"
                                + " - 1] & 1::smallint WHEN 1 THEN 'D' ELSE 'A' END END AS ASC_OR_DESC FROM (SELECT NULL AS TABLE_CAT,"
                                + " (information_schema._pg_expandarray(i.indkey)).n AS ORDINAL_POSITION FROM pg_catalog.pg_class ct"
                                + " WHERE true AND ct.relname = 'part') AS tmp"))
                .extracting(row -> row.split("\\|")[5])
                .containsExactly("part_pkey", "part_pkey");
        assertThat(
                        rows(
                                "SELECT NULL::text AS PKTABLE_CAT, pkn.nspname AS PKTABLE_SCHEM FROM pg_catalog.pg_namespace pkn,"
                                        + " pg_catalog.pg_constraint con WHERE pkn.oid = pkc.relnamespace AND fkc.relname = 'part'"))
                .singleElement()
                .asString()
                .contains("|item|id|", "|part|item|1|3|3|part_item_fkey|item_pkey|");
        assertThat(rows("SELECT a.attname, a.atttypid, atttypmod FROM pg_catalog.pg_class ct JOIN (SELECT i.indexrelid,"
                        + " information_schema._pg_expandarray(i.indkey) AS keys FROM pg_catalog.pg_index i) i"
                        + " ON (a.attnum = (i.keys).x) WHERE true AND ct.relname = 'part' AND i.indisprimary"))
                .containsExactly("a|23|-1", "b|23|-1");
        assertThat(rows("SELECT nspname AS TABLE_SCHEM, NULL AS TABLE_CATALOG FROM pg_catalog.pg_namespace"))
                .contains("public|test");
        assertThat(
                        rows(
                                "SELECT pg_type.oid, typname FROM pg_catalog.pg_type LEFT JOIN (select ns.oid as nspoid, ns.nspname, r.r"
                                        + " from pg_namespace as ns join ( select s.r, (current_schemas(false))[s.r] as nspname from"
                                        + " generate_series(1, array_upper(current_schemas(false), 1)) as s(r) ) as r using ( nspname ) ) as sp"
                                        + " ON sp.nspoid = typnamespace WHERE typname = 'int4' ORDER BY sp.r, pg_type.oid DESC LIMIT 1"))
                .containsExactly("23|int4");
    }

    @Test
    void parametersHaveTypesBeforeTheyHaveValues() throws SQLException {
        run("CREATE TABLE part(id BIGINT PRIMARY KEY, price NUMERIC(5,2))");
        assertThat(parameterTypes("INSERT INTO part(id, price) VALUES (?, ?) RETURNING id"))
                .containsExactly("int8", "numeric");
        assertThat(parameterTypes("SELECT id FROM part WHERE id > ? ORDER BY id LIMIT ? OFFSET ?"))
                .containsExactly("int8", "int8", "int8");
        assertThat(parameterTypes("UPDATE part SET price = price + ?::int WHERE id = CAST(? AS smallint)"))
                .containsExactly("int4", "int2");
        assertThat(parameterTypes("UPDATE part SET price = price + ?, id = ? * id WHERE price < ? - part.price"))
                .containsExactly("numeric", "int8", "numeric");
        assertThat(parameterTypes("SELECT current_date - ?::date")).containsExactly("date");
        assertThat(parameterTypes("SELECT current_date - ?, now() - ? * interval '1 day', ? + current_date"))
                .containsExactly("int4", "numeric", "int4");
    }

    @Test
    void intervalsMayBeCastFromLiterals() throws SQLException {
        assertThat(rows("SELECT timestamp '2024-05-17 00:00:00' - '1 day'::interval"))
                .containsExactly("2024-05-16 00:00:00");
        assertThat(rows("SELECT timestamp '2024-05-17 00:00:00' - interval '1' day"))
                .containsExactly("2024-05-16 00:00:00");
    }

    private List<String> parameterTypes(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            ParameterMetaData parameters = statement.getParameterMetaData();
            List<String> types = new ArrayList<>();
            for (int i = 1; i <= parameters.getParameterCount(); i++) {
                types.add(parameters.getParameterTypeName(i));
            }
            return types;
        }
    }

    @Test
    void conflictsAreTakenWithoutTheNamesOfColumns() throws SQLException {
        run("CREATE TABLE part(id INT PRIMARY KEY, price INT UNIQUE)");
        assertThat(run("INSERT INTO part VALUES (1, 1), (2, 2)")).isEqualTo(2);
        assertThat(run("INSERT INTO part VALUES (1, 7), (3, 3) ON CONFLICT DO NOTHING"))
                .isEqualTo(1);
        assertThat(run("INSERT INTO part VALUES (1, 7) ON CONFLICT (id) DO UPDATE SET price = excluded.price"))
                .isEqualTo(1);
        assertThat(run("INSERT INTO part VALUES (2, 8) ON CONFLICT ON CONSTRAINT part_pkey DO UPDATE SET price = 9"))
                .isEqualTo(1);
        assertThat(
                        run(
                                "INSERT INTO part SELECT id, price FROM part WHERE id = 3 ON CONFLICT (id) DO UPDATE SET price = 5"))
                .isEqualTo(1);
        assertThat(rows("SELECT id, price FROM part ORDER BY id")).containsExactly("1|7", "2|9", "3|5");
        SQLException twice = catchThrowableOfType(
                SQLException.class,
                () -> run("INSERT INTO part VALUES (4, 5) ON CONFLICT (id) DO UPDATE SET price = 5"));
        assertThat(twice.getSQLState()).isEqualTo("23505");
        assertThat(twice.getMessage()).contains("violates unique constraint \"part_price_key\"");
    }

    @Test
    void typesMayBeNamesAndAllSettingsAreShown() throws SQLException {
        run("CREATE TABLE text(text TEXT, id INT8 PRIMARY KEY)");
        run("CREATE TABLE line(name INT8 REFERENCES text(id), json TEXT)");
        run("ALTER TABLE text ADD more TEXT");
        run("INSERT INTO text VALUES ('a', 1, 'b')");
        assertThat(rows("SELECT * FROM text")).containsExactly("a|1|b");
        assertThat(rows(
                        "SELECT g, g.g + 1, i, generate_series FROM generate_series(1, 2) g, generate_series(5, 5) AS h(i),"
                                + " generate_series(7, 7) WHERE g = 2"))
                .containsExactly("2|3|5|7");
        assertThat(run("INSERT INTO text SELECT 'c', x, NULL FROM generate_series(5, 9) AS x ON CONFLICT DO NOTHING"))
                .isEqualTo(5);
        assertThat(rows("SHOW ALL")).contains("server_version|15.0|", "nightjar.level|serializable|");
    }

    /** The beginning and end of a MySQL dump. */
    @Test
    void variablesAreKeptAndGivenBack() throws SQLException {
        try (Connection mysql = DriverManager.getConnection(
                        "jdbc:mariadb://127.0.0.1:" + database.mysqlPort() + "/shop?user=any&sslMode=disable");
                Statement statement = mysql.createStatement()) {
            statement.execute(
                    "SET @OLD_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0, @OLD_ZONE=@@TIME_ZONE, TIME_ZONE='+00:00'");
            assertThat(text(statement, "SELECT @@UNIQUE_CHECKS, @OLD_CHECKS, @@TIME_ZONE"))
                    .isEqualTo("0|1|+00:00");
            statement.execute("SET TIME_ZONE=@OLD_ZONE");
            statement.execute("SET UNIQUE_CHECKS=@OLD_CHECKS");
            assertThat(text(statement, "SELECT @@UNIQUE_CHECKS, @@TIME_ZONE")).isEqualTo("1|SYSTEM");
        }
    }

    @Test
    void aTableIsShownAsTheStatementThatMakesIt() throws SQLException {
        String made =
                """
                CREATE TABLE `shop` (
                  `id` int NOT NULL AUTO_INCREMENT,
                  `code` int DEFAULT '5',
                  `name` varchar(10) NOT NULL DEFAULT 'it''s',
                  `made` datetime DEFAULT CURRENT_TIMESTAMP,
                  PRIMARY KEY (`id`),
                  UNIQUE KEY `both` (`name`,`code`),
                  UNIQUE KEY `code` (`code`),
                  KEY `by_name` (`name`)
                ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci""";
        try (Connection mysql = DriverManager.getConnection(
                        "jdbc:mariadb://127.0.0.1:" + database.mysqlPort() + "/shop?user=any&sslMode=disable");
                Statement statement = mysql.createStatement()) {
            statement.execute(made);
            statement.execute("CREATE TABLE sale (shop INT, FOREIGN KEY (shop) REFERENCES shop(id))");
            assertThat(text(statement, "SHOW CREATE TABLE shop")).isEqualTo("shop|" + made);
            assertThat(text(statement, "SHOW CREATE TABLE sale"))
                    .contains(
                            "KEY `shop` (`shop`)",
                            "CONSTRAINT `sale_ibfk_1` FOREIGN KEY (`shop`) REFERENCES `shop` (`id`)");
        }
    }

    /** Each visited row is a read, so the cheapest index is chosen. */
    @Test
    void minimumOfRowsIsRead() throws SQLException, IOException {
        run("SET nightjar.phase = 'load'");
        run(
                "CREATE TABLE buyer(house INT, district INT, id INT, name VARCHAR(9), born INT, PRIMARY KEY (house, district, id))");
        run("CREATE INDEX by_name ON buyer(house, district, name, born)");
        run("CREATE INDEX by_house ON buyer(house)");
        StringBuilder all = new StringBuilder("INSERT INTO buyer VALUES (1, 1, 0, 'n0', 0)");
        for (int i = 1; i < 400; i++) {
            all.append(", (1, 1, ")
                    .append(i)
                    .append(", 'n")
                    .append(i / 4)
                    .append("', ")
                    .append(i)
                    .append(')');
        }
        run(all.toString());
        run("SET nightjar.phase = 'run'");
        assertThat(rows("SELECT id FROM buyer WHERE house = 1 AND district = 1 AND name = 'n7' ORDER BY born"))
                .containsExactly("28", "29", "30", "31");
        assertThat(rows("SELECT name FROM buyer WHERE house = 1 AND district = 1 AND id = 5"))
                .containsExactly("n1");
        assertThat(rows("SELECT id FROM buyer WHERE district = 1 AND house = 1 ORDER BY id LIMIT 2"))
                .containsExactly("0", "1");
        assertThat(rows("SELECT b.id FROM buyer b WHERE b.house = 1 AND b.district = 1 ORDER BY b.id DESC LIMIT 1"))
                .containsExactly("399");
        try (PreparedStatement prepared = connection.prepareStatement(
                "SELECT id FROM buyer WHERE house = ? AND district = ? ORDER BY id LIMIT 1")) {
            for (int i = 0; i < 8; i++) { // enough for the driver to use a server-side statement
                prepared.setInt(1, 1);
                prepared.setInt(2, 1);
                try (ResultSet row = prepared.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getInt(1)).isZero();
                }
            }
        }
        try (Connection mysql = DriverManager.getConnection(
                        "jdbc:mariadb://127.0.0.1:" + database.mysqlPort() + "/test?user=any&sslMode=disable");
                Statement statement = mysql.createStatement()) {
            assertThat(text(
                            statement,
                            "SELECT id FROM buyer WHERE house = 1 AND district = 1 ORDER BY id DESC LIMIT 1"))
                    .isEqualTo("399");
        }
        database.finish();
        List<Integer> reads = new ArrayList<>();
        JsonTree.lines(Files.readString(directory.resolve("mock.jsonl")).strip()).stream()
                .filter(txn -> txn.containsKey("statements"))
                .forEach(txn -> reads.add(((List<?>) txn.get("ops"))
                        .stream()
                                .filter(op -> ((List<?>) op).get(0).equals("r"))
                                .toList()
                                .size()));
        assertThat(reads).filteredOn(count -> count > 0).containsExactly(4, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    }

    private int run(String sql) throws SQLException {
        return MockClients.update(connection, sql);
    }

    private List<String> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(row(result));
            }
            return rows;
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return row(result);
        }
    }

    private static String row(ResultSet result) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
            values.add(result.getString(column));
        }
        return String.join("|", values.stream().map(String::valueOf).toList());
    }
}
