package io.nightjar.jobs.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import javax.sql.DataSource;

/**
 * A typical application: a pool, prepared statements, a note of the requesting user. It is independent of recordings.
 */
final class BankApplication {

    private final DataSource pool;
    private final int accounts;
    private boolean searches;
    private boolean charges;

    BankApplication(DataSource pool, int accounts) {
        this.pool = pool;
        this.accounts = accounts;
    }

    /** {@code URL LEVEL TRANSFERS}: as a separate process. */
    public static void main(String[] args) throws Exception {
        try (HikariDataSource pool = pool(args[0], args[1])) {
            BankApplication bank = new BankApplication(pool, 10);
            bank.open();
            bank.run(4, Integer.parseInt(args[2]));
        }
    }

    static HikariDataSource pool(String url, String level) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_" + level);
        return new HikariDataSource(config);
    }

    /** Makes the accounts. */
    void open() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, owner VARCHAR(20), balance BIGINT,"
                    + " request BIGINT)");
            connection.commit();
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO account (id, owner, balance, request) VALUES (?, ?, ?, 0)")) {
                for (int id = 0; id < accounts; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "owner " + id);
                    insert.setLong(3, 1_000);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }

    /** Threads withdraw money from the accounts as long as pairs of them do not fall below zero together. */
    void run(int threads, int transfersOfEach) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int number = 0; number < threads; number++) {
            Random random = new Random(number);
            all[number] = new Thread(() -> {
                for (int i = 0; i < transfersOfEach; i++) {
                    withdraw(random);
                }
            });
            all[number].start();
        }
        for (Thread each : all) {
            each.join();
        }
    }

    /** From now on some transactions also select accounts by their content. */
    BankApplication searching() {
        searches = true;
        return this;
    }

    /** From now on some transactions also change accounts by their content. */
    BankApplication charging() {
        charges = true;
        return this;
    }

    private void withdraw(Random random) {
        int first = random.nextInt(accounts / 2) * 2;
        int taken = first + random.nextInt(2);
        try (Connection connection = pool.getConnection()) {
            try {
                if (searches && random.nextInt(4) == 0) {
                    richerThan(connection, 900 + random.nextInt(100));
                }
                if (charges && random.nextInt(4) == 0) {
                    charge(connection, 950 + random.nextInt(50), random.nextLong());
                }
                long both = balance(connection, first) + balance(connection, first + 1);
                if (both >= 0) {
                    take(connection, taken, 1 + random.nextInt(5), random.nextLong());
                }
                connection.commit();
            } catch (SQLException refused) {
                connection.rollback();
            }
        } catch (SQLException gone) {
            Thread.yield(); // the pool has another one
        }
    }

    private static long balance(Connection connection, int id) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong("balance") : 0;
            }
        }
    }

    private static int richerThan(Connection connection, long balance) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM account WHERE balance > ?")) {
            select.setLong(1, balance);
            int count = 0;
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    count++;
                }
            }
            return count;
        }
    }

    private static void charge(Connection connection, long min, long request) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE account SET balance = balance - ?," + " request = ? WHERE balance BETWEEN ? AND ?")) {
            update.setInt(1, 1);
            update.setLong(2, request);
            update.setLong(3, min);
            update.setLong(4, min + 4);
            update.executeUpdate();
        }
    }

    private static void take(Connection connection, int id, int amount, long request) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE account SET balance = balance - ?, request = ? WHERE id = ?")) {
            update.setInt(1, amount);
            update.setLong(2, request); // as audits want it; it also makes each version of a row different
            update.setInt(3, id);
            if (update.executeUpdate() != 1) {
                throw new SQLException("no such account");
            }
        }
    }
}
