package io.nightjar.jdbc;

import io.nightjar.jdbc.StatementShape.Kind;
import io.nightjar.jdbc.StatementShape.TableUse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plan for running a statement so that its rows can be recorded.
 *
 * @param sql the text sent
 * @param tables whose rows it reads or writes; empty if unknown
 * @param hidden number of columns requested after its own
 * @param version of the catalog used for the plan
 */
record StatementPlan(
        StatementShape shape, Mode mode, String sql, List<RecordedTable> tables, int hidden, long version) {

    /** Method by which rows are returned. */
    enum Mode {
        /** The statement runs as the application wrote it; nothing of its rows is known. */
        PLAIN,
        /** The statement returns the rows that it reads in hidden columns. */
        READ,
        /** The statement returns the rows that it wrote, in hidden columns after those requested by the application. */
        RETURNING,
        /** Run as a query for the rows that it wrote, of which the application sees the number. */
        AS_QUERY,
        /** The driver has the rows that it wrote, as generated keys. */
        AS_KEYS,
        /** The row is read after the statement, by its key. */
        READ_AFTER,
        /** The rows that match its condition are locked before the statement, and read after it. */
        LOCK_AND_READ,
        /** The rows are read after the statement by the keys that the database has generated. */
        READ_GENERATED
    }

    RecordedTable table() {
        return tables.get(0);
    }

    /** @param wish generated keys requested by the application; null if none */
    static StatementPlan of(String sql, SessionRecorder log, @Nullable Object wish) throws SQLException {
        StatementShape shape = StatementParser.parse(sql, log.product().hasEscapes());
        long version = log.tables().version();
        if (log.isOver() || wish instanceof int[] && shape.isWrite()) {
            return new StatementPlan(shape, Mode.PLAIN, sql, List.of(), 0, version);
        }
        List<RecordedTable> tables = new ArrayList<>();
        for (TableUse use : shape.tables()) {
            RecordedTable table = log.find(use);
            if (table == null) {
                return new StatementPlan(shape, Mode.PLAIN, sql, List.of(), 0, version);
            }
            tables.add(table);
        }
        version = tables.isEmpty() ? version : log.tables().version();
        if (shape.kind() == Kind.SELECT) {
            return read(shape, sql, tables, version);
        }
        return shape.isWrite()
                ? write(shape, sql, tables, log.product(), KeyRequest.isAny(wish), version)
                : new StatementPlan(shape, Mode.PLAIN, sql, List.of(), 0, version);
    }

    private static StatementPlan read(StatementShape shape, String sql, List<RecordedTable> tables, long version) {
        boolean isStar = shape.columns().names() != null; // all columns are there
        if (shape.answer() != null || isStar && !tables.get(0).tellsWriters()) {
            return new StatementPlan(shape, Mode.READ, sql, tables, 0, version);
        }
        StringBuilder more = new StringBuilder();
        int hidden = 0;
        for (int i = 0; i < tables.size(); i++) {
            for (String column : isStar ? List.<String>of() : tables.get(i).columns()) {
                more.append(", ").append(shape.tables().get(i).qualifier()).append('.');
                more.append(tables.get(i).quoted(column))
                        .append(" AS nightjar_")
                        .append(++hidden);
            }
            if (tables.get(i).tellsWriters()) {
                more.append(", ").append(shape.tables().get(i).qualifier());
                more.append(".xmin AS nightjar_").append(++hidden);
            }
        }
        String sent = sql.substring(0, shape.columns().at()).stripTrailing() + more + " "
                + sql.substring(shape.columns().at());
        return new StatementPlan(shape, Mode.READ, sent, tables, hidden, version);
    }

    private static StatementPlan write(
            StatementShape shape,
            String sql,
            List<RecordedTable> tables,
            JdbcProduct product,
            boolean wantsKeys,
            long version) {
        RecordedTable table = tables.get(0);
        boolean movesKeys = shape.kind() == Kind.UPDATE
                && (shape.columns().names() == null
                        || shape.columns().names().stream().anyMatch(table::isKey));
        if (movesKeys) {
            return new StatementPlan(shape, Mode.PLAIN, sql, List.of(), 0, version);
        }
        String body = sql.substring(0, shape.columns().at());
        int count = table.columns().size();
        if (shape.writing().hasReturning()) {
            boolean asksForWriter = isWriterReturned(shape, table);
            String more = body + ", " + table.allQuoted() + (asksForWriter ? ", xmin" : "");
            int hidden = count + (asksForWriter ? 1 : 0);
            return new StatementPlan(shape, Mode.RETURNING, more, tables, hidden, version);
        }
        String returning = body + " RETURNING " + table.allQuoted();
        return switch (product) {
            case POSTGRESQL -> new StatementPlan(shape, Mode.AS_KEYS, sql, tables, 0, version);
            case SQLITE, DUCKDB -> new StatementPlan(shape, Mode.AS_QUERY, returning, tables, 0, version);
            case H2 ->
                shape.kind() == Kind.DELETE
                        ? new StatementPlan(
                                shape,
                                Mode.AS_QUERY,
                                "SELECT " + table.allQuoted() + " FROM OLD TABLE (" + body + ")",
                                tables,
                                0,
                                version)
                        : new StatementPlan(shape, Mode.AS_KEYS, sql, tables, 0, version);
            case MARIADB ->
                shape.kind() == Kind.UPDATE || wantsKeys
                        ? readAfterOnMariaDb(shape, sql, tables, version)
                        : new StatementPlan(shape, Mode.AS_QUERY, returning, tables, 0, version);
            case HSQLDB -> new StatementPlan(shape, Mode.AS_KEYS, sql, tables, 0, version);
            case OTHER -> readAfterByKey(shape, sql, tables, version);
        };
    }

    /**
     * Returns whether the returned row names its writer, for a deleted row the writer of the removed version: of two
     * tables it is unknown which one does.
     */
    private static boolean isWriterReturned(StatementShape shape, RecordedTable table) {
        return table.tellsWriters() && !shape.writing().reads();
    }

    /** Returns whether a deletion or an update finds its rows by another condition than their key. */
    boolean searches() {
        boolean hasRows = mode != Mode.PLAIN && (shape.kind() == Kind.UPDATE || shape.kind() == Kind.DELETE);
        return hasRows
                && !shape.writing().reads()
                && (shape.condition() == null || !shape.condition().isOfKey(table()));
    }

    /** Returns whether the rows that an update will change are read before it: it returns only their new state. */
    boolean looksFirst(JdbcProduct product) {
        boolean canAsk = shape.condition() == null || shape.condition().callsNothing();
        return mode == Mode.LOCK_AND_READ
                || searches() && shape.kind() == Kind.UPDATE && canAsk && product.lockOfUpdates() != null;
    }

    /** Returns whether other statements are run before it or after it. */
    boolean isSeveral(JdbcProduct product) {
        return looksFirst(product) || mode == Mode.READ_AFTER || mode == Mode.READ_GENERATED;
    }

    /** Returns whether the columns of rows come after those requested by the application, and are not among them. */
    boolean areRowsHidden() {
        return mode == Mode.RETURNING
                || mode == Mode.READ && hidden > 0 && shape.columns().names() == null;
    }

    /**
     * Returns whether the rows of a table are returned with their writer, if the application does not choose the
     * returned columns.
     */
    boolean asksForWriter(RecordedTable table) {
        return switch (mode) {
            case READ -> hidden > 0 && table.tellsWriters();
            case RETURNING, AS_KEYS -> isWriterReturned(shape, table);
            case PLAIN, AS_QUERY, READ_AFTER, LOCK_AND_READ, READ_GENERATED -> false;
        };
    }

    private static StatementPlan readAfterOnMariaDb(
            StatementShape shape, String sql, List<RecordedTable> tables, long version) {
        StatementPlan ofKey = readAfterByKey(shape, sql, tables, version);
        if (ofKey.mode() != Mode.PLAIN || shape.writing().reads()) {
            return ofKey;
        }
        boolean hasOneKey = tables.get(0).keyColumns().size() == 1;
        return switch (shape.kind()) {
            case UPDATE -> new StatementPlan(shape, Mode.LOCK_AND_READ, sql, tables, 0, version);
            case INSERT -> hasOneKey ? new StatementPlan(shape, Mode.READ_GENERATED, sql, tables, 0, version) : ofKey;
            default -> ofKey;
        };
    }

    /** Plans to read rows after the statement, by the key that it names, if it names one. */
    private static StatementPlan readAfterByKey(
            StatementShape shape, String sql, List<RecordedTable> tables, long version) {
        boolean isOfKey = shape.kind() != Kind.INSERT
                && shape.condition() != null
                && shape.condition().isOfKey(tables.get(0));
        return isOfKey
                ? new StatementPlan(shape, Mode.READ_AFTER, sql, tables, 0, version)
                : new StatementPlan(shape, Mode.PLAIN, sql, List.of(), 0, version);
    }
}
