package io.nightjar.datasets.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The texts of a session's statements. */
final class SessionSql {

    static final String SNAPSHOT = "txid_current_snapshot()";
    private static final String XID = "txid_current()";
    private static final String XID_IF_ANY = "txid_current_if_assigned()";
    static final int READ = 0;
    static final int FIRST_READ = 1;
    static final int WRITE = 2;
    static final int FIRST_WRITE = 3;
    static final int READ_BACK = 4;
    static final int SELECT = 5;
    static final int FIRST_SELECT = 6;
    static final int READ_TO_CHANGE = 7;
    static final int FIRST_READ_TO_CHANGE = 8;
    static final int LATER_SELECT = 9;
    static final int INSERT = 10;
    static final int FIRST_INSERT = 11;
    static final int DELETE = 12;
    static final int FIRST_DELETE = 13;
    static final int KINDS = 14;

    private final JdbcTables tables;
    private final SqlDialect dialect;
    private final boolean hasSnapshots;
    private final boolean hasRowVersions;
    private final boolean areLists;
    private final boolean areNumbers;
    private final boolean returns;

    /** @param hasSnapshots whether the database reports its snapshots */
    SessionSql(JdbcTables tables, boolean hasSnapshots) {
        this.tables = tables;
        this.dialect = tables.dialect();
        this.hasSnapshots = hasSnapshots;
        this.hasRowVersions = tables.hasRowVersions();
        this.areLists = tables.keys().areLists();
        this.areNumbers = tables.keys().areNumbers();
        this.returns = (hasRowVersions || hasSnapshots) && dialect.returning("", List.of("n")) != null;
    }

    /** Returns whether a writing statement returns columns of the row it has written. */
    boolean returns() {
        return returns;
    }

    /** Returns the statement of a kind for a table. */
    @Nullable
    String text(int table, int kind) {
        String name = tables.name(table);
        return switch (kind) {
            case READ -> "SELECT " + columns() + " FROM " + name + " WHERE id = ?";
            case FIRST_READ ->
                areLists
                        ? "SELECT elements, s FROM (SELECT " + SNAPSHOT + " AS s) AS snapshot LEFT JOIN " + name
                                + " ON id = ?"
                        : tables.keys().comeAndGo()
                                ? "SELECT " + columns() + ", s FROM (SELECT " + SNAPSHOT
                                        + " AS s) AS snapshot LEFT JOIN " + name + " ON id = ?"
                                : "SELECT " + columns() + ", " + SNAPSHOT + " FROM " + name + " WHERE id = ?";
            case READ_TO_CHANGE -> text(table, READ) + dialect.locking();
            case FIRST_READ_TO_CHANGE -> text(table, FIRST_READ) + dialect.locking();
            case SELECT -> "SELECT id, " + columns() + " FROM " + name + " WHERE amount >= ? AND amount <= ?";
            case FIRST_SELECT ->
                "SELECT id, " + columns() + ", s FROM (SELECT " + SNAPSHOT + " AS s) AS snapshot LEFT JOIN " + name
                        + " ON amount >= ? AND amount <= ?";
            case LATER_SELECT ->
                "SELECT id, " + columns() + ", s, own FROM (SELECT " + SNAPSHOT + " AS s, " + XID_IF_ANY
                        + " AS own) AS snapshot LEFT JOIN " + name + " ON amount >= ? AND amount <= ?";
            case READ_BACK -> "SELECT n FROM " + name + " WHERE id = ?";
            case INSERT, FIRST_INSERT ->
                returning("INSERT INTO " + name + " (v, amount, id) VALUES (?, ?, ?)", kind == FIRST_INSERT);
            case DELETE, FIRST_DELETE -> returning("DELETE FROM " + name + " WHERE id = ?", kind == FIRST_DELETE);
            default -> update(name, kind == FIRST_WRITE);
        };
    }

    private String columns() {
        if (areLists) {
            return "elements";
        }
        return "v" + (areNumbers ? "" : ", amount") + (hasRowVersions ? ", n" : "");
    }

    private @Nullable String update(String name, boolean withSnapshot) {
        String change = areLists
                ? "elements = " + dialect.appended("elements")
                : "v = ?" + (areNumbers ? "" : ", amount = ?") + (hasRowVersions ? ", n = n + 1" : "");
        String update = areLists && dialect.insertsLists()
                ? "INSERT INTO " + name + " AS list (elements, id) VALUES (?, ?)"
                        + " ON CONFLICT (id) DO UPDATE SET elements = list.elements || EXCLUDED.elements"
                : "UPDATE " + name + " SET " + change + " WHERE id = ?";
        return returning(update, withSnapshot);
    }

    private @Nullable String returning(String update, boolean withSnapshot) {
        if (!returns()) {
            return update;
        }
        String row = hasRowVersions ? "n" : "id";
        if (!hasSnapshots) {
            return dialect.returning(update, List.of(row));
        }
        List<String> columns = withSnapshot ? List.of(XID, SNAPSHOT) : List.of(XID);
        return dialect.returning(update, hasRowVersions ? concat(row, columns) : columns);
    }

    private static List<String> concat(String first, List<String> others) {
        return others.size() == 1 ? List.of(first, others.get(0)) : List.of(first, others.get(0), others.get(1));
    }
}
