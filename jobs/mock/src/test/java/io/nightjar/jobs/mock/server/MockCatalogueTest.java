package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests catalog queries of psql and other tools, and SQL cursors and sequences. */
class MockCatalogueTest {

    private MockClients clients;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, SQLException {
        clients = new MockClients(MockClients.options(IsolationLevel.SERIALIZABLE, 1, true));
        connection = clients.connect();
        MockClients.update(
                connection,
                "CREATE TABLE item(id SERIAL PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, price NUMERIC(10,2) CHECK (price > 0))");
        MockClients.update(
                connection, "CREATE TABLE part(id INT PRIMARY KEY, item INT REFERENCES item(id) ON DELETE CASCADE)");
        MockClients.update(connection, "CREATE INDEX by_item ON part(item, id)");
        MockClients.update(connection, "CREATE VIEW named AS SELECT id, name FROM item");
    }

    @AfterEach
    void close() throws IOException, SQLException {
        clients.close();
    }

    @Test
    void relationsAreListed() throws SQLException {
        assertThat(
                        rows(
                                """
                        SELECT n.nspname as "Schema", c.relname as "Name",
                          CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' END as "Type",
                          pg_catalog.pg_get_userbyid(c.relowner) as "Owner"
                        FROM pg_catalog.pg_class c
                             LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                             LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
                        WHERE c.relkind IN ('r','p','v','m','S','f','')
                              AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND n.nspname <> 'information_schema'
                          AND pg_catalog.pg_table_is_visible(c.oid)
                        ORDER BY 1,2"""))
                .containsExactly(
                        "public|item|table|test",
                        "public|item_id_seq|sequence|test",
                        "public|named|view|test",
                        "public|part|table|test");
        assertThat(rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
                .containsExactly("item", "part");
        assertThat(rows("SELECT d.datname as \"Name\", pg_catalog.array_to_string(d.datacl, E'\\n') AS \"Access\""
                        + " FROM pg_catalog.pg_database d ORDER BY 1"))
                .containsExactly("test|null");
    }

    @Test
    void aTableIsDescribed() throws SQLException {
        String oid = rows("SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c"
                        + " LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.relname OPERATOR(pg_catalog.~) '^(part)$' COLLATE pg_catalog.default"
                        + " AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 2, 3")
                .get(0)
                .replaceAll("\\|.*", "");
        assertThat(
                        rows(
                                """
                        SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
                          (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) FROM pg_catalog.pg_attrdef d
                           WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef), a.attnotnull
                        FROM pg_catalog.pg_attribute a
                        WHERE a.attrelid = 'item'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""))
                .containsExactly(
                        "id|integer|nextval('item_id_seq'::regclass)|t",
                        "name|character varying(30)|null|t",
                        "price|numeric(10,2)|null|f");
        assertThat(rows("SELECT true as sametable, pg_catalog.pg_get_constraintdef(r.oid, true) as condef,"
                        + " conrelid::pg_catalog.regclass AS ontable FROM pg_catalog.pg_constraint r WHERE r.conrelid = '"
                        + oid + "' AND r.contype = 'f' AND conparentid = 0 ORDER BY conname"))
                .containsExactly("t|FOREIGN KEY (item) REFERENCES item(id) ON DELETE CASCADE|part");
        assertThat(rows("SELECT c2.relname, pg_catalog.pg_get_indexdef(i.indexrelid, 0, true)"
                        + " FROM pg_catalog.pg_class c, pg_catalog.pg_class c2, pg_catalog.pg_index i WHERE c.oid = '"
                        + oid
                        + "' AND c.oid = i.indrelid AND i.indexrelid = c2.oid AND c2.relname = 'by_item'"))
                .containsExactly("by_item|CREATE INDEX by_item ON part USING btree (item, id)");
        assertThat(rows("SELECT pol.polname, pol.polpermissive FROM pg_catalog.pg_policy pol WHERE pol.polrelid = '"
                        + oid + "' ORDER BY 1"))
                .isEmpty();
    }

    @Test
    void theSequenceOfAColumnGoesOnWhereItIsTold() throws SQLException {
        assertThat(rows("SELECT setval(pg_get_serial_sequence('item', 'id'), 40)"))
                .containsExactly("40");
        assertThat(rows("INSERT INTO item(name) VALUES ('a') RETURNING id")).containsExactly("41");
        MockClients.update(connection, "CREATE SEQUENCE numbers START WITH 5");
        assertThat(rows("SELECT nextval('numbers'), currval('numbers')")).containsExactly("5|5");
    }

    @Test
    void sequencesNameTheirOwner() throws SQLException {
        MockClients.update(connection, "CREATE SEQUENCE numbers INCREMENT BY 2");
        MockClients.update(connection, "CREATE SEQUENCE kept CACHE 10");
        assertThat(rows("SELECT seqrelid::regclass, pg_catalog.format_type(seqtypid, NULL), seqstart, seqmin, seqmax,"
                        + " seqincrement, seqcycle, seqcache FROM pg_catalog.pg_sequence ORDER BY 1"))
                .containsExactly(
                        "item_id_seq|integer|1|1|2147483647|1|f|1",
                        "kept|bigint|1|1|9223372036854775807|1|f|10",
                        "numbers|bigint|1|1|9223372036854775807|2|f|1");
        assertThat(rows("SELECT c.relname, a.attname, d.deptype FROM pg_catalog.pg_class c"
                        + " INNER JOIN pg_catalog.pg_depend d ON c.oid = d.refobjid"
                        + " INNER JOIN pg_catalog.pg_attribute a ON (a.attrelid = c.oid AND a.attnum = d.refobjsubid)"
                        + " WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass"
                        + " AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i')"))
                .containsExactly("item|id|a");
    }

    @Test
    void cursorsGoForward() throws SQLException {
        MockClients.update(connection, "INSERT INTO item(name) VALUES ('a'), ('b'), ('c')");
        assertThat(state("DECLARE c CURSOR FOR SELECT name FROM item")).isEqualTo("25P01");
        connection.setAutoCommit(false);
        MockClients.update(connection, "DECLARE c CURSOR FOR SELECT name, count(*) OVER () FROM item ORDER BY name");
        assertThat(rows("FETCH c")).containsExactly("a|3");
        MockClients.update(connection, "MOVE 1 IN c");
        assertThat(rows("FETCH ALL FROM c")).containsExactly("c|3");
        assertThat(rows("FETCH NEXT FROM c")).isEmpty();
        connection.commit();
        assertThat(state("FETCH c")).isEqualTo("34000");
        connection.rollback();
        assertThat(state("DECLARE c SCROLL CURSOR FOR SELECT 1")).isEqualTo("0A000");
        connection.rollback();
        assertThat(state("COPY item TO STDOUT")).isEqualTo("0A000");
    }

    @Test
    void aStatementIsStoppedAfterItsTimeAndTheTransactionGoesOnFromASavepoint() throws SQLException {
        StringBuilder rows = new StringBuilder("INSERT INTO part(id) VALUES (0)");
        for (int i = 1; i < 600; i++) {
            rows.append(",(").append(i).append(')');
        }
        MockClients.update(connection, rows.toString());
        connection.setAutoCommit(false);
        MockClients.update(connection, "INSERT INTO item(name) VALUES ('kept')");
        Savepoint before = connection.setSavepoint();
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException late = catchThrowableOfType(
                    SQLException.class,
                    () -> statement.executeQuery("SELECT sum(a.id * b.id + c.id) FROM part a, part b, part c"));
            assertThat(late.getSQLState()).isEqualTo("57014");
        }
        connection.rollback(before);
        connection.commit();
        assertThat(rows("SELECT name FROM item")).containsExactly("kept");
    }

    /** Syntax supported by PostgreSQL only is not reported as an error of the client. */
    @Test
    void whatIsNotSupportedIsNamed() throws SQLException {
        String[][] refused = {
            {"SELECT * FROM item FULL JOIN part ON true", "FULL JOIN"},
            {"SELECT * FROM item, LATERAL (SELECT 1) x", "LATERAL"},
            {"SELECT name->>'a' FROM item", "operator ->>"},
            {"CREATE TABLE lists(id INT PRIMARY KEY, a INT[])", "an array as a type"},
            {"CREATE FUNCTION f() RETURNS INT AS 'SELECT 1' LANGUAGE sql", "CREATE FUNCTION"},
            {"CREATE EXTENSION pgcrypto", "CREATE EXTENSION"},
            {"CREATE UNIQUE INDEX ON item(lower(name))", "an index of an expression"},
            {"CREATE UNIQUE INDEX ON item(name) WHERE id > 1", "an index of a part of the rows"},
            {"SELECT pg_advisory_lock_shared(1)", "function pg_advisory_lock_shared"},
            {"SELECT count(*) FROM item GROUP BY GROUPING SETS ((name), ())", "GROUPING SETS"},
            {"EXPLAIN SELECT * FROM item", "EXPLAIN"},
            {
                "SELECT 'f(int)'::pg_catalog.regprocedure::pg_catalog.oid",
                "looking up a function or operator (regprocedure)"
            },
        };
        for (String[] each : refused) {
            SQLException failure =
                    catchThrowableOfType(SQLException.class, () -> MockClients.update(connection, each[0]));
            assertThat(failure.getSQLState()).as(each[0]).isEqualTo("0A000");
            assertThat(failure.getMessage()).contains(each[1] + " is not supported by this server");
        }
        assertThat(state("SELECT * FRM item")).isEqualTo("42601");
        assertThat(state("SELECT no_such(1)")).isEqualTo("42883");
    }

    @Test
    void acceptedButIgnoredSettingsAreReported() throws SQLException {
        assertThat(rows("SHOW statement_timeout")).containsExactly("0");
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = '5s'");
            assertThat(statement.getWarnings().getMessage()).contains("statement_timeout is not kept by this server");
        }
        MockClients.update(connection, "CREATE INDEX CONCURRENTLY by_name ON item(name)");
        for (String operator : List.of("= ANY", "<> ALL")) {
            try (PreparedStatement any =
                    connection.prepareStatement("SELECT count(*) FROM item WHERE id " + operator + " (?)")) {
                assertThat(any.getParameterMetaData().getParameterTypeName(1)).isEqualTo("_int4");
            }
        }
    }

    private String state(String sql) {
        return catchThrowableOfType(SQLException.class, () -> MockClients.update(connection, sql))
                .getSQLState();
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    values.add(result.getString(column));
                }
                rows.add(String.join("|", values.stream().map(String::valueOf).toList()));
            }
        }
        return rows;
    }
}
