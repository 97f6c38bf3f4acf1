package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tables of a schema: the recorded ones, and the others with the reason. */
final class TableCatalog {

    /*
     * A table is archived with all its rows: they are the first transactions of the history, because a read of a row
     * whose writer is not in the history would be reported as an anomaly. So this must precede all recorded operations
     * on the table: for existing tables, it happens with the first connection, for others when a statement first names
     * them.
     *
     * If a statement may have changed unknown rows, all later reads of them would be reported as anomalies. Then the
     * table is stopped: earlier operations remain, and no later ones are recorded.
     */

    private static final int FETCHED = 1_000;

    private final DatabaseTables all;
    private final JdbcArchive archive;
    private final JdbcProduct product;
    private final @Nullable String catalog;
    private final @Nullable String schema;
    private final boolean isPlain;
    private final Map<String, RecordedTable> tables = new ConcurrentHashMap<>(); // by name in lower case
    private final Map<String, String> stopped = new ConcurrentHashMap<>(); // why, by name in lower case
    private final Map<String, Integer> generations = new ConcurrentHashMap<>(); // by name in lower case
    private final Map<String, Set<String>> dependents = new ConcurrentHashMap<>(); // by name in lower case
    private final Set<String> unknown = ConcurrentHashMap.newKeySet(); // views, and other names that are no tables
    private volatile boolean isLoaded;
    private String quote = ""; // of the database, set when a table is archived

    /**
     * @param catalog null if the database has no catalogs
     * @param schema likewise
     * @param isPlain whether its tables have no schema in front of their names in the history
     */
    TableCatalog(DatabaseTables all, @Nullable String catalog, @Nullable String schema, boolean isPlain) {
        this.all = all;
        this.archive = all.archive();
        this.product = all.product();
        this.catalog = catalog;
        this.schema = schema;
        this.isPlain = isPlain;
    }

    @Nullable
    String catalog() {
        return catalog;
    }

    @Nullable
    String schema() {
        return schema;
    }

    /** Returns the name of the schema in statements; null if it has none. */
    @Nullable
    String name() {
        return hasSchema() ? schema : catalog;
    }

    private boolean hasSchema() {
        return schema != null && !schema.isEmpty();
    }

    /** Takes in all tables of the schema. */
    synchronized void load(Connection connection) throws SQLException {
        if (isLoaded) {
            return;
        }
        take(connection, names(connection.getMetaData(), "%"));
        remarkTriggers(connection);
        isLoaded = true;
    }

    private void take(Connection connection, List<String> names) throws SQLException {
        Map<String, RecordedTable> taken = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        try (LoadedRows loaded = archive.load()) {
            for (String name : names) {
                take(connection, name, loaded, taken);
            }
        } finally {
            taken.forEach(this::record);
        }
    }

    /** Records a table whose rows the archive has, unless a statement may have changed it unseen. */
    private void record(String name, RecordedTable table) {
        String lower = name.toLowerCase(Locale.ROOT);
        tables.put(lower, table);
        all.changed();
        String unseen = stopped.getOrDefault(lower, all.unseen(name));
        if (unseen != null) {
            stop(name, unseen);
        }
    }

    private List<String> names(DatabaseMetaData about, String pattern) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = about.getTables(catalog, schema, pattern, null)) {
            while (rows.next()) {
                String type = String.valueOf(rows.getString("TABLE_TYPE")).toUpperCase(Locale.ROOT);
                boolean isTable = type.equals("TABLE") || type.equals("BASE TABLE") || type.equals("PARTITIONED TABLE");
                if (isTable && isHere(rows)) {
                    names.add(rows.getString("TABLE_NAME"));
                }
            }
        }
        return names;
    }

    /**
     * Returns whether a row of the catalog is about the table itself: in the name patterns of a driver, {@code _} is
     * any letter.
     */
    private boolean isHere(ResultSet rows) throws SQLException {
        String found = rows.getString("TABLE_SCHEM");
        return !hasSchema() || found == null || found.equals(schema);
    }

    /** @param taken tables whose rows are loaded, by name */
    private void take(Connection connection, String name, LoadedRows loaded, Map<String, RecordedTable> taken)
            throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        if (stopped.containsKey(lower)) {
            return;
        }
        DatabaseMetaData about = connection.getMetaData();
        quote = about.getIdentifierQuoteString().strip();
        RecordedTable there = tables.getOrDefault(lower, taken.get(name));
        if (there != null) {
            if (!there.quotedName().equals(quoted(name))) {
                stop(name, "another table differs from it in upper and lower case only");
            }
            return;
        }
        if (!all.isWanted(name)) {
            stop(name, "not one of nightjar.tables");
            return;
        }
        String unseen = all.unseen(name);
        if (unseen != null) {
            stop(name, unseen);
            return;
        }
        List<String> key = keyColumns(about, name);
        if (key.isEmpty()) {
            stop(name, "no primary key");
            return;
        }
        int generation = generations.getOrDefault(lower, 1);
        String called = shown(name) + (generation == 1 ? "" : "#" + generation);
        RecordedTable table = new RecordedTable(
                called, quoted(name), types(about, name), key, quote, tellsWriters(connection, quoted(name)));
        if (product == JdbcProduct.POSTGRESQL && !table.tellsWriters()) {
            table.hasTriggers(); // its partitions may have some
        }
        if (comparesLetters(connection, quoted(name))) {
            table.hasExactTexts();
        }
        loaded.reset();
        Savepoint before = savepoint(connection);
        try {
            if (takeRows(connection, name, table, loaded)) {
                loaded.mark();
                taken.put(name, table);
            }
        } catch (SQLException mayNotRead) {
            backTo(before, connection);
            stop(name, "its rows cannot be read: " + mayNotRead.getMessage());
        }
    }

    /** Returns a savepoint; null in auto-commit mode, or if savepoints are not supported. */
    private static @Nullable Savepoint savepoint(Connection connection) throws SQLException {
        try {
            return connection.getAutoCommit() ? null : connection.setSavepoint();
        } catch (SQLFeatureNotSupportedException hasNone) {
            return null;
        }
    }

    private static void backTo(@Nullable Savepoint before, Connection connection) throws SQLException {
        if (before != null) {
            connection.rollback(before);
        }
    }

    /** Returns the name of a table in the history. */
    private String shown(String name) {
        return isPlain ? name : name() + "." + name;
    }

    /**
     * Returns whether it is a plain table of PostgreSQL, whose rows name their writer: partitioned tables and tables
     * with rules do not support it.
     */
    private boolean tellsWriters(Connection connection, String quotedName) throws SQLException {
        if (product != JdbcProduct.POSTGRESQL) {
            return false;
        }
        return isFound(
                connection,
                "SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_am a ON a.oid = c.relam"
                        + " WHERE c.oid = ?::regclass AND c.relkind = 'r' AND a.amname = 'heap' AND NOT c.relhasrules",
                quotedName);
    }

    /** Returns whether no collation of a table of PostgreSQL declares different texts to be equal. */
    private boolean comparesLetters(Connection connection, String quotedName) throws SQLException {
        return product == JdbcProduct.POSTGRESQL
                && isFound(
                        connection,
                        "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a"
                                + " JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation"
                                + " WHERE a.attrelid = ?::regclass AND NOT c.collisdeterministic)",
                        quotedName);
    }

    private static boolean isFound(Connection connection, String query, String quotedName) throws SQLException {
        Savepoint before = savepoint(connection);
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, quotedName);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        } catch (SQLException onlySpeaksLikePostgres) {
            backTo(before, connection);
            return false;
        }
    }

    /**
     * Records a remark if a table has triggers: these change rows unobserved, so that reads of the rows would seem to
     * return values that were never written.
     */
    private void remarkTriggers(Connection connection) throws SQLException {
        String query =
                switch (product) {
                    case SQLITE -> "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'";
                    case DUCKDB, OTHER -> null; // the first has none
                    default ->
                        "SELECT DISTINCT event_object_table FROM information_schema.triggers WHERE event_object_schema = ?";
                };
        if (query == null) {
            return;
        }
        Savepoint before = savepoint(connection);
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            if (product != JdbcProduct.SQLITE) {
                statement.setString(1, name());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    RecordedTable table = tables.get(rows.getString(1).toLowerCase(Locale.ROOT));
                    if (table != null) {
                        table.hasTriggers();
                    }
                    archive.remark("table " + shown(rows.getString(1))
                            + " has triggers: the rows that they change are not recorded as writes, so a read of these rows may"
                            + " return a value without a writer");
                }
            }
        } catch (SQLException hasNoSuchTable) {
            backTo(before, connection);
            haveTriggers(); // which is unknown
        }
    }

    private String quoted(String name) {
        String table = quote + name + quote;
        String in = name();
        return in == null || in.isEmpty() ? table : quote + in + quote + "." + table;
    }

    private List<String> keyColumns(DatabaseMetaData about, String name) throws SQLException {
        TreeMap<Integer, String> bySequence = new TreeMap<>();
        try (ResultSet rows = about.getPrimaryKeys(catalog, schema, name)) {
            while (rows.next()) {
                bySequence.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
            }
        }
        return new ArrayList<>(bySequence.values());
    }

    private TreeMap<String, Integer> types(DatabaseMetaData about, String name) throws SQLException {
        TreeMap<String, Integer> types = new TreeMap<>();
        try (ResultSet rows = about.getColumns(catalog, schema, name, "%")) {
            while (rows.next()) {
                if (name.equals(rows.getString("TABLE_NAME")) && isHere(rows)) {
                    types.put(rows.getString("COLUMN_NAME"), rows.getInt("DATA_TYPE"));
                }
            }
        }
        return types;
    }

    /** Returns whether the existing rows are few enough and have keys; if so, they are loaded. */
    private boolean takeRows(Connection connection, String name, RecordedTable table, LoadedRows loaded)
            throws SQLException {
        int[] positionOf = table.positionsFrom(1);
        String columns = table.allQuoted() + (table.tellsWriters() ? ", xmin" : "");
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCHED);
            try (ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM " + table.quotedName())) {
                long count = 0;
                while (rows.next()) {
                    if (++count > all.maxRows()) {
                        stop(name, "more rows at the beginning than nightjar.rows=" + all.maxRows());
                        return false;
                    }
                    RowImage row = table.image(rows, positionOf);
                    if (row == null) {
                        stop(name, RecordedTable.NO_KEY);
                        return false;
                    }
                    table.addInitial(row, table.xmin(rows, positionOf), loaded.add(row));
                }
                return true;
            }
        }
    }

    // ---------------------------------------------------------------- while it is recorded

    /** Returns the table of this name; null if it is not recorded. Its rows are archived if it is new. */
    @Nullable
    RecordedTable find(String name, Connection connection) throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        RecordedTable table = tables.get(lower);
        if (table == null && !stopped.containsKey(lower) && !unknown.contains(lower)) {
            table = discover(name, connection);
        }
        return table == null || table.isStopped() ? null : table;
    }

    /** Returns whether the table exists, recorded or not, as far as statements have named it. */
    boolean has(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return tables.containsKey(lower) || stopped.containsKey(lower);
    }

    private synchronized @Nullable RecordedTable discover(String name, Connection connection) throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String spelling : spellings(name)) {
            for (String found : names(connection.getMetaData(), spelling)) {
                if (found.equalsIgnoreCase(name)) {
                    take(connection, List.of(found));
                    remarkTriggers(connection);
                    return tables.get(lower);
                }
            }
        }
        unknown.add(lower);
        return null;
    }

    /** Returns the spellings of a name without quotes. */
    private static Set<String> spellings(String name) {
        return new HashSet<>(List.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)));
    }

    /** Returns whether a name is that of a view, through which others may be written. */
    boolean isView(String name, Connection connection) throws SQLException {
        for (String spelling : spellings(name)) {
            try (ResultSet rows =
                    connection.getMetaData().getTables(catalog, schema, spelling, new String[] {"VIEW"})) {
                if (rows.next()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the tables whose rows may change together with rows of the given table, by their foreign keys, directly
     * or through others.
     */
    Set<String> dependents(String name, Connection connection) throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        Set<String> known = dependents.get(lower);
        if (known != null) {
            return known;
        }
        Set<String> all = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            for (String one : dependOn(open.pop(), connection)) {
                if (all.add(one)) {
                    open.push(one);
                }
            }
        }
        dependents.put(lower, all);
        return all;
    }

    private List<String> dependOn(String name, Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        for (String spelling : spellings(name)) {
            try (ResultSet rows = connection.getMetaData().getExportedKeys(catalog, schema, spelling)) {
                while (rows.next()) {
                    if (!isRefusing(rows.getInt("DELETE_RULE")) || !isRefusing(rows.getInt("UPDATE_RULE"))) {
                        found.add(rows.getString("FKTABLE_NAME"));
                    }
                }
            }
        }
        return found;
    }

    private static boolean isRefusing(int rule) {
        return rule == DatabaseMetaData.importedKeyNoAction || rule == DatabaseMetaData.importedKeyRestrict;
    }

    /** Records that all tables may have triggers or rules. */
    void haveTriggers() {
        tables.values().forEach(RecordedTable::hasTriggers);
    }

    /** Tables may have come. */
    void define() {
        unknown.clear();
        dependents.clear();
    }

    /**
     * Restarts the recording of a table that may have different rows or columns now: it continues under another name.
     */
    synchronized void redefine(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        RecordedTable table = tables.remove(lower);
        if (table != null) {
            table.stop();
            generations.merge(lower, 2, (before, two) -> before + 1);
        }
    }

    void stopEverything(String why) {
        tables.keySet().forEach(name -> stop(name, why));
    }

    /** Stops recording a table, if it is one of these. */
    void stop(RecordedTable table, String why) {
        tables.forEach((name, each) -> {
            if (each == table) {
                stop(name, why);
            }
        });
    }

    void stopIfRecorded(String name, String why) {
        if (tables.containsKey(name.toLowerCase(Locale.ROOT))) {
            stop(name, why);
        }
    }

    void stop(String name, String why) {
        String lower = name.toLowerCase(Locale.ROOT);
        RecordedTable table = tables.get(lower);
        if (table != null) {
            table.stop();
        }
        if (stopped.putIfAbsent(lower, why) == null) {
            all.changed();
            archive.notRecorded(shown(name), why);
        }
    }
}
