package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.RowObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.h2.command.query.AllColumnsForPlan;
import org.h2.engine.SessionLocal;
import org.h2.index.Cursor;
import org.h2.index.Index;
import org.h2.index.IndexType;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.result.SortOrder;
import org.h2.table.Column;
import org.h2.table.IndexColumn;
import org.h2.table.TableFilter;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** Index over all versions of rows: finds rows with any matching version; a scan index finds all. */
final class MockIndex extends Index {

    private final MockTable rows;
    private final NavigableMap<Position, TableRow> map = new TreeMap<>(this::compare);
    private final IndexCost cost;
    private String duplicate = "";

    /** Position of a row; or, with a side, the position before or after all rows that agree in the given values. */
    private record Position(SearchRow values, int number, int side) {}

    MockIndex(MockTable table, int id, String name, IndexColumn[] columns, int uniqueColumnCount, IndexType type) {
        super(table, id, name, columns, uniqueColumnCount, type);
        this.rows = table;
        this.cost = new IndexCost(table, this);
    }

    private int compare(Position one, Position other) {
        int order = compareRows(one.values(), other.values());
        if (order != 0) {
            return order;
        }
        if (one.side() != other.side()) {
            return Integer.compare(one.side(), other.side());
        }
        return rows.isPrimary(this) ? 0 : Integer.compare(one.number(), other.number());
    }

    // ---------------------------------------------------------------- rows

    void put(Row values, TableRow row) {
        Row key = values;
        if (getColumns().length < values.getColumnCount()) {
            Value[] converted = new Value[values.getColumnCount()];
            for (Column column : getColumns()) {
                converted[column.getColumnId()] = values.getValue(column.getColumnId());
            }
            key = Row.get(converted, 0);
        }
        map.put(new Position(key, row.number(), 0), row);
    }

    /** Returns the row of a key, null if none ever existed. */
    @Nullable
    TableRow find(SearchRow values) {
        return map.get(new Position(values, 0, 0));
    }

    /** Returns the rows of which some version has the same values. */
    Collection<TableRow> candidates(SearchRow values) {
        return List.copyOf(between(values, values).values());
    }

    private NavigableMap<Position, TableRow> between(@Nullable SearchRow first, @Nullable SearchRow last) {
        Position from = first == null || getPrefix(first) == 0 ? null : new Position(prefixOf(first), 0, -1);
        Position to = last == null || getPrefix(last) == 0 ? null : new Position(prefixOf(last), 0, 1);
        if (from != null && to != null && compare(from, to) > 0) {
            return Collections.emptyNavigableMap(); // conditions that exclude each other
        }
        NavigableMap<Position, TableRow> tail = from == null ? map : map.tailMap(from, true);
        return to == null ? tail : tail.headMap(to, true);
    }

    /** Measures the distribution of rows for the cost model. */
    void measure() {
        cost.measure();
    }

    /** Returns the number of rows, up to a limit, that agree with a row in its leading columns; 0 if it is null. */
    int countAlike(@Nullable Row one, int columns, int maxRows) {
        if (one == null) {
            return 0;
        }
        SearchRow prefix = prefixOf(one, columns);
        NavigableMap<Position, TableRow> alike = between(prefix, prefix);
        int count = 0;
        for (Iterator<Position> each = alike.keySet().iterator(); each.hasNext() && count < maxRows; each.next()) {
            count++;
        }
        return count;
    }

    /** Returns the number of leading columns with values. */
    private int getPrefix(SearchRow values) {
        int count = 0;
        while (count < getColumns().length && values.getValue(getColumns()[count].getColumnId()) != null) {
            count++;
        }
        return count;
    }

    private SearchRow prefixOf(SearchRow values) {
        return prefixOf(values, getPrefix(values));
    }

    private SearchRow prefixOf(SearchRow values, int prefix) {
        Value[] converted = new Value[table.getColumns().length];
        for (int i = 0; i < prefix; i++) {
            int column = getColumns()[i].getColumnId();
            converted[column] = values.getValue(column);
        }
        return Row.get(converted, 0);
    }

    boolean isEqual(@Nullable Row content, SearchRow row) {
        return content != null && compareRows(content, row) == 0;
    }

    /** Returns a supplier that checks later whether no other row has acquired this row's values. */
    BooleanSupplier stillUnique(Row row, TableRow target, boolean isOfPrimary) {
        if (isOfPrimary) {
            BooleanSupplier isUnchanged = target.object().unchangedSinceNow();
            return () -> isUnchanged.getAsBoolean() || target.object().newestContent() == null;
        }
        SearchRow values = prefixOf(row);
        return () -> {
            for (TableRow other : candidates(values)) {
                if (other.number() != target.number() && isEqual(rows.newest(other), values)) {
                    return false;
                }
            }
            return true;
        };
    }

    DbException duplicate(SearchRow row) {
        StringBuilder key = new StringBuilder();
        for (Column column : getColumns()) {
            key.append(key.length() == 0 ? "" : ", ");
            key.append(row.getValue(column.getColumnId()).getString());
        }
        duplicate = key.toString();
        return getDuplicateKeyException("(" + key + ")");
    }

    /** Returns the existing values on which this index last rejected a row. */
    String lastDuplicate() {
        return duplicate;
    }

    // ---------------------------------------------------------------- reading

    @Override
    public Cursor find(SessionLocal session, @Nullable SearchRow first, @Nullable SearchRow last, boolean reverse) {
        SqlContext context = rows.context(session);
        // reversed, H2 gives the greater bound first
        SearchRow minRow = reverse ? last : first;
        SearchRow maxRow = reverse ? first : last;
        SearchRow key = rows.isPrimary(this) ? point(minRow, maxRow) : null;
        MockSession.Manner manner = context.manner(rows, key != null);
        boolean isInHistory = manner != MockSession.Manner.OUTSIDE;
        if (manner != MockSession.Manner.WEAK && key == null) {
            context.mock().scanFirmly(rows.space());
        }
        if (isInHistory) {
            context.mock().takeTurn(); // versions that others commit before this turn are visible
        }
        if (getIndexType().isScan()) {
            if (isInHistory) {
                context.mock().scanRange(rows.space(), Boolean.TRUE, object -> true);
            }
            ScanCursor all = new ScanCursor(rows, context, manner, rows.rows(), reverse, false);
            all.search(isInHistory ? RangeCondition.ALL.search(context.mock(), rows.space()) : null);
            return all;
        }
        if (key != null) {
            TableRow asked = isInHistory ? rowOfKey(context, key) : find(key);
            List<TableRow> found = asked == null ? List.of() : List.of(asked);
            return new ScanCursor(rows, context, manner, found, false, isInHistory);
        }
        if (isInHistory && rows.isByCell() && !rows.isPrimary(this)) {
            context.mock().scanRange(rows.space(), Boolean.TRUE, object -> true);
            return new FilterCursor(context, manner, minRow, maxRow, reverse);
        }
        NavigableMap<Position, TableRow> found = between(minRow, maxRow);
        if (isInHistory) {
            rememberScan(context, minRow, maxRow, found);
        }
        RangeCursor cursor = new RangeCursor(context, manner, reverse ? found.descendingMap() : found);
        RangeCondition condition = isInHistory ? RangeCondition.of(getColumns(), minRow, maxRow) : null;
        cursor.search(condition == null ? null : condition.search(context.mock(), rows.space()));
        return cursor;
    }

    /** Returns the single row to which two bounds restrict the index, null if they allow several. */
    private @Nullable SearchRow point(@Nullable SearchRow minRow, @Nullable SearchRow maxRows) {
        if (minRow == null || maxRows == null || getPrefix(minRow) < getColumns().length) {
            return null;
        }
        return getPrefix(maxRows) == getColumns().length && compareRows(minRow, maxRows) == 0 ? minRow : null;
    }

    /** Returns the row of a key, which counts as read even if absent; null if no row can have the key. */
    private @Nullable TableRow rowOfKey(SqlContext context, SearchRow key) {
        TableRow row = find(key);
        if (row != null) {
            return row;
        }
        Value[] values = new Value[table.getColumns().length];
        Arrays.fill(values, ValueNull.INSTANCE);
        for (Column column : getColumns()) {
            Value asked = key.getValue(column.getColumnId());
            if (asked == ValueNull.INSTANCE) {
                return null;
            }
            Value converted = asked.convertTo(column.getType(), context.h2());
            if (table.compareValues(context.h2(), converted, asked) != 0) {
                return null; // nothing of the column's type is equal to it
            }
            values[column.getColumnId()] = converted;
        }
        return rows.newRow(Row.get(values, 0));
    }

    private void rememberScan(
            SqlContext context,
            @Nullable SearchRow minRow,
            @Nullable SearchRow maxRows,
            NavigableMap<Position, TableRow> found) {
        if (!rows.isPrimary(this)) {
            Set<RowObject> objects = new HashSet<>();
            found.values().forEach(row -> objects.add(row.object()));
            context.mock().scanContents(rows.space(), objects::contains);
            return;
        }
        SearchRow from = minRow == null || getPrefix(minRow) == 0 ? null : prefixOf(minRow);
        SearchRow to = maxRows == null || getPrefix(maxRows) == 0 ? null : prefixOf(maxRows);
        context.mock().scanRange(rows.space(), textOf(from) + ".." + textOf(to), object -> covers(object, from, to));
    }

    private String textOf(@Nullable SearchRow bound) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; bound != null && i < getPrefix(bound); i++) {
            text.append(bound.getValue(getColumns()[i].getColumnId()).getTraceSQL());
            text.append(',');
        }
        return text.toString();
    }

    private boolean covers(RowObject object, @Nullable SearchRow from, @Nullable SearchRow to) {
        SearchRow key = (SearchRow) object.handle();
        return key == null
                || (from == null || compareRows(key, from) >= 0) && (to == null || compareRows(key, to) <= 0);
    }

    /** Cursor over the rows that exist when it is opened, each read when H2 advances to it. */
    private static final class ScanCursor extends LazyCursor {

        private final List<TableRow> all;
        private final int count;
        private final boolean isReverse;
        private final boolean isPoint;
        private int next;

        /** @param isPoint whether the only row, if any, is that of a key */
        private ScanCursor(
                MockTable table,
                SqlContext context,
                MockSession.Manner manner,
                List<TableRow> all,
                boolean isReverse,
                boolean isPoint) {
            super(table, context, manner);
            this.all = all;
            this.count = all.size();
            this.isReverse = isReverse;
            this.isPoint = isPoint;
        }

        @Override
        public boolean next() {
            while (next < count) {
                TableRow row = all.get(isReverse ? count - 1 - next : next);
                next++;
                if ((isPoint || !isUnborn(row)) && read(row) != null) {
                    return found(row);
                }
            }
            return end();
        }
    }

    /**
     * Cursor in index order; a row has an entry for each of its versions and is returned at the entry of the version
     * read.
     */
    private final class RangeCursor extends LazyCursor {

        private final Iterator<Map.Entry<Position, TableRow>> left;

        private RangeCursor(SqlContext context, MockSession.Manner manner, NavigableMap<Position, TableRow> found) {
            super(rows, context, manner);
            this.left = List.copyOf(found.entrySet()).iterator();
        }

        @Override
        public boolean next() {
            while (left.hasNext()) {
                Map.Entry<Position, TableRow> entry = left.next();
                if (!isUnborn(entry.getValue())) {
                    Row row = read(entry.getValue());
                    if (row != null && compareRows(entry.getKey().values(), row) == 0) {
                        return found(entry.getValue());
                    }
                }
            }
            return end();
        }
    }

    /**
     * Cursor that checks the index columns of all rows: where these are separate objects, their versions may form a new
     * row.
     */
    private final class FilterCursor extends LazyCursor {

        private final Iterator<Row> left;
        private @Nullable Row current;

        private FilterCursor(
                SqlContext context,
                MockSession.Manner manner,
                @Nullable SearchRow minRow,
                @Nullable SearchRow maxRows,
                boolean isReverse) {
            super(rows, context, manner);
            List<Row> found = new ArrayList<>();
            for (TableRow candidate : List.copyOf(rows.rows())) {
                Row row = isUnborn(candidate) ? null : read(candidate);
                if (row != null
                        && (minRow == null || compareRows(row, minRow) >= 0)
                        && (maxRows == null || compareRows(row, maxRows) <= 0)) {
                    found.add(row);
                }
            }
            Comparator<Row> order = MockIndex.this::compareRows;
            found.sort(isReverse ? order.reversed() : order);
            this.left = found.iterator();
        }

        @Override
        public boolean next() {
            current = left.hasNext() ? left.next() : null;
            return current != null;
        }

        @Override
        public @Nullable Row get() {
            return current;
        }

        @Override
        public @Nullable SearchRow getSearchRow() {
            return current;
        }
    }

    // ---------------------------------------------------------------- H2 callbacks

    @Override
    public double getCost(
            SessionLocal session,
            int @Nullable [] masks,
            TableFilter @Nullable [] filters,
            int filter,
            @Nullable SortOrder sortOrder,
            @Nullable AllColumnsForPlan allColumnsSet,
            boolean isSelectCommand) {
        return cost.of(masks, filters, filter, sortOrder);
    }

    @Override
    public int getColumnIndex(Column column) {
        return getIndexType().isScan() ? -1 : super.getColumnIndex(column);
    }

    @Override
    public boolean isFirstColumn(Column column) {
        return !getIndexType().isScan() && super.isFirstColumn(column);
    }

    @Override
    public @Nullable String getCreateSQL() {
        return getIndexType().isScan() ? null : super.getCreateSQL();
    }

    @Override
    public void add(SessionLocal session, Row row) {
        throw DbException.getInternalError("rows are put by their table");
    }

    @Override
    public void remove(SessionLocal session, Row row) {
        throw DbException.getInternalError("rows stay, as older versions may be read");
    }

    @Override
    public void close(SessionLocal session) {
        // nothing is open
    }

    @Override
    public void remove(SessionLocal session) {
        map.clear();
    }

    @Override
    public void truncate(SessionLocal session) {
        map.clear();
    }

    @Override
    public boolean needRebuild() {
        return false;
    }

    @Override
    public long getRowCount(SessionLocal session) {
        return table.getRowCount(session);
    }

    @Override
    public long getRowCountApproximation(SessionLocal session) {
        return rows.rows().size();
    }
}
