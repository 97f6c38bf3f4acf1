package io.nightjar.jdbc;

import io.nightjar.jdbc.StatementShape.TableUse;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The tables of a database, schema by schema, and which of them a name means to a connection. */
final class DatabaseTables {

    /*
     * A connection has a path: the schemas in which it searches an unqualified name, in their order. PostgreSQL has
     * several (search_path), others have one, which MariaDB calls a database. A schema's tables are recorded when it
     * first appears in the path of a connection; of a schema that statements only name, the tables that they name.
     *
     * Tables of the first schema of the first connection have their own names in the history, others are prefixed with
     * their schema. A table that may have been written unobserved is stopped by its name alone, in any schema.
     */

    private static final Set<String> OF_THE_SYSTEM = Set.of(
            "information_schema",
            "pg_catalog",
            "pg_toast",
            "mysql",
            "sys",
            "performance_schema",
            "system_lobs",
            "temp");

    private final JdbcArchive archive;
    private final JdbcProduct product;
    private final long maxRows;
    private final Set<String> wanted;
    private final List<TableCatalog> catalogs = new CopyOnWriteArrayList<>();
    private final List<Unseen> unseen = new CopyOnWriteArrayList<>();
    private final Set<String> noSchemas = ConcurrentHashMap.newKeySet(); // names in lower case that are none
    private final AtomicLong version = new AtomicLong();
    private @Nullable List<String> plain; // catalogue and schema whose tables have their own names

    /** A statement that may have written a table of which nothing was known yet. */
    private record Unseen(JdbcTxn txn, Set<String> names, String why) {

        boolean mayBeOf(String name) {
            return !txn.isOver() && (names.isEmpty() || names.contains(name));
        }
    }

    /** @param wanted names in lower case; all tables are if it is empty */
    DatabaseTables(JdbcArchive archive, JdbcProduct product, long maxRows, Set<String> wanted) {
        this.archive = archive;
        this.product = product;
        this.maxRows = maxRows;
        this.wanted = wanted;
    }

    JdbcArchive archive() {
        return archive;
    }

    JdbcProduct product() {
        return product;
    }

    long maxRows() {
        return maxRows;
    }

    boolean isWanted(String name) {
        return wanted.isEmpty() || wanted.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Returns a number that changes when a statement may have to be planned again. */
    long version() {
        return version.get();
    }

    void changed() {
        version.incrementAndGet();
    }

    // ---------------------------------------------------------------- schemas

    /** Returns the schemas in which a connection searches names, with their tables registered. */
    List<TableCatalog> path(Connection connection) throws SQLException {
        String catalog = connection.getCatalog();
        plain(catalog, connection);
        List<TableCatalog> path = new ArrayList<>();
        for (String schema : product == JdbcProduct.POSTGRESQL ? searchPath(connection) : ofOne(connection)) {
            TableCatalog one = at(catalog, schema);
            one.load(connection);
            path.add(one);
        }
        return path;
    }

    private static List<String> ofOne(Connection connection) {
        List<String> one = new ArrayList<>();
        one.add(schemaOf(connection));
        return one;
    }

    private static @Nullable String schemaOf(Connection connection) {
        try {
            return connection.getSchema();
        } catch (SQLException | AbstractMethodError unsupported) {
            return null;
        }
    }

    /**
     * Returns the schemas in which names are searched. The query creates no snapshot, so that the application may still
     * choose a level for its transaction.
     */
    private static List<String> searchPath(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW search_path")) {
            row.next();
            return schemas(row.getString(1), connection.getMetaData().getUserName());
        }
    }

    /** @param path names separated by commas; names that are no plain words are quoted */
    static List<String> schemas(String path, String user) {
        List<String> schemas = new ArrayList<>();
        for (SqlToken token : SqlToken.of(path)) {
            if (token.isName()) {
                String name = token.text().equals("$user") ? user : token.text();
                if (!schemas.contains(name)) {
                    schemas.add(name);
                }
            }
        }
        return schemas;
    }

    /**
     * Sets the plain schema. PostgreSQL's path begins with a schema of the user's name, which rarely exists: the first
     * existing one counts.
     */
    private synchronized void plain(@Nullable String catalog, Connection connection) {
        if (plain == null) {
            plain = Arrays.asList(catalog, schemaOf(connection));
        }
    }

    private synchronized TableCatalog at(@Nullable String catalog, @Nullable String schema) {
        for (TableCatalog each : catalogs) {
            if (Objects.equals(each.catalog(), catalog) && Objects.equals(each.schema(), schema)) {
                return each;
            }
        }
        TableCatalog made = new TableCatalog(
                this, catalog, schema, Arrays.asList(catalog, schema).equals(plain));
        catalogs.add(made);
        return made;
    }

    /** Returns the schema that a statement names; null if it names none, or a system schema. */
    private @Nullable TableCatalog named(String name, List<TableCatalog> path, Connection connection)
            throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        if (OF_THE_SYSTEM.contains(lower) || noSchemas.contains(lower)) {
            return null;
        }
        for (TableCatalog each : catalogs) {
            if (name.equalsIgnoreCase(each.name())) {
                return each;
            }
        }
        TableCatalog here = path.get(0);
        boolean hasSchemas = here.schema() != null && !here.schema().isEmpty();
        DatabaseMetaData about = connection.getMetaData();
        String column = hasSchemas ? "TABLE_SCHEM" : "TABLE_CAT";
        try (ResultSet rows = hasSchemas ? about.getSchemas() : about.getCatalogs()) {
            while (rows.next()) {
                String found = rows.getString(column);
                if (name.equalsIgnoreCase(found)) {
                    return hasSchemas ? at(here.catalog(), found) : at(found, here.schema());
                }
            }
        }
        noSchemas.add(lower);
        return null;
    }

    // ---------------------------------------------------------------- names

    /** Returns the table that a statement refers to; null if it is not recorded. Its rows are archived if it is new. */
    @Nullable
    RecordedTable find(TableUse use, List<TableCatalog> path, Connection connection) throws SQLException {
        if (path.isEmpty()) {
            return null;
        }
        if (use.schema() != null) {
            TableCatalog named = named(use.schema(), path, connection);
            return named == null ? null : named.find(use.name(), connection);
        }
        for (TableCatalog each : path) {
            RecordedTable table = each.find(use.name(), connection);
            if (table != null || each.has(use.name())) {
                return table;
            }
        }
        return null;
    }

    /** Returns the reason why unrecorded changes of a table's rows may be pending; null if none are. */
    @Nullable
    String unseen(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (Unseen statement : unseen) {
            if (statement.mayBeOf(lower)) {
                return statement.why;
            }
        }
        return null;
    }

    /** Returns whether a name is that of a view, through which others may be written. */
    boolean isView(TableUse use, Connection connection) throws SQLException {
        for (TableCatalog each : catalogs) {
            if (each.isView(use.name(), connection)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the tables whose rows may change together with rows of the given table, by their foreign keys, directly
     * or through others.
     */
    Set<String> dependents(String name, Connection connection) throws SQLException {
        Set<String> all = new TreeSet<>();
        for (TableCatalog each : catalogs) {
            all.addAll(each.dependents(name, connection));
        }
        return all;
    }

    // ---------------------------------------------------------------- changes

    /** Tables may have come. */
    void define() {
        noSchemas.clear();
        catalogs.forEach(TableCatalog::define);
        changed();
    }

    /**
     * Restarts the recording of tables that may have different rows or columns now: they continue under another name.
     */
    void redefine(List<String> names, List<TableCatalog> path) {
        for (String name : names) {
            boolean isFound = false;
            for (TableCatalog each : catalogs) {
                if (each.has(name) && isNamed(each, names)) {
                    each.redefine(name);
                    isFound = true;
                }
            }
            for (TableCatalog each : path) {
                if (each.has(name) && !isNamed(each, names)) {
                    if (isFound) {
                        each.stop(name, "a statement may have changed it: " + name);
                    } else {
                        each.redefine(name);
                    }
                    break;
                }
            }
        }
        define();
    }

    private static boolean isNamed(TableCatalog catalog, List<String> names) {
        return names.stream().anyMatch(name -> name.equalsIgnoreCase(catalog.name()));
    }

    /** Records that a statement may have made triggers or rules. */
    void haveTriggers() {
        catalogs.forEach(TableCatalog::haveTriggers);
    }

    /** Stops recording tables with these names, even unknown ones while a transaction is open. */
    void stopAll(Collection<String> names, JdbcTxn writer, String why) {
        Set<String> lower = new TreeSet<>();
        names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
        record(new Unseen(writer, lower, why));
        stopAll(names, why);
    }

    private void record(Unseen statement) {
        unseen.removeIf(earlier -> earlier.txn.isOver());
        unseen.add(statement);
    }

    /** Stops recording tables with these names. */
    void stopAll(Collection<String> names, String why) {
        for (String name : names) {
            for (TableCatalog each : catalogs) {
                each.stopIfRecorded(name, why);
            }
        }
    }

    /** Stops recording all tables, and records that a transaction may have changed them unobserved. */
    void stopEverything(JdbcTxn writer, String why) {
        record(new Unseen(writer, Set.of(), why));
        stopEverything(why);
    }

    void stopEverything(String why) {
        catalogs.forEach(each -> each.stopEverything(why));
    }

    /** Stops recording a table. */
    void stop(RecordedTable table, String why) {
        catalogs.forEach(each -> each.stop(table, why));
    }
}
