package io.nightjar.datasets.jdbc;

import io.nightjar.datasets.workload.Keys;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The tables of a workload in a database. Those that a recording made are listed in a table of their own. */
public final class JdbcTables {

    private static final String PREFIX = "nightjar_";
    private static final String OURS = PREFIX + "tables";
    private static final String CLOCK = PREFIX + "clock";
    private static final String REGISTER = PREFIX + "commits";
    private static final int ROWS_AT_ONCE = 5_000;
    private static final String CONNECTION_LOST = "08";

    private final SqlDialect dialect;
    private final Keys keys;
    private final SqlDialect.Certificates certificates;
    private final List<Keys.Table> tables;
    private volatile int rowsOfLists;

    public JdbcTables(SqlDialect dialect, Keys keys, SqlDialect.Certificates certificates) {
        this.dialect = dialect;
        this.keys = keys;
        this.certificates = certificates;
        this.tables = keys.areNumbers()
                ? List.of(new Keys.Table(keys.areLists() ? "list" : "register", null, 0, keys.count(), 0))
                : keys.inTables();
    }

    Keys keys() {
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

    /** Whether each writer puts its number into a table, and each transaction reads which are there. */
    public boolean hasRegister() {
        return dialect.hasRegister() && certificates == SqlDialect.Certificates.SNAPSHOTS;
    }

    /** Whether snapshots tell the order of commits. */
    public boolean hasNestedSnapshots() {
        return certificates == SqlDialect.Certificates.SNAPSHOTS && !hasClock();
    }

    /** Whether rows count their writes. */
    boolean hasRowVersions() {
        return certificates != SqlDialect.Certificates.NONE && !keys.areLists();
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

    /** The key of the first row of a table by its name in the database, -1 if it has no rows of the workload. */
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

    /** Takes numbers out of the register that nobody will ask for any more. */
    public void prune(Connection connection, long below) throws SQLException {
        execute(connection, "DELETE FROM " + REGISTER + " WHERE id < " + below);
    }

    // ---------------------------------------------------------------- definitions

    /** The statements that make the tables, in their order. */
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
     * Makes the tables with their rows, over those that an earlier recording left.
     *
     * @throws TableExistsException if a table of that name is somebody else's; nothing was changed then
     */
    public void create(Connection connection, String maker) throws SQLException {
        boolean isListed = exists(connection, OURS);
        if (isListed && !isOurList(connection)) {
            throw new TableExistsException(OURS);
        }
        List<String> left = new ArrayList<>();
        for (String name : names()) {
            if (exists(connection, name)) {
                if (!isListed || !isOurs(connection, name)) {
                    throw new TableExistsException(name);
                }
                left.add(name);
            }
        }
        for (String name : left) {
            execute(connection, "DROP TABLE " + name);
        }
        if (!isListed) {
            execute(connection, ddlOfOurs());
        }
        for (String name : names()) {
            list(connection, name, maker);
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

    /** Whether it is a database of {@code nightjar mock}, which has to be told what its initial state is; others refuse the word. */
    private boolean isMock(Connection connection) throws SQLException {
        String asked =
                switch (dialect) {
                    case POSTGRESQL -> "SHOW nightjar.level";
                    case MARIADB, MYSQL -> "SET nightjar.reads = 'any'";
                    default -> null;
                };
        if (asked == null) {
            return false;
        }
        try {
            execute(connection, asked);
            return true;
        } catch (SQLException unknown) {
            if (String.valueOf(unknown.getSQLState()).startsWith(CONNECTION_LOST)) {
                throw unknown;
            }
            return false;
        }
    }

    /** The amount of each row, as it was committed last; rows are those of tables. */
    public long[] amounts(Connection connection) throws SQLException {
        if (isMock(connection)) {
            execute(connection, "SET nightjar.reads = 'newest'");
        }
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

    /** Drops the tables, and the list of tables if nothing else is in it. */
    public void drop(Connection connection) throws SQLException {
        for (String name : names()) {
            execute(connection, "DROP TABLE " + name);
            unlist(connection, name);
        }
        if (rowCount(connection, OURS) == 0) {
            execute(connection, "DROP TABLE " + OURS);
        }
    }

    private static boolean exists(Connection connection, String name) throws SQLException {
        try {
            rowCount(connection, name + " WHERE 1 = 0");
            return true;
        } catch (SQLException failure) {
            if (String.valueOf(failure.getSQLState()).startsWith(CONNECTION_LOST)) {
                throw failure;
            }
            return false;
        }
    }

    private static boolean isOurList(Connection connection) throws SQLException {
        try {
            rowCount(connection, OURS + " WHERE name = '' OR made_by = ''");
            return true;
        } catch (SQLException otherColumns) {
            return false;
        }
    }

    private static boolean isOurs(Connection connection, String name) throws SQLException {
        return rowCount(connection, OURS + " WHERE name = '" + name + "'") > 0;
    }

    private static long rowCount(Connection connection, String from) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void list(Connection connection, String name, String maker) throws SQLException {
        unlist(connection, name);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + OURS + " (name, made_by) VALUES (?, ?)")) {
            insert.setString(1, name);
            insert.setString(2, maker);
            insert.executeUpdate();
        }
    }

    private static void unlist(Connection connection, String name) throws SQLException {
        execute(connection, "DELETE FROM " + OURS + " WHERE name = '" + name + "'");
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
        for (int table = 0; table < tables.size(); table++) {
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

    /** Whether a workload has more lists than there are rows. */
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
