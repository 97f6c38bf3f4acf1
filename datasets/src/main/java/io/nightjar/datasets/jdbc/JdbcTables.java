package io.nightjar.datasets.jdbc;

import io.nightjar.datasets.workload.WorkloadKeys;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of a workload in a database. A separate table lists the tables that recordings made. */
public final class JdbcTables {

    private static final String PREFIX = "nightjar_";
    private static final String OURS = PREFIX + "tables";
    private static final String CLOCK = PREFIX + "clock";
    private static final String REGISTER = PREFIX + "commits";
    private static final int ROWS_AT_ONCE = 5_000;
    private static final String CONNECTION_LOST = "08";
    private static final int LOCK_ATTEMPTS = 20;
    private static final long LOCK_PAUSE_MS = 100;

    private final SqlDialect dialect;
    private final WorkloadKeys keys;
    private final SqlDialect.Certificates certificates;
    private final List<WorkloadKeys.Table> tables;
    private volatile int rowsOfLists;

    public JdbcTables(SqlDialect dialect, WorkloadKeys keys, SqlDialect.Certificates certificates) {
        this.dialect = dialect;
        this.keys = keys;
        this.certificates = certificates;
        this.tables = keys.areNumbers()
                ? List.of(new WorkloadKeys.Table(keys.areLists() ? "list" : "register", null, 0, keys.count(), 0))
                : keys.inTables();
    }

    WorkloadKeys keys() {
        return keys;
    }

    SqlDialect dialect() {
        return dialect;
    }

    public SqlDialect.Certificates certificates() {
        return certificates;
    }

    boolean hasClock() {
        return dialect == SqlDialect.SQLITE && certificates == SqlDialect.Certificates.SNAPSHOTS;
    }

    /** Returns whether each writer inserts its number into a table, and each transaction reads the numbers there. */
    public boolean hasRegister() {
        return dialect.hasRegister() && certificates == SqlDialect.Certificates.SNAPSHOTS;
    }

    /** Returns whether snapshots determine the order of commits. */
    public boolean hasNestedSnapshots() {
        return certificates == SqlDialect.Certificates.SNAPSHOTS && !hasClock();
    }

    /** Returns whether rows count their writes; rows that are inserted again would restart their count. */
    boolean hasRowVersions() {
        return certificates != SqlDialect.Certificates.NONE && !keys.areLists() && !keys.comeAndGo();
    }

    /** Returns whether rows are inserted and deleted. */
    public boolean comeAndGo() {
        return keys.comeAndGo();
    }

    int tableCount() {
        return tables.size();
    }

    int tableOf(int key) {
        int table = tables.size() - 1;
        while (tables.get(table).first() > key) {
            table--;
        }
        return table;
    }

    int rowOf(int key, int table) {
        return key - tables.get(table).first();
    }

    String name(int table) {
        return PREFIX + tables.get(table).name();
    }

    /**
     * Returns the key of the first row of a table by its name in the database, -1 if it has no rows of the workload.
     */
    public int firstKeyOf(String name) {
        for (int table = 0; table < tables.size(); table++) {
            if (name.startsWith(PREFIX)
                    && name.substring(PREFIX.length()).equals(tables.get(table).name())) {
                return tables.get(table).first();
            }
        }
        return -1;
    }

    static String clock() {
        return CLOCK;
    }

    static String register() {
        return REGISTER;
    }

    /** Removes numbers from the register that will not be needed again. */
    public void prune(Connection connection, long below) throws SQLException {
        execute(connection, "DELETE FROM " + REGISTER + " WHERE id < " + below);
    }

    // ---------------------------------------------------------------- definitions

    /** Returns the statements that make the tables, in their order. */
    public List<String> ddl() {
        List<String> statements = new ArrayList<>();
        statements.add(ddlOfOurs());
        for (int table = 0; table < tables.size(); table++) {
            statements.add("CREATE TABLE " + name(table) + " (" + columns() + ")" + dialect.tableSuffix());
        }
        if (hasClock()) {
            statements.add("CREATE TABLE " + CLOCK + " (id INTEGER PRIMARY KEY, t BIGINT NOT NULL)");
        }
        if (hasRegister()) {
            statements.add("CREATE TABLE " + REGISTER + " (id BIGINT PRIMARY KEY)" + dialect.tableSuffix());
        }
        return statements;
    }

    private String ddlOfOurs() {
        return "CREATE TABLE " + OURS + " (name VARCHAR(100) PRIMARY KEY, made_by VARCHAR(100) NOT NULL)"
                + dialect.tableSuffix();
    }

    private String columns() {
        StringBuilder columns = new StringBuilder("id INTEGER PRIMARY KEY");
        if (keys.areLists()) {
            return columns.append(", elements ")
                    .append(dialect.textType())
                    .append(" NOT NULL")
                    .toString();
        }
        if (!keys.areNumbers()) {
            columns.append(", amount BIGINT NOT NULL");
        }
        columns.append(keys.areNumbers() ? ", v BIGINT" : ", v BIGINT NOT NULL");
        return columns.append(hasRowVersions() ? ", n BIGINT NOT NULL" : "").toString();
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int table = 0; table < tables.size(); table++) {
            names.add(name(table));
        }
        if (hasClock()) {
            names.add(CLOCK);
        }
        if (hasRegister()) {
            names.add(REGISTER);
        }
        return names;
    }

    // ---------------------------------------------------------------- making and dropping

    /**
     * Creates the tables with their rows, replacing tables of an earlier recording.
     *
     * @throws TableExistsException if a table of that name is not the recording's, or in use; nothing was changed then
     */
    public void create(Connection connection, TableMaker maker) throws SQLException {
        boolean isLocked = lockInTime(connection);
        readNewest(connection);
        boolean isListed = exists(connection, OURS);
        if (isListed && !isOurList(connection)) {
            throw TableExistsException.notOurs(OURS);
        }
        List<String> left = new ArrayList<>();
        Map<String, String> makers = new HashMap<>();
        for (String name : names()) {
            String other = isListed ? makerOf(connection, name) : null;
            if (other != null && maker.isAnotherAtWork(other, !isLocked)) {
                throw TableExistsException.inUse(name, other);
            }
            makers.put(name, other);
            if (exists(connection, name)) {
                if (other == null) {
                    throw TableExistsException.notOurs(name);
                }
                left.add(name);
            }
        }
        if (!isListed) {
            execute(connection, ddlOfOurs());
        }
        for (String name : names()) {
            list(connection, name, makers.get(name), maker.mark());
        }
        for (String name : left) {
            execute(connection, "DROP TABLE " + name);
        }
        List<String> statements = ddl();
        boolean isMock = isMock(connection);
        if (isMock) {
            execute(connection, "SET nightjar.phase = 'load'");
        }
        for (String statement : statements.subList(1, statements.size())) {
            execute(connection, statement);
        }
        fill(connection);
        if (isMock) {
            execute(connection, "SET nightjar.phase = 'run'");
        }
    }

    /** Locks, and waits a little: the server may not have noticed yet that a recording has ended. */
    public boolean lockInTime(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return lock(connection);
            } catch (TableExistsException inUse) {
                if (attempt == LOCK_ATTEMPTS) {
                    throw inUse;
                }
            }
            try {
                Thread.sleep(LOCK_PAUSE_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", interrupted);
            }
        }
    }

    /**
     * Locks the names of the tables as long as the connection lives, if the database has such locks: no other recording
     * gets them then.
     *
     * @return false if it has none
     * @throws TableExistsException if another connection has one
     */
    public boolean lock(Connection connection) throws SQLException {
        String sql =
                switch (dialect) {
                    case POSTGRESQL ->
                        "SELECT CASE WHEN pg_try_advisory_lock(" + OURS.hashCode() + ", ?) THEN 1 ELSE 0 END";
                    case MARIADB, MYSQL -> "SELECT GET_LOCK(CONCAT('" + PREFIX + "', MD5(?)), 0)";
                    default -> null;
                };
        if (sql == null || isMock(connection)) {
            return false;
        }
        String namespace = dialect == SqlDialect.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
        for (String name : names()) {
            String lock = namespace + "." + name;
            try (PreparedStatement asked = connection.prepareStatement(sql)) {
                if (dialect == SqlDialect.POSTGRESQL) {
                    asked.setInt(1, lock.hashCode());
                } else {
                    asked.setString(1, lock);
                }
                try (ResultSet row = asked.executeQuery()) {
                    if (row.next() && row.getInt(1) == 0) {
                        throw TableExistsException.inUse(name, "");
                    }
                }
            } catch (SQLException failure) {
                if (String.valueOf(failure.getSQLState()).startsWith(CONNECTION_LOST)) {
                    throw failure;
                }
                return false; // speaks the protocol, and has no such locks
            }
        }
        return true;
    }

    /**
     * Returns whether it is a database of {@code nightjar mock}, which needs a declaration of its initial state; others
     * reject the statement.
     */
    private boolean isMock(Connection connection) throws SQLException {
        String asked =
                switch (dialect) {
                    case POSTGRESQL -> "SHOW nightjar.level";
                    case MARIADB, MYSQL -> "SET nightjar.reads = 'any'";
                    default -> null;
                };
        return asked != null && succeeds(connection, asked);
    }

    /** Returns whether a statement succeeds; a lost connection is not its failure. */
    private static boolean succeeds(Connection connection, String sql) throws SQLException {
        try {
            execute(connection, sql);
            return true;
        } catch (SQLException failure) {
            if (String.valueOf(failure.getSQLState()).startsWith(CONNECTION_LOST)) {
                throw failure;
            }
            return false;
        }
    }

    private void readNewest(Connection connection) throws SQLException {
        if (isMock(connection)) {
            execute(connection, "SET nightjar.reads = 'newest'");
        }
    }

    /** Returns the last committed amount of each row; rows are rows of tables. */
    public long[] amounts(Connection connection) throws SQLException {
        readNewest(connection);
        long[] amounts = new long[keys.count()];
        for (int table = 0; table < tables.size(); table++) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id, amount FROM " + name(table))) {
                while (rows.next()) {
                    amounts[tables.get(table).first() + rows.getInt(1)] = rows.getLong(2);
                }
            }
        }
        return amounts;
    }

    /** Drops the tables that this maker made, and the list of tables if it has no others. */
    public void drop(Connection connection, TableMaker maker) throws SQLException {
        readNewest(connection);
        if (!exists(connection, OURS)) {
            return;
        }
        for (String name : names()) {
            if (maker.mark().equals(makerOf(connection, name))) {
                if (exists(connection, name)) {
                    execute(connection, "DROP TABLE " + name);
                }
                unlist(connection, name, maker.mark());
            }
        }
        if (rowCount(connection, OURS) == 0) {
            execute(connection, "DROP TABLE " + OURS);
        }
    }

    /** Returns whether this maker made the current tables. */
    public boolean areOf(Connection connection, TableMaker maker) throws SQLException {
        readNewest(connection);
        for (String name : names()) {
            if (!maker.mark().equals(makerOf(connection, name))) {
                return false;
            }
        }
        return true;
    }

    /** Releases the tables for the next recording. */
    public void leave(Connection connection, TableMaker maker) throws SQLException {
        update(connection, "UPDATE " + OURS + " SET made_by = ? WHERE made_by = ?", maker.word(), maker.mark());
    }

    private static boolean exists(Connection connection, String name) throws SQLException {
        return succeeds(connection, "SELECT COUNT(*) FROM " + name + " WHERE 1 = 0");
    }

    private static boolean isOurList(Connection connection) throws SQLException {
        return succeeds(connection, "SELECT COUNT(*) FROM " + OURS + " WHERE name = '' OR made_by = ''");
    }

    /** Returns the maker of a table by the list of tables; null if the table is not in it. */
    private static @Nullable String makerOf(Connection connection, String name) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT made_by FROM " + OURS + " WHERE name = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private static long rowCount(Connection connection, String from) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void list(Connection connection, String name, @Nullable String before, String maker)
            throws SQLException {
        if (before != null) {
            unlist(connection, name, before);
        }
        update(connection, "INSERT INTO " + OURS + " (name, made_by) VALUES (?, ?)", name, maker);
    }

    private static void unlist(Connection connection, String name, String maker) throws SQLException {
        update(connection, "DELETE FROM " + OURS + " WHERE name = ? AND made_by = ?", name, maker);
    }

    private static void update(Connection connection, String sql, String first, String second) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setString(1, first);
            update.setString(2, second);
            update.executeUpdate();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    // ---------------------------------------------------------------- rows

    private void fill(Connection connection) throws SQLException {
        if (hasClock()) {
            execute(connection, "INSERT INTO " + CLOCK + " (id, t) VALUES (0, 1)");
        }
        if (keys.areLists()) {
            rowsOfLists = 0;
            growLists(connection);
            return;
        }
        for (int table = 0; table < tables.size() && !keys.comeAndGo(); table++) {
            fill(connection, table);
        }
    }

    private void fill(Connection connection, int table) throws SQLException {
        String columns = "id" + (keys.areNumbers() ? ", v" : ", v, amount") + (hasRowVersions() ? ", n" : "");
        String values = "?"
                + (keys.areNumbers() ? ", NULL" : ", 0, " + tables.get(table).initial())
                + (hasRowVersions() ? ", 0" : "");
        insert(
                connection,
                "INSERT INTO " + name(table) + " (" + columns + ") VALUES (" + values + ")",
                0,
                tables.get(table).rows());
    }

    /** Returns whether a workload has more lists than the tables have rows. */
    public boolean needsLists() {
        return keys.areLists() && !dialect.insertsLists() && rowsOfLists < keys.count();
    }

    /** Makes the rows of lists that are there since. */
    public synchronized void growLists(Connection connection) throws SQLException {
        int count = keys.count();
        if (needsLists()) {
            insert(connection, "INSERT INTO " + name(0) + " (id, elements) VALUES (?, '')", rowsOfLists, count);
            rowsOfLists = count;
        }
    }

    private static void insert(Connection connection, String sql, int first, int end) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int row = first; row < end; row++) {
                insert.setInt(1, row);
                insert.addBatch();
                if ((row - first) % ROWS_AT_ONCE == ROWS_AT_ONCE - 1) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
            if ((end - first) % ROWS_AT_ONCE != 0) { // HSQLDB refuses an empty batch
                insert.executeBatch();
            }
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
