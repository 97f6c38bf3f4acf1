package io.nightjar.jdbc;

import static java.util.Objects.requireNonNull;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One transaction of the application, as far as it has come. One thread at a time is at it. */
final class JdbcTxn {

    private static final int MAX_STATEMENTS = 100;
    private static final int MAX_STATEMENT_LENGTH = 1_000;
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int MAX_ROWS = 100_000;

    enum Status {
        COMMITTED("committed"),
        ABORTED("aborted"),
        UNKNOWN("unknown");

        private final String word;

        Status(String word) {
            this.word = word;
        }
    }

    final long id;
    private final long session;
    private final long position;
    private final long invokedNs;
    private final String isolation;
    private final boolean isStatement;
    private final List<JdbcOp> ops = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private int statementCount;
    private int rowCount;
    private @Nullable String error;
    private volatile @Nullable Status status;
    private long completedNs;

    /** Transactions that are not archived yet, and that this transaction has read from. */
    final Set<JdbcTxn> readFrom = new HashSet<>();

    /** Rows it wrote, including those rolled back to a savepoint. */
    final List<RowImage> written = new ArrayList<>();

    /** @param isStatement whether it is one auto-committed statement */
    JdbcTxn(long id, long session, long position, long invokedNs, String isolation, boolean isStatement) {
        this.id = id;
        this.session = session;
        this.position = position;
        this.isolation = isolation;
        this.isStatement = isStatement;
        this.invokedNs = invokedNs;
    }

    static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    boolean isStatement() {
        return isStatement;
    }

    boolean isOver() {
        return status != null;
    }

    void add(JdbcOp op) {
        ops.add(op);
    }

    int opCount() {
        return ops.size();
    }

    /** Removes the operations after a savepoint. */
    void backTo(int opCount) {
        while (ops.size() > opCount) {
            ops.remove(ops.size() - 1);
        }
    }

    /** Returns whether one more row fits; memory must not grow with the rows that a transaction reads. */
    boolean hasCapacity() {
        return ++rowCount <= MAX_ROWS;
    }

    void statement(String sql) {
        if (statementCount++ < MAX_STATEMENTS) {
            statements.add(line(sql));
        }
    }

    void failed(SQLException failure) {
        if (error == null) {
            String message = String.valueOf(failure.getMessage());
            error = line(failure.getSQLState() == null ? message : failure.getSQLState() + " " + message);
        }
    }

    private static String line(String text) {
        String line = BLANKS.matcher(text.strip()).replaceAll(" ");
        return line.length() > MAX_STATEMENT_LENGTH ? line.substring(0, MAX_STATEMENT_LENGTH) + "…" : line;
    }

    void end(Status how) {
        status = how;
        completedNs = nowNs();
    }

    /** Returns the transaction, which is over, as a line of JSON. */
    String line() throws SQLException {
        Status ended = requireNonNull(status);
        StringBuilder line = new StringBuilder(256);
        line.append("{\"txn\":").append(id).append(",\"session\":").append(session);
        line.append(",\"seq\":").append(position).append(",\"status\":\"").append(ended.word);
        line.append("\",\"invoke\":").append(invokedNs);
        if (ended != Status.UNKNOWN) {
            line.append(",\"complete\":").append(completedNs);
        }
        line.append(",\"ops\":[");
        int begin = line.length();
        for (JdbcOp op : ops) {
            op.put(line);
        }
        if (line.length() > begin) {
            line.deleteCharAt(begin); // the first comma
        }
        line.append("],\"extra\":{\"isolation\":");
        ColumnJson.putText(isolation, line);
        line.append(isStatement ? ",\"autocommit\":true" : "").append(",\"statements\":[");
        for (int i = 0; i < statements.size(); i++) {
            line.append(i == 0 ? "" : ",");
            ColumnJson.putText(statements.get(i), line);
        }
        line.append(']');
        if (error != null) {
            ColumnJson.putText(error, line.append(",\"error\":"));
        }
        return line.append("}}\n").toString();
    }
}
