package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Clients of PostgreSQL that execute predicate reads, and record their results with the snapshots and writers that it
 * reports.
 */
public final class CertifiedClients {

    /** A row as it was returned, searched or written; the column is null for none. */
    private record Row(String key, Integer column, long writer) {}

    /** An operation of a transaction: {@code r w d}, or {@code p} with its rows. */
    private record Step(char kind, Row row, String relation, String condition, List<Row> rows, long readTs) {}

    private final class Txn {
        final int id;
        final int session;
        final long seq;
        final List<Step> steps = new ArrayList<>();
        final List<Long> xmins = new ArrayList<>(); // xmins of all its writes: savepoints have separate numbers
        boolean isCommitted;
        long xid;
        long start;

        Txn(int id, int session, long seq) {
            this.id = id;
            this.session = session;
            this.seq = seq;
        }

        /**
         * Returns the position of a snapshot. A snapshot does not show its own transaction, although that seems to have
         * ended there.
         */
        long position(String snapshot, long own) {
            String[] parts = snapshot.split(":", -1);
            boolean isOpen = (',' + parts[2] + ',').contains("," + own + ',');
            boolean looksEnded = own > 0 && own < Long.parseLong(parts[1]) && !isOpen;
            String open = looksEnded ? parts[2] + (parts[2].isEmpty() ? "" : ",") + own : parts[2];
            shown.add(new Shown(Long.parseLong(parts[1]), open));
            return order.start(id, parts[0] + ':' + parts[1] + ':' + open, 0);
        }
    }

    /** The content of a snapshot: everything below its end that is not open. */
    private record Shown(long end, String open) {}

    private final String url;
    private final Map<Long, Long> commits = new HashMap<>();
    private final VisibilityOrder order = new VisibilityOrder((txn, commitTs, gap) -> commits.put(txn, commitTs));
    private final List<Txn> txns = new ArrayList<>();
    private final List<Shown> shown = Collections.synchronizedList(new ArrayList<>());
    private int sessions;

    public CertifiedClients(String url) {
        this.url = url;
    }

    /** Returns the number of committed transactions. */
    public long committed() {
        return txns.stream().filter(txn -> txn.isCommitted).count();
    }

    private synchronized Txn begun(int session, long seq) {
        Txn txn = new Txn(txns.size(), session, seq);
        txns.add(txn);
        return txn;
    }

    // ---------------------------------------------------------------- clients

    public synchronized Client client(String isolation) throws SQLException {
        return new Client(isolation, sessions++);
    }

    /** The statements of a client. */
    @FunctionalInterface
    public interface Work {
        void run(Client client) throws SQLException;
    }

    /** One session. Tables have columns {@code id} and {@code c}. */
    public final class Client implements AutoCloseable {

        private final Connection connection;
        private final boolean hasOneSnapshot;
        private final int session;
        private long seq;
        private Txn txn;

        private Client(String isolation, int session) throws SQLException {
            this.connection = DriverManager.getConnection(url);
            this.hasOneSnapshot = !isolation.startsWith("read");
            this.session = session;
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET default_transaction_isolation = '" + isolation.replace('-', ' ') + "'");
            }
            connection.setAutoCommit(false);
        }

        /** Sessions are numbered from 0. */
        public int number() {
            return session;
        }

        /** Begins a transaction with its snapshot. */
        public void begin() throws SQLException {
            txn = begun(session, seq++);
            try (Statement statement = connection.createStatement();
                    ResultSet snapshot = statement.executeQuery("SELECT txid_current_snapshot()::text")) {
                snapshot.next();
                txn.start = txn.position(snapshot.getString(1), 0);
            }
        }

        /** Selects the rows of a table that match, by a condition on {@code id} and {@code c}. */
        public int select(String table, String condition) throws SQLException {
            String sql = "SELECT s.snapshot, s.own, r.id, r.xmin, r.c FROM"
                    + " (SELECT txid_current_snapshot()::text AS snapshot, txid_current_if_assigned() AS own) s"
                    + " LEFT JOIN (SELECT id, xmin::text::bigint AS xmin, c FROM " + table + " WHERE " + condition
                    + ") r ON true";
            List<Row> rows = new ArrayList<>();
            String snapshot = null;
            long own = 0;
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    snapshot = result.getString(1);
                    own = result.getLong(2);
                    if (result.getObject(3) != null) {
                        rows.add(new Row(table + "/" + result.getInt(3), result.getInt(5), result.getLong(4)));
                    }
                }
            }
            long readTs = hasOneSnapshot ? txn.start : txn.position(snapshot, own);
            txn.steps.add(new Step('p', null, table, condition, rows, readTs));
            return rows.size();
        }

        public void insert(String table, int id, int column) throws SQLException {
            write('w', table, id, column, "INSERT INTO " + table + " (c, id) VALUES (?, ?) ON CONFLICT DO NOTHING");
        }

        /** Fails where the key is there. */
        public void insertStrictly(String table, int id, int column) throws SQLException {
            write('w', table, id, column, "INSERT INTO " + table + " (c, id) VALUES (?, ?)");
        }

        public void update(String table, int id, int column) throws SQLException {
            write('w', table, id, column, "UPDATE " + table + " SET c = ? WHERE id = ?");
        }

        public void delete(String table, int id) throws SQLException {
            write('d', table, id, null, "DELETE FROM " + table + " WHERE ?::int IS NULL AND id = ?");
        }

        private void write(char kind, String table, int id, Integer column, String sql) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement(sql + " RETURNING txid_current(), xmin::text::bigint")) {
                statement.setObject(1, column, java.sql.Types.INTEGER);
                statement.setInt(2, id);
                try (ResultSet result = statement.executeQuery()) {
                    if (result.next()) {
                        txn.xid = result.getLong(1);
                        txn.xmins.add(kind == 'd' ? txn.xid : result.getLong(2));
                        txn.steps.add(new Step(kind, new Row(table + "/" + id, column, txn.xid), null, null, null, 0));
                    }
                }
            }
        }

        /** Rolls back the work inside unless it is wanted and succeeds. */
        public void inSavepoint(boolean isWanted, Work work) throws SQLException {
            int before = txn.steps.size();
            Savepoint savepoint = connection.setSavepoint();
            work.run(this);
            if (isWanted) {
                connection.releaseSavepoint(savepoint);
            } else {
                connection.rollback(savepoint);
                txn.steps.subList(before, txn.steps.size()).clear();
            }
        }

        /** Lets other sessions run. */
        public void pause() throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_sleep(0.002)");
            }
        }

        /** Commits; returns false if the database refuses that and rolls the transaction back. */
        public boolean commit() throws SQLException {
            try {
                if (txn.xid > 0) {
                    order.mayHaveCommitted(txn.id, txn.xid, System.nanoTime(), 0);
                }
                connection.commit();
                txn.isCommitted = true;
                return true;
            } catch (SQLException refused) {
                rollback();
                return false;
            }
        }

        public void rollback() throws SQLException {
            connection.rollback();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    // ---------------------------------------------------------------- records

    /** Writes the history as JSON Lines. */
    public void write(Path file) throws IOException {
        order.finish();
        Map<Long, Integer> txnOf = txnOfXid();
        List<String> lines = new ArrayList<>();
        for (Txn txn : txns) {
            List<String> ops = new ArrayList<>();
            txn.steps.forEach(step -> ops.add(op(step, txnOf)));
            lines.add(line(txn.id, txn.session, txn.seq, txn.isCommitted, txn.start, commitOf(txn), ops));
        }
        Files.write(file, lines);
    }

    /**
     * Writes every predicate read as a separate transaction, at the snapshot of its statement; reads after own writes
     * are omitted. At read committed the database promises that.
     */
    public void writeStatements(Path file) throws IOException {
        order.finish();
        Map<Long, Integer> txnOf = txnOfXid();
        List<String> lines = new ArrayList<>();
        int next = txns.size();
        for (Txn txn : txns) {
            boolean hasWritten = false;
            List<String> writes = new ArrayList<>();
            for (Step step : txn.steps) {
                hasWritten |= step.kind() != 'p';
                if (step.kind() != 'p') {
                    writes.add(op(step, txnOf));
                } else if (!hasWritten && txn.isCommitted) {
                    lines.add(line(next, next, 0, true, step.readTs(), HistorySlice.NONE, List.of(op(step, txnOf))));
                    next++;
                }
            }
            lines.add(line(txn.id, txn.id, 0, txn.isCommitted, txn.start, commitOf(txn), writes));
        }
        Files.write(file, lines);
    }

    private long commitOf(Txn txn) {
        return commits.getOrDefault((long) txn.id, HistorySlice.NONE);
    }

    private Map<Long, Integer> txnOfXid() {
        Map<Long, Integer> txnOf = new HashMap<>();
        txns.forEach(txn -> txn.xmins.forEach(xmin -> txnOf.put(xmin, txn.id)));
        return txnOf;
    }

    private static String line(
            int id, int session, long seq, boolean isCommitted, long start, long commit, List<String> ops) {
        return "{\"txn\":" + id + ",\"session\":" + session + ",\"seq\":" + seq + ",\"status\":\""
                + (isCommitted ? "committed" : "aborted") + "\",\"start\":" + start
                + (isCommitted && commit != HistorySlice.NONE ? ",\"commit\":" + commit : "") + ",\"ops\":["
                + String.join(",", ops) + "]}";
    }

    private static String op(Step step, Map<Long, Integer> txnOf) {
        if (step.kind() == 'p') {
            List<String> rows = new ArrayList<>();
            step.rows().forEach(row -> rows.add(row('r', row, txnOf)));
            return "[\"p\",\"" + step.condition() + "\",[],[" + String.join(",", rows) + "],{\"relation\":\""
                    + step.relation() + "\",\"read_ts\":" + step.readTs() + "}]";
        }
        return row(step.kind(), step.row(), txnOf);
    }

    private static String row(char kind, Row row, Map<Long, Integer> txnOf) {
        String value = row.column() == null
                ? ""
                : ",{\"c\":" + row.column() + ",\"id\":" + row.key().split("/")[1] + '}';
        String writer = kind == 'r' ? ",{\"writer\":" + txnOf.get(row.writer()) + '}' : "";
        return "[\"" + kind + "\",\"" + row.key() + '"' + value + writer + ']';
    }

    /** Returns the number of rows written by savepoints. */
    public long writtenBySavepoints() {
        return txns.stream()
                .flatMap(txn -> txn.xmins.stream().filter(xmin -> xmin != txn.xid))
                .count();
    }

    /** Returns the writes of each transaction that committed, in its order, by its number in the database. */
    public Map<Long, List<String>> writes() {
        Map<Long, List<String>> writes = new HashMap<>();
        for (Txn txn : txns) {
            List<String> own = txn.steps.stream()
                    .filter(step -> step.kind() != 'p')
                    .map(step -> step.row().key()
                            + (step.row().column() == null
                                    ? " gone"
                                    : " " + step.row().column()))
                    .toList();
            if (txn.isCommitted && !own.isEmpty()) {
                writes.put(txn.xid, own);
            }
        }
        return writes;
    }

    /** Returns the number of snapshots that do not show a prefix of an order of commits. */
    public long snapshotsThatAreNoPrefixOf(List<Long> xids) {
        return shown.stream().filter(snapshot -> !isPrefix(snapshot, xids)).count();
    }

    private static boolean isPrefix(Shown snapshot, List<Long> xids) {
        Set<Long> open = new HashSet<>();
        for (String xid : snapshot.open().split(",")) {
            open.add(xid.isEmpty() ? 0 : Long.parseLong(xid));
        }
        boolean isLagging = false;
        for (long xid : xids) {
            boolean isShown = xid < snapshot.end() && !open.contains(xid);
            if (isShown && isLagging) {
                return false;
            }
            isLagging |= !isShown;
        }
        return true;
    }
}
