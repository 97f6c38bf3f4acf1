package io.nightjar.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table whose rows are distinguished by a primary key. */
final class RecordedTable {

    /** Reason to stop recording a table with a row that cannot be distinguished from others. */
    static final String NO_KEY = "a row has no key: a column of its primary key is null";

    private final String name;
    private final String quotedName;
    private final List<String> columns; // sorted, as members of a row's text are
    private final List<String> keyColumns;
    private final Map<String, Integer> types;
    private final List<Integer> keyTypes;
    private final List<String> quotedColumns;
    private final String allQuoted;
    private final boolean tellsWriters;
    private final Map<String, InitialRow> initialRows = new HashMap<>(); // by key, where rows have their writers
    private long newestInitial = XminIndex.NONE;
    private volatile boolean isStopped;
    private volatile boolean hasTriggers;
    private boolean hasExactTexts;

    /**
     * @param types of JDBC by column
     * @param tellsWriters whether its rows have a column xmin
     */
    RecordedTable(
            String name,
            String quotedName,
            TreeMap<String, Integer> types,
            List<String> keyColumns,
            String quote,
            boolean tellsWriters) {
        this.tellsWriters = tellsWriters;
        this.name = name;
        this.quotedName = quotedName;
        this.columns = List.copyOf(types.keySet());
        this.keyColumns = List.copyOf(keyColumns);
        this.types = Map.copyOf(types);
        this.keyTypes = keyColumns.stream().map(types::get).toList();
        this.quotedColumns = columns.stream()
                .map(column -> quote.isEmpty() ? column : quote + column.replace(quote, quote + quote) + quote)
                .toList();
        this.allQuoted = String.join(", ", quotedColumns);
    }

    String name() {
        return name;
    }

    String quotedName() {
        return quotedName;
    }

    List<String> columns() {
        return columns;
    }

    List<String> keyColumns() {
        return keyColumns;
    }

    /** Returns whether its rows may have changed in an unknown way; then they are no longer recorded. */
    boolean isStopped() {
        return isStopped;
    }

    void stop() {
        isStopped = true;
    }

    /** Records that a trigger or rule may prevent a statement from writing. */
    void hasTriggers() {
        hasTriggers = true;
    }

    /** Returns whether a statement may write fewer rows than match, because of a trigger or rule. */
    boolean mayPreventWrites() {
        return hasTriggers;
    }

    /** Records that texts of the key are equal only if all their letters are. */
    void hasExactTexts() {
        hasExactTexts = true;
    }

    private boolean isExact(int type) {
        return isInteger(type) || hasExactTexts && type == Types.VARCHAR;
    }

    private static boolean isInteger(int type) {
        return type == Types.BIGINT || type == Types.INTEGER || type == Types.SMALLINT || type == Types.TINYINT;
    }

    /** Returns the name of an integer column of the key, without regard to case; null if it is none. */
    @Nullable
    String integerOfKey(String column) {
        for (int i = 0; i < keyColumns.size(); i++) {
            if (keyColumns.get(i).equalsIgnoreCase(column) && isInteger(requireNonNull(keyTypes.get(i)))) {
                return keyColumns.get(i);
            }
        }
        return null;
    }

    /** Returns columns as a row; null unless all of them, and all values, are integers or exact texts. */
    @Nullable
    RowImage image(String key, List<String> of, List<@Nullable Object> values) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (String column : columns) {
            int at = of.indexOf(column);
            if (at < 0) {
                continue;
            }
            Object value = values.get(at);
            int type = requireNonNull(types.get(column));
            String field = value == null || !isExact(type) ? null : fieldText(type, value);
            if (field == null) {
                return null;
            }
            ColumnJson.putText(column, text.append(text.length() == 0 ? "{" : ","));
            text.append(':').append(isInteger(type) ? field : '"' + field + '"');
        }
        return new RowImage(key, text.append('}').toString());
    }

    String quoted(String column) {
        return quotedColumns.get(columns.indexOf(column));
    }

    /** Returns all columns as a list in a statement. */
    String allQuoted() {
        return allQuoted;
    }

    /** Returns whether its rows name their writer, in a column after all others. */
    boolean tellsWriters() {
        return tellsWriters;
    }

    /** Returns the indexes of the columns of a row, if they are contiguous from a position on. */
    int[] positionsFrom(int first) {
        int[] positions = new int[columns.size() + (tellsWriters ? 1 : 0)];
        Arrays.setAll(positions, i -> first + i);
        return positions;
    }

    /** Returns the number under which a row was written; {@code XminIndex.NONE} if unknown. */
    long xmin(ResultSet result, int[] positionOf) throws SQLException {
        if (!tellsWriters || positionOf[columns.size()] == 0) {
            return XminIndex.NONE;
        }
        String text = result.getString(positionOf[columns.size()]);
        return text == null ? XminIndex.NONE : Long.parseLong(text);
    }

    /**
     * Adds a row from before the recording: its writer is the loader, even if a recorded transaction has the number.
     *
     * @param loader the transaction of the archive that has such rows
     */
    void addInitial(RowImage row, long xmin, long loader) {
        if (xmin == XminIndex.NONE) {
            return;
        }
        initialRows.put(row.key(), new InitialRow(xmin, loader, row.text().hashCode()));
        if (XminIndex.isNewer(xmin, newestInitial)) {
            newestInitial = xmin;
        }
    }

    /**
     * Returns the transaction that wrote a row, 0 if it is unknown.
     *
     * @param xmin the number under which the row was written
     */
    long writerOf(RowImage row, long xmin, XminIndex writers) {
        if (xmin == XminIndex.NONE) {
            return 0;
        }
        if (XminIndex.isNewer(xmin, newestInitial)) {
            return writers.txnOf(xmin);
        }
        // another row with an older number may be of a transaction that committed after the loading
        InitialRow initial = initialRows.get(row.key());
        if (initial == null || initial.xmin() != xmin) {
            return 0;
        }
        return initial.hashOfText() == row.text().hashCode() ? initial.loader() : 0;
    }

    boolean isKey(String column) {
        return keyColumns.stream().anyMatch(column::equalsIgnoreCase);
    }

    /**
     * Returns the key and the text of a row whose columns begin at a position in a result; null without a row, or
     * without a key.
     */
    @Nullable
    RowImage image(ResultSet result, int[] positionOf) throws SQLException {
        Object[] values = new Object[columns.size()];
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < values.length; i++) {
            values[i] = result.getObject(positionOf[i]);
            text.append(i == 0 ? "" : ",");
            ColumnJson.putText(columns.get(i), text);
            ColumnJson.put(values[i], text.append(':'));
        }
        StringBuilder key = new StringBuilder(name).append('/');
        for (int i = 0; i < keyColumns.size(); i++) {
            Object field = values[columns.indexOf(keyColumns.get(i))];
            if (field == null) {
                return null;
            }
            key.append(i == 0 ? "" : ",").append(keyField(field));
        }
        return new RowImage(key.toString(), text.append('}').toString());
    }

    private static String keyField(Object field) throws SQLException {
        StringBuilder text = new StringBuilder();
        ColumnJson.put(field, text);
        boolean isText = text.charAt(0) == '"';
        return isText ? text.substring(1, text.length() - 1) : text.toString();
    }

    /**
     * Returns the key with these values, in the order of its columns; null if the database may write them in another
     * way.
     */
    @Nullable
    String key(List<@Nullable Object> values) throws SQLException {
        StringBuilder key = new StringBuilder(name).append('/');
        for (int i = 0; i < keyTypes.size(); i++) {
            Object value = values.get(i);
            if (value == null) {
                return null;
            }
            String field = fieldText(keyTypes.get(i), value);
            if (field == null) {
                return null;
            }
            key.append(i == 0 ? "" : ",").append(field);
        }
        return key.toString();
    }

    /** Returns the text of a field; null if the database may write it in another way. */
    private static @Nullable String fieldText(int type, Object value) throws SQLException {
        return switch (type) {
            case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT -> {
                boolean isWhole = value instanceof Long
                        || value instanceof Integer
                        || value instanceof Short
                        || value instanceof Byte
                        || value instanceof String text && text.matches("-?(0|[1-9]\\d{0,17})");
                yield isWhole ? value.toString() : null;
            }
            case Types.VARCHAR, Types.LONGVARCHAR, Types.NVARCHAR ->
                value instanceof String text && text.equals(text.strip()) ? keyField(text) : null;
            default -> null;
        };
    }

    /** The version of a row when the recording began. */
    private record InitialRow(long xmin, long loader, int hashOfText) {}

    /**
     * A row at a time.
     *
     * @param text canonical JSON; empty if no row has the key
     */
    record RowImage(String key, String text) {

        static RowImage absent(String key) {
            return new RowImage(key, "");
        }

        boolean isAbsent() {
            return text.isEmpty();
        }
    }
}
