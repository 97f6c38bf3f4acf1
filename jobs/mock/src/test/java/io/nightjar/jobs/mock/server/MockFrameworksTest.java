package io.nightjar.jobs.mock.server;

import static io.nightjar.jobs.mock.server.MockClients.number;
import static io.nightjar.jobs.mock.server.MockClients.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nightjar.formats.level.IsolationLevel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the startup queries of object mappers and schema migration tools for PostgreSQL. */
class MockFrameworksTest {

    private MockClients clients;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, SQLException {
        clients = new MockClients(MockClients.options(IsolationLevel.SERIALIZABLE, 1, true));
        connection = clients.connect();
        update(connection, "CREATE TABLE item(id SERIAL PRIMARY KEY, name VARCHAR(30) NOT NULL, size INT)");
        update(connection, "CREATE TABLE part(id INT PRIMARY KEY, item INT REFERENCES item(id))");
    }

    @AfterEach
    void close() throws IOException, SQLException {
        clients.close();
    }

    @Test
    void tablesAreFoundByTheNameOfTheirDatabaseToo() throws SQLException {
        DatabaseMetaData asked = connection.getMetaData();

        assertThat(connection.getCatalog()).isEqualTo("test");
        assertThat(asked.getSQLKeywords().split(","))
                .contains("offset", "ilike")
                .doesNotContain("select");
        assertThat(asked.getDefaultTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(column(asked.getTables("test", "public", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME"))
                .containsExactly("item", "part");
        assertThat(column(asked.getColumns("test", "public", "item", null), "TABLE_CAT"))
                .containsOnly("test");
        assertThat(column(asked.getIndexInfo("test", "public", "item", false, true), "INDEX_NAME"))
                .containsExactly("item_pkey");
        assertThat(column(asked.getImportedKeys("test", "public", "part"), "FK_NAME"))
                .containsExactly("part_item_fkey");
        assertThat(column(asked.getTables("other", "public", "item", null), "TABLE_NAME"))
                .isEmpty();
        assertThat(column(asked.getTables(null, null, "%", null), "TABLE_SCHEM"))
                .doesNotContain("nightjar_postgres");
        assertThat(column(asked.getSchemas(), "TABLE_SCHEM"))
                .contains("public")
                .noneMatch(schema -> schema.startsWith("nightjar"));
    }

    @Test
    void columnsOfResultsKnowTheirTables() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT i.id, size, size + 1 AS more FROM item i")) {
            ResultSetMetaData columns = rows.getMetaData();

            assertThat(columns.getTableName(1)).isEqualTo("item");
            assertThat(columns.isAutoIncrement(1)).isTrue();
            assertThat(columns.isNullable(1)).isEqualTo(ResultSetMetaData.columnNoNulls);
            assertThat(columns.isAutoIncrement(2)).isFalse();
            assertThat(columns.isNullable(2)).isEqualTo(ResultSetMetaData.columnNullable);
            assertThat(columns.getTableName(3)).isEmpty();
        }
    }

    @Test
    void rowsAreUpdatedWhereTheyAreRead() throws SQLException {
        update(connection, "INSERT INTO item(name, size) VALUES ('a', 1), ('b', 2)");
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT id, name, size FROM item ORDER BY id")) {
            rows.next();
            rows.updateInt("size", 7);
            rows.updateRow();
            rows.next();
            rows.deleteRow();
            rows.moveToInsertRow();
            rows.updateString("name", "c");
            rows.updateInt("size", 5);
            rows.insertRow();
        }
        assertThat(number(connection, "SELECT sum(size) FROM item")).isEqualTo(12);
    }

    @Test
    void sequencesAreFoundHoweverTheirNamesAreWritten() throws SQLException {
        update(connection, "CREATE SEQUENCE item_SEQ START WITH 1 INCREMENT BY 50");

        assertThat(number(connection, "SELECT nextval('item_SEQ')")).isOne();
        assertThat(number(connection, "SELECT nextval('public.Item_seq')")).isEqualTo(51);
    }

    /** A unique index of an expression is a constraint, which is rejected. */
    @Test
    void indexesThatH2DoesNotHaveAreOfTheirColumns() throws SQLException {
        update(connection, "CREATE INDEX by_small ON item (lower(name), size DESC) WHERE size > 1");
        update(connection, "CREATE INDEX IF NOT EXISTS by_kind ON public.item USING gin (name)");
        update(connection, "CREATE INDEX ON item(size)");

        assertThat(column(connection.getMetaData().getIndexInfo(null, null, "item", false, true), "INDEX_NAME"))
                .containsExactly("item_pkey", "by_kind", "by_small", "by_small", "item_size_idx");
        update(connection, "DROP INDEX by_small");
    }

    /** Changes of tables take effect at once; a rollback undoes neither the change nor its rows. */
    @Test
    void rowsStayInTablesThatAreChangedInVain() throws SQLException {
        update(connection, "INSERT INTO item(name, size) VALUES ('a', 1), ('b', 2)");
        connection.setAutoCommit(false);
        update(connection, "ALTER TABLE item ADD COLUMN more INT DEFAULT 5");
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(number(connection, "SELECT sum(size + more) FROM item")).isEqualTo(13);

        SQLException failure = catchThrowableOfType(
                SQLException.class,
                () -> update(connection, "ALTER TABLE ONLY item ADD COLUMN last INT, DROP COLUMN no_such"));
        assertThat(failure.getSQLState()).isEqualTo("42703");
        assertThat(number(connection, "SELECT count(*) FROM item WHERE last IS NULL"))
                .isEqualTo(2);
    }

    @Test
    void writerRestartsIfAnotherSessionAltersItsTable() throws SQLException {
        Connection other = clients.connectForTransactions();
        update(other, "INSERT INTO item(name, size) VALUES ('a', 1)");
        update(connection, "ALTER TABLE item ADD COLUMN more INT DEFAULT 5");

        SQLException failure = catchThrowableOfType(SQLException.class, other::commit);
        assertThat(failure.getSQLState()).isEqualTo("40001");
        assertThat(failure.getMessage()).contains("altered or dropped by another session");
        update(other, "INSERT INTO item(name, size) VALUES ('a', 1)");
        other.commit();
        assertThat(number(other, "SELECT sum(size + more) FROM item")).isEqualTo(6);
    }

    @Test
    void advisoryLocksKeepOthersOutUntilTheyAreGivenBack() throws SQLException {
        Connection other = clients.connectForTransactions();
        assertThat(is(connection, "SELECT pg_try_advisory_lock(1)")).isTrue();
        assertThat(is(connection, "SELECT pg_try_advisory_lock(1)")).isTrue();
        assertThat(is(other, "SELECT pg_try_advisory_lock(1)")).isFalse();
        assertThat(is(other, "SELECT pg_try_advisory_lock(0, 1)")).isTrue();
        assertThat(is(connection, "SELECT pg_advisory_unlock(1)")).isTrue();
        assertThat(is(other, "SELECT pg_try_advisory_xact_lock(1)")).isFalse();
        assertThat(is(connection, "SELECT pg_advisory_unlock(1)")).isTrue();
        assertThat(is(connection, "SELECT pg_advisory_unlock(1)")).isFalse();
        assertThat(is(other, "SELECT pg_try_advisory_xact_lock(1)")).isTrue();

        SQLException failure =
                catchThrowableOfType(SQLException.class, () -> number(connection, "SELECT pg_advisory_lock(1)"));
        assertThat(failure.getSQLState()).isEqualTo("40001");
        other.rollback();
        assertThat(is(connection, "SELECT pg_try_advisory_lock(1)")).isTrue();

        connection.close();
        awaitTrue(other, "SELECT pg_try_advisory_lock(1)");
    }

    /** Waits because the server detects a disconnect only after the client has gone. */
    private static void awaitTrue(Connection connection, String sql) throws SQLException {
        while (!is(connection, sql)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void schemasWithoutAnythingAreSeenToBeEmpty() throws SQLException {
        String anything =
                """
                SELECT EXISTS (
                    SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                    LEFT JOIN pg_catalog.pg_depend d ON d.objid = c.oid AND d.deptype = 'e'
                    WHERE n.nspname = '%1$s' AND d.objid IS NULL AND c.relkind IN ('r', 'v', 'S', 't')
                  UNION ALL
                    SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
                    WHERE n.nspname = '%1$s')""";
        update(connection, "CREATE SCHEMA void");

        assertThat(is(connection, anything.formatted("public"))).isTrue();
        assertThat(is(connection, anything.formatted("void"))).isFalse();
        update(connection, "SET ROLE 'test'");
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT proname, oidvectortypes(proargtypes) AS args FROM pg_proc")) {
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void largeObjectsAreRefusedByName() throws SQLException {
        update(connection, "CREATE TABLE picture(id INT PRIMARY KEY, body OID)");
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO picture VALUES (1, ?)")) {
            SQLException refused = catchThrowableOfType(
                    SQLException.class, () -> insert.setBlob(1, new ByteArrayInputStream(new byte[10])));

            assertThat(refused.getSQLState()).isEqualTo("0A000");
            assertThat(refused.getMessage()).contains("large object", "bytea");
        }
        connection.rollback();
    }

    private static boolean is(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(name));
        }
        rows.close();
        return values;
    }
}
