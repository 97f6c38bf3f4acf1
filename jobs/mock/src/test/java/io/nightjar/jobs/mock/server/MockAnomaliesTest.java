package io.nightjar.jobs.mock.server;

import static io.nightjar.jobs.mock.server.MockClients.number;
import static io.nightjar.jobs.mock.server.MockClients.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which levels allow Hermitage's scenarios, with two open connections in one thread. */
class MockAnomaliesTest {

    private static final int SEEDS_WHERE_ALLOWED = 40;
    private static final int SEEDS_ELSEWHERE = 4;

    private static final Set<IsolationLevel> NEVER = EnumSet.noneOf(IsolationLevel.class);
    private static final Set<IsolationLevel> AT_RC = EnumSet.of(IsolationLevel.READ_COMMITTED);
    private static final Set<IsolationLevel> UP_TO_CC =
            EnumSet.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);
    private static final Set<IsolationLevel> UP_TO_PC = EnumSet.of(
            IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL, IsolationLevel.PREFIX);
    private static final Set<IsolationLevel> UP_TO_SI = EnumSet.complementOf(EnumSet.of(IsolationLevel.SERIALIZABLE));

    /** Returns whether the anomaly occurred. */
    @FunctionalInterface
    private interface Scenario {
        boolean happens(MockClients clients, Connection one, Connection two) throws SQLException;
    }

    private static final Map<String, Scenario> SCENARIOS = Map.of(
            "aborted read",
            (clients, one, two) -> {
                update(one, "UPDATE t SET v = 101 WHERE id = 1");
                boolean seen = number(two, "SELECT v FROM t WHERE id = 1") == 101;
                one.rollback();
                seen |= number(two, "SELECT v FROM t WHERE id = 1") == 101;
                two.commit();
                return seen;
            },
            "intermediate read",
            (clients, one, two) -> {
                update(one, "UPDATE t SET v = 101 WHERE id = 1");
                boolean seen = number(two, "SELECT v FROM t WHERE id = 1") == 101;
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                one.commit();
                seen |= number(two, "SELECT v FROM t WHERE id = 1") == 101;
                two.commit();
                return seen;
            },
            "circular information flow",
            (clients, one, two) -> {
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                update(two, "UPDATE t SET v = 22 WHERE id = 2");
                boolean seen = number(one, "SELECT v FROM t WHERE id = 2") == 22
                        && number(two, "SELECT v FROM t WHERE id = 1") == 11;
                one.commit();
                two.commit();
                return seen;
            },
            "read skew",
            (clients, one, two) -> {
                boolean before = number(one, "SELECT v FROM t WHERE id = 1") == 10;
                update(two, "UPDATE t SET v = 12 WHERE id = 1");
                update(two, "UPDATE t SET v = 18 WHERE id = 2");
                two.commit();
                boolean after = number(one, "SELECT v FROM t WHERE id = 2") == 18;
                one.commit();
                return before && after;
            },
            "lost update",
            (clients, one, two) -> {
                number(one, "SELECT v FROM t WHERE id = 1");
                number(two, "SELECT v FROM t WHERE id = 1");
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                update(two, "UPDATE t SET v = 12 WHERE id = 1");
                one.commit();
                two.commit();
                return true;
            },
            "long fork",
            (clients, one, two) -> {
                Connection three = clients.connectForTransactions();
                Connection four = clients.connectForTransactions();
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                one.commit();
                update(two, "UPDATE t SET v = 21 WHERE id = 2");
                two.commit();
                boolean first = number(three, "SELECT v FROM t WHERE id = 1") == 11
                        && number(three, "SELECT v FROM t WHERE id = 2") == 20;
                boolean second = number(four, "SELECT v FROM t WHERE id = 1") == 10
                        && number(four, "SELECT v FROM t WHERE id = 2") == 21;
                three.commit();
                four.commit();
                return first && second;
            },
            "write skew",
            (clients, one, two) -> {
                boolean isSkewed =
                        number(one, "SELECT sum(v) FROM t") == 30 & number(two, "SELECT sum(v) FROM t") == 30;
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                update(two, "UPDATE t SET v = 21 WHERE id = 2");
                one.commit();
                two.commit();
                return isSkewed;
            },
            "write skew through rows that come",
            (clients, one, two) -> {
                boolean isSkewed = number(one, "SELECT count(*) FROM t WHERE v % 3 = 0") == 0
                        & number(two, "SELECT count(*) FROM t WHERE v % 3 = 0") == 0;
                update(one, "INSERT INTO t VALUES (3, 30)");
                update(two, "INSERT INTO t VALUES (4, 42)");
                one.commit();
                two.commit();
                return isSkewed;
            });

    private static final Map<String, Scenario> FURTHER_SCENARIOS = Map.of(
            "dirty write",
            (clients, one, two) -> {
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                update(two, "UPDATE t SET v = 12 WHERE id = 1");
                update(one, "UPDATE t SET v = 21 WHERE id = 2");
                one.commit();
                update(two, "UPDATE t SET v = 22 WHERE id = 2");
                two.commit();
                return clients.newest("SELECT sum(v) FROM t") % 2 == 1;
            },
            "observed transaction vanishes",
            (clients, one, two) -> {
                update(one, "UPDATE t SET v = 11 WHERE id = 1");
                update(one, "UPDATE t SET v = 21 WHERE id = 2");
                one.commit();
                Connection three = clients.connectForTransactions();
                boolean seen = number(three, "SELECT v FROM t WHERE id = 1") == 11
                        && number(three, "SELECT v FROM t WHERE id = 2") == 20;
                three.commit();
                return seen;
            },
            "rows that come between two looks",
            (clients, one, two) -> {
                boolean before = number(one, "SELECT count(*) FROM t WHERE v % 3 = 0") == 0;
                update(two, "INSERT INTO t VALUES (3, 30)");
                two.commit();
                boolean after = number(one, "SELECT count(*) FROM t WHERE v % 3 = 0") == 1;
                one.commit();
                return before && after;
            },
            "read skew through rows that come",
            (clients, one, two) -> {
                boolean before = number(one, "SELECT count(*) FROM t WHERE v % 3 = 0") == 0;
                update(two, "INSERT INTO t VALUES (3, 30)");
                update(two, "UPDATE t SET v = 11 WHERE id = 1");
                two.commit();
                boolean after = number(one, "SELECT v FROM t WHERE id = 1") == 11;
                one.commit();
                return before && after;
            });

    private static final Map<String, Set<IsolationLevel>> EXPECTED_FURTHER = Map.of(
            "dirty write", NEVER,
            "observed transaction vanishes", NEVER,
            "rows that come between two looks", AT_RC,
            "read skew through rows that come", AT_RC);

    private static final Map<String, Set<IsolationLevel>> EXPECTED = Map.of(
            "aborted read", NEVER,
            "intermediate read", NEVER,
            "circular information flow", NEVER,
            "read skew", AT_RC,
            "lost update", UP_TO_PC,
            "long fork", UP_TO_CC,
            "write skew", UP_TO_SI,
            "write skew through rows that come", UP_TO_SI);

    @Test
    void eachLevelPermitsExactlyItsAnomalies() throws Exception {
        assertMatrix(SCENARIOS, EXPECTED);
        assertMatrix(FURTHER_SCENARIOS, EXPECTED_FURTHER);
    }

    private static void assertMatrix(Map<String, Scenario> scenarios, Map<String, Set<IsolationLevel>> expected)
            throws IOException, SQLException {
        for (String name : scenarios.keySet()) {
            for (boolean updatesReadNewest : new boolean[] {true, false}) {
                Set<IsolationLevel> happened = EnumSet.noneOf(IsolationLevel.class);
                for (IsolationLevel level : IsolationLevel.all()) {
                    int seeds = expected.get(name).contains(level) ? SEEDS_WHERE_ALLOWED : SEEDS_ELSEWHERE;
                    if (happens(scenarios.get(name), level, updatesReadNewest, seeds)) {
                        happened.add(level);
                    }
                }
                assertThat(happened)
                        .as("%s, updates read %s", name, updatesReadNewest ? "newest" : "any")
                        .isEqualTo(levels(expected.get(name)));
            }
        }
    }

    private static Set<IsolationLevel> levels(Set<IsolationLevel> some) {
        Set<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        IsolationLevel.all().stream().filter(some::contains).forEach(levels::add);
        return levels;
    }

    private static boolean happens(Scenario scenario, IsolationLevel level, boolean updatesReadNewest, int seeds)
            throws IOException, SQLException {
        for (long seed = 1; seed <= seeds; seed++) {
            try (MockClients clients = new MockClients(MockClients.options(level, seed, updatesReadNewest))) {
                clients.load("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10), (2, 20)");
                try {
                    if (scenario.happens(clients, clients.connectForTransactions(), clients.connectForTransactions())) {
                        return true;
                    }
                } catch (SQLException refused) {
                    assertThat(refused.getSQLState()).as("%s", refused).isEqualTo("40001");
                }
            }
        }
        return false;
    }

    @Tag(Seeds.TAG)
    @Test
    void serializableCountThenInsertNeverCountsZeroTwice() throws Exception {
        for (long seed : Seeds.upTo(10)) {
            for (boolean isInterleaved : new boolean[] {true, false}) {
                try (MockClients clients =
                        new MockClients(MockClients.options(IsolationLevel.SERIALIZABLE, seed, true))) {
                    clients.load("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
                    Connection one = clients.connectForTransactions();
                    Connection two = clients.connectForTransactions();
                    int committed = 0;
                    boolean bothSawNothing = true;
                    try {
                        bothSawNothing &= number(one, "SELECT count(*) FROM t") == 0;
                        if (isInterleaved) {
                            bothSawNothing &= number(two, "SELECT count(*) FROM t") == 0;
                        }
                        update(one, "INSERT INTO t VALUES (1, 1)");
                        one.commit();
                        committed++;
                        if (!isInterleaved) {
                            bothSawNothing &= number(two, "SELECT count(*) FROM t") == 0;
                        }
                        update(two, "INSERT INTO t VALUES (2, 2)");
                        two.commit();
                        committed++;
                    } catch (SQLException refused) {
                        assertThat(refused.getSQLState()).isEqualTo("40001");
                    }
                    assertThat(bothSawNothing && committed == 2)
                            .as("nightjar.seed=%d", seed)
                            .isFalse();
                }
            }
        }
    }

    /** One client counts and inserts while the other, whose query is already sent, waits for its turn. */
    @Tag(Seeds.TAG)
    @Test
    void serializableCountAfterWaitSeesNewRows() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            for (String count : List.of(
                    "SELECT count(*) FROM t",
                    "SELECT count(*) FROM t WHERE id > 0",
                    "SELECT count(*) FROM t WHERE v = 7")) {
                for (long seed : Seeds.upTo(2)) {
                    MockOptions options = new MockOptions(
                            IsolationLevel.SERIALIZABLE,
                            seed,
                            new MockOptions.Reads(ChoiceMode.UNIFORM, true, true, Integer.MAX_VALUE),
                            new MockOptions.Schedule(true, 60_000),
                            MockFaults.NONE);
                    try (MockClients clients = new MockClients(options)) {
                        clients.load("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "CREATE INDEX ON t(v)");
                        Connection one = clients.connectForTransactions();
                        Connection two = clients.connectForTransactions();
                        assertThat(number(one, count)).isZero();
                        Future<Boolean> other = threads.submit(() -> countAndInsert(two, count));
                        Thread.sleep(40); // lets the other client arrive, which is not required
                        update(one, "INSERT INTO t VALUES (1, 7)");
                        one.commit();

                        assertThat(other.get(60, TimeUnit.SECONDS))
                                .as("both have counted nothing: nightjar.seed=%d %s", seed, count)
                                .isFalse();
                    }
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns whether the count was zero and the insert was committed. */
    private static boolean countAndInsert(Connection connection, String count) throws SQLException {
        try {
            boolean sawNothing = number(connection, count) == 0;
            update(connection, "INSERT INTO t VALUES (2, 7)");
            connection.commit();
            return sawNothing;
        } catch (SQLException refused) {
            assertThat(refused.getSQLState()).isEqualTo("40001");
            return false;
        }
    }

    @Test
    void incrementsAreNeverLostWhereUpdatesReadTheNewest() throws Exception {
        for (IsolationLevel level : IsolationLevel.all()) {
            try (MockClients clients = new MockClients(MockClients.options(level, 3, true))) {
                assertThat(increments(clients)).as("%s", level).isEqualTo(clients.newest("SELECT v FROM t"));
            }
        }
    }

    @Test
    void incrementsAreLostWhereUpdatesReadAnything() throws Exception {
        try (MockClients clients = new MockClients(MockClients.options(IsolationLevel.READ_COMMITTED, 3, false))) {
            assertThat(increments(clients)).isGreaterThan(clients.newest("SELECT v FROM t"));
        }
    }

    private static long increments(MockClients clients) throws SQLException {
        clients.load("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 0)");
        Connection[] connections = {clients.connectForTransactions(), clients.connectForTransactions()};
        long committed = 0;
        for (int i = 0; i < 30; i++) {
            Connection connection = connections[i % 2];
            try {
                number(connection, "SELECT v FROM t WHERE id = 1");
                update(connection, "UPDATE t SET v = v + 1 WHERE id = 1");
                connection.commit();
                committed++;
            } catch (SQLException refused) {
                assertThat(refused.getSQLState()).isEqualTo("40001");
                connection.rollback();
            }
        }
        return committed;
    }
}
