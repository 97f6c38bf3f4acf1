package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations of a statement, in the form of the history. */
final class JdbcOp {

    private static final int MAX_PREDICATE_LENGTH = 2_000;

    private final String kind;
    private final @Nullable String relation;
    private @Nullable String predicate;
    private final List<@Nullable Object> params;
    private final List<RowImage> rows = new ArrayList<>();
    private final List<Long> writers = new ArrayList<>();
    private boolean areAllRows;
    private long limit = -1; // -1 without one
    private @Nullable String order;
    private @Nullable String absentKey;
    private @Nullable RowImage insertedIfAbsent;
    private boolean isRefused;
    private @Nullable String answer;
    private @Nullable String untold;

    private JdbcOp(String kind, @Nullable String relation, @Nullable String predicate, List<@Nullable Object> params) {
        this.kind = kind;
        this.relation = relation;
        this.predicate = predicate;
        this.params = params;
    }

    /** Returns a read of the rows that meet a condition; of which tables they are is known, and maybe not that they are all. */
    static JdbcOp search(String relation, String predicate, List<@Nullable Object> params) {
        return new JdbcOp("p", relation, predicate, params);
    }

    /** Creates a read with an unknown result. */
    static JdbcOp opaque(String statement) {
        return new JdbcOp("p", null, line(statement), List.of());
    }

    private static String line(String statement) {
        String line = statement.strip().replaceAll("\\s+", " ");
        return line.length() > MAX_PREDICATE_LENGTH ? line.substring(0, MAX_PREDICATE_LENGTH) : line;
    }

    /** Reads of rows by their keys. */
    static JdbcOp reads() {
        return new JdbcOp("r", null, null, List.of());
    }

    static JdbcOp writes() {
        return new JdbcOp("w", null, null, List.of());
    }

    /**
     * @param row an absent one was deleted
     * @param writer the transaction that wrote it; 0 if that is not known
     */
    void add(RowImage row, long writer) {
        rows.add(row);
        writers.add(writer);
    }

    int rowCount() {
        return rows.size();
    }

    /** Returns whether both have rows of the same keys. */
    boolean hasKeysOf(JdbcOp other) {
        Set<String> keys = new HashSet<>();
        rows.forEach(row -> keys.add(row.key()));
        return rows.size() == other.rows.size() && other.rows.stream().allMatch(row -> keys.remove(row.key()));
    }

    /** @param ofOrder the column of the order, which is never null; null if the rows may be any */
    void limit(long rows, @Nullable String ofOrder) {
        limit = rows;
        order = ofOrder;
    }

    /** Returns whether the number of rows equals the limit. */
    boolean isFull() {
        return limit >= 0 && rows.size() == limit;
    }

    /** Records that all rows that meet the condition have been added, or as many as the limit. */
    void isComplete() {
        areAllRows = true;
    }

    /** Records that the row with this key was requested and did not exist. */
    void absent(String key) {
        absentKey = key;
    }

    /**
     * Records that a row is inserted only if no row has its key.
     *
     * @param row the columns of the key; null if values that differ may be equal to the database
     */
    void insertIfAbsent(@Nullable RowImage row) {
        insertedIfAbsent = row;
    }

    boolean isInsertIfAbsent() {
        return insertedIfAbsent != null;
    }

    /** Records that the row was not inserted. */
    void refused() {
        isRefused = true;
    }

    /** Records that the statement read more than this, with an unknown result. */
    void untold(String statement) {
        untold = line(statement);
    }

    /** Sets the value computed from the rows, instead of the rows. */
    void answer(@Nullable Object value) throws SQLException {
        StringBuilder text = new StringBuilder();
        ColumnJson.put(value, text);
        answer = text.charAt(0) == '"' ? text.substring(1, text.length() - 1) : text.toString();
    }

    /** Sets the number of rows that meet the condition, instead of the rows. */
    void count(long rows) throws SQLException {
        predicate = "count(*) WHERE " + predicate;
        answer(rows);
    }

    boolean isAnswered() {
        return answer != null;
    }

    /** Appends its operations, each with a comma in front. */
    void put(StringBuilder into) throws SQLException {
        if (predicate != null) {
            putSearch(predicate, into);
        } else {
            putRows(kind, into);
        }
        if (absentKey != null) {
            ColumnJson.putText(absentKey, into.append(",[\"r\","));
            into.append(",null]");
        }
        if (isRefused && insertedIfAbsent != null) {
            ColumnJson.putText(insertedIfAbsent.key(), into.append(",[\"ins\","));
            into.append(',').append(insertedIfAbsent.text()).append(",{\"done\":false}]");
        }
        if (untold != null && predicate == null) {
            ColumnJson.putText(untold, into.append(",[\"p\","));
            into.append(",null,null]");
        }
    }

    private void putSearch(String predicate, StringBuilder into) throws SQLException {
        ColumnJson.putText(predicate, into.append(",[\"p\","));
        into.append(",[");
        for (int i = 0; i < params.size(); i++) {
            ColumnJson.put(params.get(i), into.append(i == 0 ? "" : ","));
        }
        into.append("],");
        boolean isReported = areAllRows && untold == null && answer == null;
        if (isReported) {
            StringBuilder text = new StringBuilder();
            putRows("r", text);
            into.append('[')
                    .append(text, Math.min(1, text.length()), text.length())
                    .append(']');
        } else {
            into.append("null");
        }
        into.append(",{");
        if (relation != null) {
            ColumnJson.putText(relation, into.append("\"relation\":"));
        }
        if (limit >= 0 && isReported) {
            into.append(relation == null ? "" : ",").append("\"limit\":").append(limit);
            if (order != null) {
                ColumnJson.putText(order, into.append(",\"order\":"));
            }
        }
        if (answer != null) {
            ColumnJson.putText(answer, into.append(relation == null ? "" : ",").append("\"value\":"));
        }
        into.append("}]");
        if (!isReported) {
            putRows("r", into);
        }
    }

    private void putRows(String how, StringBuilder into) {
        for (int i = 0; i < rows.size(); i++) {
            RowImage row = rows.get(i);
            String word = row.isAbsent() ? "d" : isInsertIfAbsent() ? "ins" : how;
            ColumnJson.putText(row.key(), into.append(",[\"").append(word).append("\","));
            if (row.isAbsent()) {
                into.append(']');
                continue;
            }
            into.append(',').append(row.text());
            if (isInsertIfAbsent()) {
                into.append(",{\"done\":true}");
            } else if (writers.get(i) != 0) {
                into.append(",{\"writer\":").append(writers.get(i)).append('}');
            }
            into.append(']');
        }
    }
}
