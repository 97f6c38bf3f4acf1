package io.nightjar.datasets.jdbc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The texts of a session's statements. */
final class SessionSql {

    static final String SNAPSHOT = "txid_current_snapshot()";
    private static final String XID = "txid_current()";
    private static final String XID_IF_ANY = "txid_current_if_assigned()";

    enum Kind {
        READ,
        READ_TO_CHANGE,
        WRITE,
        READ_BACK,
        SELECT,
        LATER_SELECT,
        INSERT,
        DELETE
    }

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

    /** Returns the statement of a kind for a table; the first of a transaction also returns its snapshot. */
    @Nullable
    String text(int table, Kind kind, boolean withSnapshot) {
        String name = tables.name(table);
        String snapshotJoin = ", s FROM (SELECT " + SNAPSHOT + " AS s) AS snapshot LEFT JOIN " + name + " ON ";
        return switch (kind) {
            case READ ->
                !withSnapshot
                        ? "SELECT " + columns() + " FROM " + name + " WHERE id = ?"
                        : areLists || tables.keys().comeAndGo()
                                ? "SELECT " + columns() + snapshotJoin + "id = ?"
                                : "SELECT " + columns() + ", " + SNAPSHOT + " FROM " + name + " WHERE id = ?";
            case READ_TO_CHANGE -> text(table, Kind.READ, withSnapshot) + dialect.locking();
            case SELECT ->
                "SELECT id, " + columns() + (withSnapshot ? snapshotJoin : " FROM " + name + " WHERE ")
                        + "amount >= ? AND amount <= ?";
            case LATER_SELECT ->
                "SELECT id, " + columns() + ", s, own FROM (SELECT " + SNAPSHOT + " AS s, " + XID_IF_ANY
                        + " AS own) AS snapshot LEFT JOIN " + name + " ON amount >= ? AND amount <= ?";
            case READ_BACK -> "SELECT n FROM " + name + " WHERE id = ?";
            case INSERT -> returning("INSERT INTO " + name + " (v, amount, id) VALUES (?, ?, ?)", withSnapshot);
            case DELETE -> returning("DELETE FROM " + name + " WHERE id = ?", withSnapshot);
            case WRITE -> update(name, withSnapshot);
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
        if (!hasSnapshots) {
            return dialect.returning(update, List.of(hasRowVersions ? "n" : "id"));
        }
        List<String> columns = new ArrayList<>(hasRowVersions ? List.of("n", XID) : List.of(XID));
        if (withSnapshot) {
            columns.add(SNAPSHOT);
        }
        return dialect.returning(update, columns);
    }
}
