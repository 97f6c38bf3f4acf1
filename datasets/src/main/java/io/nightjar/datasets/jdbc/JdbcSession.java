package io.nightjar.datasets.jdbc;

import io.nightjar.datasets.jdbc.SessionSql.Kind;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.formats.history.HistorySlice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One connection that runs the operations of a workload, and the result of its last operation. */
public final class JdbcSession implements AutoCloseable {

    /*
     * The first statement of a transaction also returns its snapshot if the database reports one; later statements do
     * not, because at repeatable read and above it is the same. At weaker levels, each statement has its own: predicate
     * reads return it, with the transaction's number if it has one, which snapshots do not contain. A writing statement
     * returns the number of the row's writes and, on PostgreSQL, the number of the transaction.
     *
     * SQLite's own begin is used, since a transaction that will write must declare it before its first read: otherwise
     * every other writer in between would refuse it.
     */

    /** A write that changed no row: its row is not there yet for this transaction. */
    public static final class RowMissingException extends SQLException {

        private static final long serialVersionUID = 1L;

        RowMissingException(String table, int row) {
            super("no such row for this transaction: table=" + table + " id=" + row, "02000");
        }
    }

    private static final int KINDS = Kind.values().length;

    private final Connection connection;
    private final long serverStart;
    private final JdbcTables tables;
    private final SqlDialect dialect;
    private final boolean hasSnapshots;
    private final boolean hasManySnapshots;
    private final boolean hasRowVersions;
    private final boolean areLists;
    private final boolean areNumbers;
    private final boolean comeAndGo;
    private final SessionSql texts;
    private final PreparedStatement[] prepared;
    private final String[] sqlOf;
    private final Statement plain;
    private boolean isFirst;
    private boolean hasTicked;
    private @Nullable PreparedStatement ofRegister;
    private @Nullable PreparedStatement intoRegister;
    private long @Nullable [] registered;
    private boolean isRegistered;
    private long number;

    private long value;
    private long amount;
    private long rowVersion;
    private long @Nullable [] elements;
    private int selected;
    private long[][] selection = new long[4][16]; // keys, values, amounts, versions of rows
    private String sql = "";
    private @Nullable String snapshot;
    private @Nullable String statementSnapshot;
    private long statementXid;
    private long xid;
    private long startTs;
    private long commitTs;

    private JdbcSession(Connection connection, JdbcTables tables, SqlIsolation isolation, long serverStart)
            throws SQLException {
        this.connection = connection;
        this.serverStart = serverStart;
        this.tables = tables;
        this.dialect = tables.dialect();
        this.hasSnapshots =
                dialect == SqlDialect.POSTGRESQL && tables.certificates() == SqlDialect.Certificates.SNAPSHOTS;
        this.hasManySnapshots = hasSnapshots
                && (isolation == SqlIsolation.READ_UNCOMMITTED || isolation == SqlIsolation.READ_COMMITTED);
        this.hasRowVersions = tables.hasRowVersions();
        this.areLists = tables.keys().areLists();
        this.areNumbers = tables.keys().areNumbers();
        this.comeAndGo = tables.keys().comeAndGo();
        this.texts = new SessionSql(tables, hasSnapshots);
        this.prepared = new PreparedStatement[2 * KINDS * tables.tableCount()];
        this.sqlOf = new String[2 * KINDS * tables.tableCount()];
        this.plain = connection.createStatement();
    }

    /** Makes a session of a connection, which it closes; that is done at once if the database does not want it so. */
    public static JdbcSession open(Connection connection, JdbcTables tables, SqlIsolation isolation)
            throws SQLException {
        try {
            long serverStart = serverStart(connection, tables);
            isolate(connection, tables.dialect(), isolation);
            return new JdbcSession(connection, tables, isolation, serverStart);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns the start time of a PostgreSQL server whose snapshots are to be compared; else 0. */
    private static long serverStart(Connection connection, JdbcTables tables) throws SQLException {
        if (tables.dialect() != SqlDialect.POSTGRESQL || tables.certificates() != SqlDialect.Certificates.SNAPSHOTS) {
            return 0;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void isolate(Connection connection, SqlDialect dialect, SqlIsolation isolation) throws SQLException {
        if (dialect == SqlDialect.SQLITE) {
            return; // supports one level only
        }
        if (dialect == SqlDialect.H2) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL "
                        + isolation.name().replace('_', ' '));
            }
        } else if (dialect != SqlDialect.DUCKDB) {
            connection.setTransactionIsolation(isolation.jdbcLevel());
        }
        connection.setAutoCommit(false);
    }

    // ---------------------------------------------------------------- a transaction

    /**
     * @param writes whether it certainly writes
     * @param transaction its number, in the order in which transactions begin
     * @param oldest the number of the oldest one that has not ended
     */
    public void begin(boolean writes, long transaction, long oldest) throws SQLException {
        number = transaction;
        registered = null;
        isRegistered = false;
        isFirst = true;
        hasTicked = false;
        snapshot = null;
        rowVersion = HistorySlice.NONE;
        xid = HistorySlice.NONE;
        startTs = HistorySlice.NONE;
        commitTs = HistorySlice.NONE;
        if (dialect == SqlDialect.SQLITE) {
            plain.execute(writes ? "BEGIN IMMEDIATE" : "BEGIN");
        }
        if (tables.hasClock()) {
            try (ResultSet row = plain.executeQuery("SELECT t FROM " + JdbcTables.clock())) {
                row.next();
                startTs = row.getLong(1);
            }
        }
        if (tables.hasRegister()) {
            readRegister(oldest);
        }
    }

    /** Reads which transactions have committed, from the oldest on that may not have ended. */
    private void readRegister(long oldest) throws SQLException {
        if (ofRegister == null) {
            ofRegister = connection.prepareStatement(
                    "SELECT id FROM " + JdbcTables.register() + " WHERE id >= ? AND id <> ? ORDER BY id");
        }
        ofRegister.setLong(1, oldest);
        // the own number is not registered yet; H2 reuses results of statements with the same parameters
        ofRegister.setLong(2, number);
        int count = 0;
        long[] ids = new long[16];
        try (ResultSet rows = ofRegister.executeQuery()) {
            while (rows.next()) {
                ids = count == ids.length ? Arrays.copyOf(ids, 2 * count) : ids;
                ids[count++] = rows.getLong(1);
            }
        }
        registered = Arrays.copyOf(ids, count);
    }

    /** Reads a row: {@link #value} is 0 if it has not been written. */
    public void read(int key) throws SQLException {
        read(key, Kind.READ);
    }

    /** Reads a row that will be changed, with a lock on it where the database has such. */
    public void readForUpdate(int key) throws SQLException {
        read(key, Kind.READ_TO_CHANGE);
    }

    private void read(int key, Kind kind) throws SQLException {
        int table = tables.tableOf(key);
        PreparedStatement statement = statement(table, kind);
        statement.setInt(1, tables.rowOf(key, table));
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                if (!areLists && !comeAndGo) {
                    throw new RowMissingException(tables.name(table), tables.rowOf(key, table));
                }
                elements = areLists ? new long[0] : null; // made after this transaction's snapshot
                value = 0;
                amount = WorkloadKeys.ABSENT;
                rowVersion = HistorySlice.NONE;
            } else {
                take(row);
            }
        }
        isFirst = false;
    }

    /** Reads the rows of a table whose amount is between two bounds: {@link #selected} of them. */
    public void select(int firstKey, long min, long greatest) throws SQLException {
        int table = tables.tableOf(firstKey);
        boolean isWithSnapshot = isFirst && hasSnapshots;
        boolean isLater = !isFirst && hasManySnapshots;
        PreparedStatement statement = statement(table, isLater ? Kind.LATER_SELECT : Kind.SELECT);
        statementSnapshot = null;
        statement.setLong(1, min);
        statement.setLong(2, greatest);
        selected = 0;
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                int id = row.getInt(1);
                if (!row.wasNull()) {
                    keep(firstKey + id, row);
                }
                if (isWithSnapshot) {
                    snapshot = row.getString(hasRowVersions ? 5 : 4);
                }
                if (isLater) {
                    statementSnapshot = row.getString(hasRowVersions ? 5 : 4);
                    statementXid = row.getLong(hasRowVersions ? 6 : 5);
                    statementXid = row.wasNull() ? HistorySlice.NONE : statementXid;
                }
            }
        }
        isFirst = false;
    }

    private void keep(int key, ResultSet row) throws SQLException {
        if (selected == selection[0].length) {
            for (int column = 0; column < selection.length; column++) {
                selection[column] = Arrays.copyOf(selection[column], 2 * selected);
            }
        }
        selection[0][selected] = key;
        selection[1][selected] = row.getLong(2);
        selection[2][selected] = row.getLong(3);
        selection[3][selected++] = hasRowVersions ? row.getLong(4) : HistorySlice.NONE;
    }

    /** Returns the number of rows of the latest selection. */
    public int selected() {
        return selected;
    }

    /** Makes a row of the latest selection that of the latest read, and returns its key. */
    public int take(int ofSelected) {
        value = selection[1][ofSelected];
        amount = selection[2][ofSelected];
        rowVersion = selection[3][ofSelected];
        return (int) selection[0][ofSelected];
    }

    private void take(ResultSet row) throws SQLException {
        int column = 1;
        if (areLists) {
            elements = elements(row.getString(column++));
            value = 0;
        } else {
            value = row.getLong(column++); // 0 for null
        }
        amount = areNumbers ? value : row.getLong(column++);
        amount = comeAndGo && value == 0 ? WorkloadKeys.ABSENT : amount;
        rowVersion = hasRowVersions ? row.getLong(column++) : HistorySlice.NONE;
        if (isFirst && hasSnapshots) {
            snapshot = row.getString(column);
        }
    }

    private static long[] elements(String text) {
        if (text == null || text.isEmpty()) {
            return new long[0];
        }
        return Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
    }

    /** Writes a row, and inserts it if rows are inserted and deleted; {@code value} differs from all other values. */
    public void write(int key, long newAmount, long newValue) throws SQLException {
        int table = tables.tableOf(key);
        tick();
        boolean isDone = write(key, newAmount, newValue, Kind.WRITE);
        if (!isDone && comeAndGo) {
            isDone = write(key, newAmount, newValue, Kind.INSERT);
        }
        if (!isDone) {
            throw new RowMissingException(tables.name(table), tables.rowOf(key, table));
        }
        isFirst = false;
    }

    /** Returns whether a row was written. */
    private boolean write(int key, long newAmount, long newValue, Kind kind) throws SQLException {
        int table = tables.tableOf(key);
        PreparedStatement statement = statement(table, kind);
        int parameter = 1;
        if (areLists) {
            statement.setString(parameter++, newValue + ",");
        } else {
            statement.setLong(parameter++, newValue);
        }
        if (!areLists && !areNumbers) {
            statement.setLong(parameter++, newAmount);
        }
        int row = tables.rowOf(key, table);
        statement.setInt(parameter, row); // after the others, in an insert as well
        boolean isDone = execute(statement);
        if (isDone && hasRowVersions && !texts.returns()) {
            readBack(table, row);
        }
        return isDone;
    }

    /** Deletes a row; false if it is not there. */
    public boolean delete(int key) throws SQLException {
        int table = tables.tableOf(key);
        tick();
        PreparedStatement statement = statement(table, Kind.DELETE);
        statement.setInt(1, tables.rowOf(key, table));
        rowVersion = HistorySlice.NONE;
        boolean isDone = execute(statement);
        isFirst &= !isDone;
        return isDone;
    }

    /** Returns whether a statement changed a row. */
    private boolean execute(PreparedStatement change) throws SQLException {
        if (!texts.returns()) {
            return change.executeUpdate() > 0;
        }
        try (ResultSet returned = change.executeQuery()) {
            boolean isDone = returned.next();
            if (isDone) {
                takeReturned(returned);
            }
            return isDone;
        }
    }

    private void takeReturned(ResultSet returned) throws SQLException {
        int column = 1;
        rowVersion = hasRowVersions ? returned.getLong(column++) : HistorySlice.NONE;
        if (hasSnapshots) {
            xid = returned.getLong(column++);
            if (isFirst) {
                snapshot = returned.getString(column);
            }
        }
    }

    private void readBack(int table, int row) throws SQLException {
        String written = sql;
        PreparedStatement statement = statement(table, Kind.READ_BACK);
        sql = written;
        statement.setInt(1, row);
        try (ResultSet returned = statement.executeQuery()) {
            rowVersion = returned.next() ? returned.getLong(1) : HistorySlice.NONE;
        }
    }

    /**
     * Takes a tick before the first write: on SQLite it advances the clock, and no other writer gets in between; other
     * databases register it.
     */
    private void tick() throws SQLException {
        if (tables.hasClock() && !hasTicked) {
            plain.execute("UPDATE " + JdbcTables.clock() + " SET t = t + 1");
            hasTicked = true;
            commitTs = startTs + 1;
        }
        if (tables.hasRegister() && !isRegistered) {
            if (intoRegister == null) {
                intoRegister = connection.prepareStatement("INSERT INTO " + JdbcTables.register() + " (id) VALUES (?)");
            }
            intoRegister.setLong(1, number);
            intoRegister.executeUpdate();
            isRegistered = true;
        }
    }

    /** Reads the snapshot of a transaction that has none yet. */
    public void lockRows() throws SQLException {
        if (isFirst && hasSnapshots) {
            try (ResultSet row = plain.executeQuery("SELECT " + SessionSql.SNAPSHOT)) {
                row.next();
                snapshot = row.getString(1);
            }
        }
    }

    public void commit() throws SQLException {
        if (dialect == SqlDialect.SQLITE) {
            plain.execute("COMMIT");
        } else {
            connection.commit();
        }
    }

    public void rollback() throws SQLException {
        if (dialect == SqlDialect.SQLITE) {
            try {
                plain.execute("ROLLBACK");
            } catch (SQLException failure) {
                if (!String.valueOf(failure.getMessage()).contains("no transaction is active")) {
                    throw failure;
                }
            }
        } else {
            connection.rollback();
        }
    }

    // ---------------------------------------------------------------- statements

    private PreparedStatement statement(int table, Kind kind) throws SQLException {
        boolean withSnapshot = isFirst && hasSnapshots;
        int position = 2 * (table * KINDS + kind.ordinal()) + (withSnapshot ? 1 : 0);
        boolean isGone = dialect == SqlDialect.DUCKDB // its driver closes a statement that fails
                && prepared[position] != null
                && prepared[position].isClosed();
        if (prepared[position] == null || isGone) {
            sqlOf[position] = texts.text(table, kind, withSnapshot);
            prepared[position] = connection.prepareStatement(sqlOf[position]);
        }
        sql = sqlOf[position];
        return prepared[position];
    }

    // ---------------------------------------------------------------- results

    /** Returns the number of the write that the latest read observed, 0 for the initial row. */
    public long value() {
        return value;
    }

    public long amount() {
        return amount;
    }

    /** Returns the result of a read of a list. */
    public long @Nullable [] elements() {
        return elements;
    }

    /**
     * Returns the number of the write, or of the write that was read, among the writes of the row; {@code NONE} if rows
     * do not count them.
     */
    public long rowVersion() {
        return rowVersion;
    }

    /** Returns the text of the latest statement. */
    public String sql() {
        return sql;
    }

    /** Returns the numbers that the register showed, in order; null if it has none. */
    public long @Nullable [] registered() {
        return registered;
    }

    /** Returns whether the transaction has inserted its own number into the register. */
    public boolean isRegistered() {
        return isRegistered;
    }

    /** Returns PostgreSQL's text of the transaction's snapshot, or null. */
    public @Nullable String snapshot() {
        return snapshot;
    }

    /** Returns the text of the latest selection's own snapshot; null if it had that of the transaction. */
    public @Nullable String statementSnapshot() {
        return statementSnapshot;
    }

    /** Returns the transaction's number when that snapshot was taken, {@code NONE} if it had none. */
    public long statementXid() {
        return statementXid;
    }

    /**
     * Returns the start time of the session's PostgreSQL server: after a crash it reuses numbers of transactions.
     */
    public long serverStart() {
        return serverStart;
    }

    /** Returns PostgreSQL's number of the transaction, {@code NONE} as long as it has none. */
    public long xid() {
        return xid;
    }

    /** Timestamps where they are known before the transaction ends, else {@code NONE}. */
    public long startTs() {
        return startTs;
    }

    public long commitTs() {
        return commitTs;
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
