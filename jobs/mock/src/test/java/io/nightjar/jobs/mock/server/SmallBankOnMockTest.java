package io.nightjar.jobs.mock.server;

import static io.nightjar.jobs.mock.server.MockClients.number;
import static io.nightjar.jobs.mock.server.MockClients.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests with SmallBank's payments that the total is preserved, except where updates may read any version at weak
 * levels.
 */
@Tag(Seeds.TAG)
class SmallBankOnMockTest {

    private static final int ACCOUNTS = 4;
    private static final int PAYMENTS = 40;

    @Test
    void theTotalStaysWhereUpdatesReadTheNewest() throws Exception {
        for (long seed : Seeds.upTo(4)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                assertThat(total(level, seed, true))
                        .as("nightjar.seed=%d %s", seed, level)
                        .isEqualTo(100 * ACCOUNTS);
            }
        }
    }

    @Test
    void totalIsStableAtSnapshotIsolationAndSerializable() throws Exception {
        for (long seed : Seeds.upTo(4)) {
            assertThat(total(IsolationLevel.SNAPSHOT_ISOLATION, seed, false)).isEqualTo(100 * ACCOUNTS);
            assertThat(total(IsolationLevel.SERIALIZABLE, seed, false)).isEqualTo(100 * ACCOUNTS);
        }
    }

    @Test
    void theTotalBreaksAtReadCommittedWhereUpdatesReadAnything() throws Exception {
        int broken = 0;
        for (long seed = 1; seed <= 20; seed++) {
            broken += total(IsolationLevel.READ_COMMITTED, seed, false) == 100 * ACCOUNTS ? 0 : 1;
        }
        assertThat(broken).isGreaterThanOrEqualTo(15); // losses in both directions may cancel each other
    }

    private static long total(IsolationLevel level, long seed, boolean updatesReadNewest)
            throws IOException, SQLException {
        SeededRandom random = new SeededRandom(seed * 17);
        try (MockClients clients = new MockClients(MockClients.options(level, seed, updatesReadNewest))) {
            clients.load("CREATE TABLE checking(id INT PRIMARY KEY, balance INT NOT NULL)");
            for (int id = 0; id < ACCOUNTS; id++) {
                clients.load("INSERT INTO checking VALUES (" + id + ", 100)");
            }
            Connection[] connections = {
                clients.connectForTransactions(), clients.connectForTransactions(), clients.connectForTransactions()
            };
            for (int payment = 0; payment < PAYMENTS; payment++) {
                Connection connection = connections[random.below(connections.length)];
                int from = random.below(ACCOUNTS);
                int to = (from + 1 + random.below(ACCOUNTS - 1)) % ACCOUNTS;
                try {
                    if (number(connection, "SELECT balance FROM checking WHERE id = " + from) > 0) {
                        update(connection, "UPDATE checking SET balance = balance - 5 WHERE id = " + from);
                        update(connection, "UPDATE checking SET balance = balance + 5 WHERE id = " + to);
                    }
                    connection.commit();
                } catch (SQLException refused) {
                    assertThat(refused.getSQLState()).isEqualTo("40001");
                    connection.rollback();
                }
            }
            return clients.newest("SELECT sum(balance) FROM checking");
        }
    }
}
