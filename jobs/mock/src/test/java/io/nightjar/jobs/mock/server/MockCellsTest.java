package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.MockOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Tests the reads of clients where each column of a row is an object. */
class MockCellsTest {

    private static final int SEEDS = 12;

    /** Returns the number of seeds in which a reader observed only one of two changed columns. */
    private static int halfOldRows(IsolationLevel level, boolean isByCell) throws IOException, SQLException {
        int seen = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            MockOptions options = MockClients.options(level, seed, true);
            try (MockClients clients = new MockClients(isByCell ? options.byCell() : options)) {
                clients.load("CREATE TABLE t(id INT PRIMARY KEY, a INT, b INT)", "INSERT INTO t VALUES (1, 0, 0)");
                MockClients.update(clients.connect(), "UPDATE t SET a = 1, b = 1 WHERE id = 1");
                long sum = MockClients.number(clients.connect(), "SELECT a + b FROM t WHERE id = 1");
                assertThat(sum).isBetween(0L, 2L);
                seen += sum == 1 ? 1 : 0;
            }
        }
        return seen;
    }

    @Test
    void halfOldRowsAreSeenAtReadCommittedOnly() throws Exception {
        assertThat(halfOldRows(IsolationLevel.READ_COMMITTED, true)).isPositive();
        assertThat(halfOldRows(IsolationLevel.READ_COMMITTED, false)).isZero();
        assertThat(halfOldRows(IsolationLevel.READ_ATOMIC, true)).isZero();
        assertThat(halfOldRows(IsolationLevel.SERIALIZABLE, true)).isZero();
    }

    @Test
    void updatesOfOtherColumnsDoNotMeet() throws Exception {
        try (MockClients clients = new MockClients(
                MockClients.options(IsolationLevel.SNAPSHOT_ISOLATION, 1, true).byCell())) {
            clients.load("CREATE TABLE t(id INT PRIMARY KEY, a INT, b INT)", "INSERT INTO t VALUES (1, 10, 20)");
            Connection one = clients.connectForTransactions();
            Connection two = clients.connectForTransactions();
            MockClients.update(one, "UPDATE t SET a = a + 1 WHERE id = 1");
            MockClients.update(two, "UPDATE t SET b = b + 1 WHERE id = 1");
            one.commit();
            two.commit();
            assertThat(clients.newest("SELECT a * 100 + b FROM t WHERE id = 1")).isEqualTo(1121);
        }
    }

    @Test
    void rowsAreFoundByContentAfterInsertsAndDeletes() throws Exception {
        try (MockClients clients = new MockClients(
                MockClients.options(IsolationLevel.SERIALIZABLE, 1, true).byCell())) {
            clients.load(
                    "CREATE TABLE t(id INT PRIMARY KEY, a INT, b VARCHAR(5) UNIQUE)",
                    "CREATE INDEX by_both ON t(a, b)",
                    "INSERT INTO t VALUES (1, 10, 'x'), (2, 20, 'y')");
            Connection one = clients.connect();
            MockClients.update(one, "SET nightjar.reads = 'newest'");
            MockClients.update(one, "UPDATE t SET a = 30 WHERE b = 'x'");
            MockClients.update(one, "UPDATE t SET b = 'z' WHERE a = 30");
            assertThat(MockClients.number(one, "SELECT id FROM t WHERE a = 30 AND b = 'z'"))
                    .isOne();
            assertThat(MockClients.update(one, "DELETE FROM t WHERE b = 'y'")).isOne();
            MockClients.update(one, "INSERT INTO t(id, b) VALUES (2, 'x')");
            try (Statement statement = one.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM t ORDER BY b")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt("id")).isEqualTo(2);
                assertThat(rows.getObject("a")).isNull();
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("b")).isEqualTo("z");
                assertThat(rows.next()).isFalse();
            }
        }
    }
}
