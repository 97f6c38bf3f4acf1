package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.record.DatabaseServer;
import io.nightjar.jobs.record.MariaDbServer;
import io.nightjar.jobs.record.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Statements that are sent to a mock and to the real database: the mock returns the same, or refuses. */
@Tag("slow")
class MockDialectsITCase {

    /** Statements that are not supported are refused with these states. */
    private static final Set<String> REFUSALS = Set.of("0A000", "42601", "42883", "42000");

    private static final String PSQL = "/usr/bin/psql";

    private static final String FAILED = "fails ";

    /** A failure's state counts up to its class. */
    private static final int STATE_CLASS = FAILED.length() + 2;

    @Test
    void clientsOfMysqlGetWhatMariaDbSays() throws Exception {
        try (DatabaseServer server = MariaDbServer.started();
                MockDatabase mock = mock();
                Connection theirs = DriverManager.getConnection(server.url());
                Connection ours = DriverManager.getConnection(
                        "jdbc:mariadb://127.0.0.1:" + mock.mysqlPort() + "/test?user=root")) {
            assertThat(differences("statements-mysql.sql", theirs, ours)).isEmpty();
            assertThat(failures("failures-mysql.sql", ours))
                    .isEqualTo(failures("failures-mysql.sql", theirs))
                    .filteredOn(each -> each.contains(FAILED))
                    .hasSize(20);
        }
    }

    @Test
    void clientsOfPostgresGetWhatPostgresSays() throws Exception {
        try (DatabaseServer server = PostgresServer.started("15.13.0");
                MockDatabase mock = mock();
                Connection theirs = DriverManager.getConnection(server.url());
                Connection ours =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + mock.port() + "/test?user=test")) {
            assertThat(differences("statements-postgres.sql", theirs, ours)).isEmpty();
            assertThat(failures("failures-postgres.sql", ours))
                    .isEqualTo(failures("failures-postgres.sql", theirs))
                    .filteredOn(each -> each.contains(FAILED))
                    .hasSize(32);
        }
    }

    /** Sends the queries of {@code \d} and similar commands: psql shows tables, keys and sequences. */
    @Test
    void psqlShowsWhatItShowsOfPostgres() throws Exception {
        assumeTrue(Files.isExecutable(Path.of(PSQL)), "psql is not there");
        try (DatabaseServer server = PostgresServer.started("15.13.0");
                MockDatabase mock = mock()) {
            String theirs = psql(server.url());
            assertThat(theirs).contains("Owned by: public.item.id", "Referenced by:");
            assertThat(psql("jdbc:postgresql://127.0.0.1:" + mock.port() + "/postgres?user=postgres"))
                    .isEqualTo(theirs);
        }
    }

    private static String psql(String jdbcUrl) throws IOException, InterruptedException {
        Path commands = Files.createTempFile("nightjar-psql", ".sql");
        try (InputStream in = MockDialectsITCase.class.getResourceAsStream("psql-commands.sql")) {
            Files.write(commands, in.readAllBytes());
            Process psql = new ProcessBuilder(
                            PSQL, "-X", "-q", "-f", "" + commands, jdbcUrl.substring("jdbc:".length()))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(psql.waitFor()).as(output).isZero();
            return output.replace("" + commands, "commands");
        } finally {
            Files.delete(commands);
        }
    }

    private static MockDatabase mock() throws IOException {
        MockOptions options = MockClients.options(IsolationLevel.SERIALIZABLE, 1, true);
        return new MockDatabase(
                options, new AnswerChooser(options.reads().choice(), 1, true), null, "127.0.0.1", 0, 0, note -> {});
    }

    private static List<String> differences(String file, Connection theirs, Connection ours)
            throws IOException, SQLException {
        List<String> different = new ArrayList<>();
        int refused = 0;
        List<String> statements = statements(file);
        for (String statement : statements) {
            String expected = answer(theirs, statement);
            String given = answer(ours, statement);
            boolean isRefused = given.startsWith(FAILED) && REFUSALS.contains(given.substring(FAILED.length()));
            refused += isRefused && !expected.startsWith(FAILED) ? 1 : 0;
            boolean bothFail = given.startsWith(FAILED)
                    && expected.startsWith(FAILED)
                    && given.substring(0, STATE_CLASS).equals(expected.substring(0, STATE_CLASS));
            if (!given.equals(expected) && !isRefused && !bothFail) {
                different.add(statement + "\n  real: " + expected + "\n  mock: " + given);
            }
        }
        assertThat(refused).as("refused of %d", statements.size()).isLessThan(statements.size() / 8);
        return different;
    }

    /**
     * Returns how each statement fails: PostgreSQL's message with its additional fields; MySQL's number, as the words
     * are MariaDB's.
     */
    private static List<String> failures(String file, Connection connection) throws IOException, SQLException {
        List<String> rows = new ArrayList<>();
        for (String sql : statements(file)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                rows.add(sql);
            } catch (PSQLException failed) {
                ServerErrorMessage message = failed.getServerErrorMessage();
                rows.add(sql
                        + FAILED
                        + String.join(
                                " ",
                                message.getSQLState(),
                                message.getMessage(),
                                String.valueOf(message.getConstraint()),
                                String.valueOf(message.getColumn())));
                boolean isOfValues =
                        message.getConstraint() != null && !message.getMessage().contains("check");
                rows.add(isOfValues ? message.getTable() + " " + message.getDetail() : "");
            } catch (SQLException failed) {
                rows.add(sql + FAILED + failed.getSQLState() + " " + failed.getErrorCode());
            }
        }
        return rows;
    }

    private static List<String> statements(String file) throws IOException {
        try (InputStream in = MockDialectsITCase.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("--"))
                    .toList();
        }
    }

    /** Returns rows with the names of their columns, or a count, or the state of the failure. */
    private static String answer(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "count " + statement.getUpdateCount();
            }
            StringBuilder text = new StringBuilder();
            try (ResultSet rows = statement.getResultSet()) {
                int width = rows.getMetaData().getColumnCount();
                for (int i = 1; i <= width; i++) {
                    text.append(rows.getMetaData().getColumnLabel(i)).append('|');
                }
                while (rows.next()) {
                    text.append('\n');
                    for (int i = 1; i <= width; i++) {
                        text.append(plain(rows.getString(i))).append('|');
                    }
                }
            }
            return text.toString();
        } catch (SQLException failed) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return FAILED + failed.getSQLState();
        }
    }

    /** Numbers without their last digits, whose count differs. */
    private static String plain(String value) {
        if (value == null || !value.matches("-?\\d+(\\.\\d+)?")) {
            return value;
        }
        BigDecimal number = new BigDecimal(value).setScale(4, RoundingMode.HALF_UP);
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
