package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.ObjectSpace;
import io.nightjar.jobs.mock.RowObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.h2.command.ddl.CreateTableData;
import org.h2.constraint.Constraint;
import org.h2.engine.SessionLocal;
import org.h2.index.Cursor;
import org.h2.index.Index;
import org.h2.index.IndexType;
import org.h2.result.LocalResult;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.table.Column;
import org.h2.table.IndexColumn;
import org.h2.table.TableBase;
import org.h2.table.TableType;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** Table whose rows are objects of a mock. */
final class MockTable extends TableBase {

    private final SqlEngine engine;
    private final ObjectSpace space;

    /** The objects of the columns where each column is an object, else null. */
    private final @Nullable ObjectSpace cellSpace;

    private final List<TableRow> rows = new ArrayList<>();
    private final List<Index> indexes = new ArrayList<>();
    private final MockIndex scanIndex;
    private @Nullable MockIndex primary;
    private long modifications;

    MockTable(CreateTableData data, SqlEngine engine) {
        super(data);
        this.engine = engine;
        String schema = data.schema.getName();
        this.space = engine.store()
                .newSpace("public".equalsIgnoreCase(schema) ? data.tableName : schema + "." + data.tableName);
        this.cellSpace =
                engine.store().options().rules().isByCell() ? engine.store().newSpace(space.name() + " columns") : null;
        this.scanIndex = new MockIndex(
                this, data.id, getName() + "_data", IndexColumn.wrap(getColumns()), 0, IndexType.createScan(false));
        indexes.add(scanIndex);
    }

    SqlContext context(SessionLocal session) {
        return engine.context(session);
    }

    ObjectSpace space() {
        return space;
    }

    /** Returns whether each column is an object. */
    boolean isByCell() {
        return cellSpace != null;
    }

    /** Returns all rows that exist or existed, ordered by number. */
    List<TableRow> rows() {
        return rows;
    }

    boolean isPrimary(MockIndex index) {
        return index == primary;
    }

    /** Returns whether its primary key has these columns. */
    boolean hasPrimaryKey(Set<String> names) {
        if (primary == null || primary.getColumns().length != names.size()) {
            return false;
        }
        for (Column column : primary.getColumns()) {
            if (!names.contains(column.getName())) {
                return false;
            }
        }
        return true;
    }

    private String keyText(Row row) {
        if (primary == null) {
            return "#" + rows.size();
        }
        StringBuilder text = new StringBuilder();
        for (Column column : primary.getColumns()) {
            text.append(text.length() == 0 ? "" : ",");
            text.append(row.getValue(column.getColumnId()).getString());
        }
        return text.toString();
    }

    /** Returns an absent row; with a primary key, the row of that key. */
    TableRow newRow(Row identity) {
        RowObject object = engine.store().newObject(space, keyText(identity), primary == null ? null : identity);
        TableRow row = new TableRow(object, rows.size(), isByCell() ? new RowObject[getColumns().length] : null);
        rows.add(row);
        if (primary != null) {
            primary.put(identity, row);
        }
        return row;
    }

    // ---------------------------------------------------------------- reading

    /** Reads a row; returns null if it does not exist. */
    @Nullable
    Row read(SqlContext context, TableRow row, MockSession.Manner manner) {
        Object content = context.mock().read(row.object(), manner);
        if (content == null) {
            return null;
        }
        return isByCell() ? new CellRow(context, this, row, manner) : Row.get((Value[]) content, 0, row.number());
    }

    /** Reads a column of an existing row. */
    Value cellValue(SqlContext context, TableRow row, int column, MockSession.Manner manner) {
        if (isOfKey(column)) {
            return keyOf(row).getValue(column);
        }
        MockSession.Manner cellManner = context.mannerOfCell(this, getColumns()[column].getName(), manner);
        Object content = context.mock().read(cell(row, column), cellManner);
        return content == null ? ValueNull.INSTANCE : (Value) content;
    }

    /** Returns the last committed content of a row, null if it does not exist. */
    @Nullable
    Row newest(TableRow row) {
        Object content = row.object().newestContent();
        if (content == null || !isByCell()) {
            return content == null ? null : Row.get((Value[]) content, 0, row.number());
        }
        Value[] values = new Value[getColumns().length];
        for (int column = 0; column < values.length; column++) {
            Object value = isOfKey(column)
                    ? keyOf(row).getValue(column)
                    : cell(row, column).newestContent();
            values[column] = value == null ? ValueNull.INSTANCE : (Value) value;
        }
        return Row.get(values, 0, row.number());
    }

    /** Returns whether a column belongs to the row's key and therefore never changes. */
    private boolean isOfKey(int column) {
        return primary != null && primary.getColumnIndex(getColumns()[column]) >= 0;
    }

    /** Returns the values of a row's key, where the table has one. */
    private static SearchRow keyOf(TableRow row) {
        return (SearchRow) Objects.requireNonNull(row.object().handle());
    }

    private RowObject cell(TableRow row, int column) {
        RowObject[] cells = Objects.requireNonNull(row.cells()); // each column is an object
        if (cells[column] == null) {
            String key = row.object().name().substring(space.name().length() + 1);
            cells[column] = engine.store().newObject(space, key + "." + getColumns()[column].getName(), null);
        }
        return cells[column];
    }

    // ---------------------------------------------------------------- changes

    @Override
    public void addRow(SessionLocal session, Row row) {
        SqlContext context = context(session);
        makeKey(session, row);
        TableRow known = primary == null ? null : primary.find(row);
        TableRow target = known == null ? newRow(row) : known;
        context.mock().lockRow(target.object());
        checkUnique(context, row, target, true);
        write(context, target, null, row);
        if (getIdentityColumn() != null) {
            context.inserted(row.getValue(getIdentityColumn().getColumnId()));
        }
    }

    /** Generates a key; for MySQL clients a zero requests one as NULL does. */
    private void makeKey(SessionLocal session, Row row) {
        Column identity = getIdentityColumn();
        if (identity == null || session.getMode() != EngineDialect.MYSQL.mode()) {
            return;
        }
        Value given = row.getValue(identity.getColumnId());
        if (given != null && given != ValueNull.INSTANCE && given.getSignum() == 0) {
            Value made = session.getNextValueFor(identity.getSequence(), null);
            row.setValue(identity.getColumnId(), made.convertTo(identity.getType(), session));
        }
    }

    /** @param before the previous row, null if none existed */
    private void write(SqlContext context, TableRow target, @Nullable Row before, Row row) {
        modifications++;
        Value[] values = row.getValueList();
        row.setKey(target.number());
        for (Index index : indexes) {
            if (index != primary && index != scanIndex) {
                ((MockIndex) index).put(row, target);
            }
        }
        if (cellSpace != null) {
            writeCells(context, cellSpace, target, before, row);
        } else {
            context.write(space, target.object(), values, id -> MockRowText.of(getColumns(), values, id));
        }
    }

    private void writeCells(SqlContext context, ObjectSpace cells, TableRow target, @Nullable Row before, Row row) {
        if (before == null) {
            context.write(space, target.object(), Boolean.TRUE, MockRowText::ofPresent);
        }
        for (Column column : getColumns()) {
            int id = column.getColumnId();
            Value value = row.getValue(id);
            boolean isAssigned =
                    context.assigned() != null && context.assigned().contains(column.getName());
            boolean isWritten = before == null || isAssigned || !value.equals(before.getValue(id));
            if (isWritten && !isOfKey(id)) {
                context.write(cells, cell(target, id), value, version -> MockRowText.ofCell(value, version));
            }
        }
    }

    private void checkUnique(SqlContext context, Row row, TableRow target, boolean isNew) {
        for (Index index : indexes) {
            MockIndex unique = (MockIndex) index;
            if (!unique.getIndexType().isUnique() || unique == primary && !isNew || hasNull(unique, row)) {
                continue;
            }
            if (unique != primary) {
                context.mock().scanFirmly(space);
            }
            for (TableRow other : unique.candidates(row)) {
                boolean isOther = unique == primary || other.number() != target.number();
                if (isOther && isDuplicate(context, unique, other, row)) {
                    throw unique.duplicate(row);
                }
            }
            context.checkAtCommit(target.object(), unique.stillUnique(row, target, unique == primary));
        }
    }

    /** Returns whether another row, or the row of the same key, has the values of a unique index. */
    private boolean isDuplicate(SqlContext context, MockIndex unique, TableRow other, Row row) {
        if (unique == primary && context.mannerOfInsertion() == MockSession.Manner.EXISTENCE) {
            return context.mock().readExistence(other.object(), false) != null;
        }
        return unique.isEqual(readForConstraint(context, other), row);
    }

    private @Nullable Row readForConstraint(SqlContext context, TableRow row) {
        return context.mock().isUnborn(row.object()) ? null : read(context, row, context.mannerOfConstraints());
    }

    private static boolean hasNull(MockIndex unique, Row row) {
        for (Column column : unique.getColumns()) {
            if (row.getValue(column.getColumnId()) == ValueNull.INSTANCE) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void removeRow(SessionLocal session, Row row) {
        modifications++;
        TableRow target = rows.get((int) row.getKey());
        context(session).write(space, target.object(), null, MockRowText::ofDeleted);
    }

    @Override
    public void updateRows(SessionLocal session, LocalResult pairs, Runnable checkCanceled) {
        SqlContext context = context(session);
        List<Row> moved = new ArrayList<>();
        while (pairs.next()) {
            Row before = pairs.currentRowForTable();
            pairs.next();
            Row after = pairs.currentRowForTable();
            checkCanceled.run();
            if (primary != null && primary.compareRows(before, after) != 0) {
                removeRow(session, before);
                moved.add(after);
                continue;
            }
            TableRow target = rows.get((int) before.getKey());
            checkUnique(context, after, target, false);
            write(context, target, before, after);
        }
        for (Row after : moved) {
            addRow(session, after);
        }
    }

    @Override
    public long truncate(SessionLocal session) {
        SqlContext context = context(session);
        long count = 0;
        for (TableRow row : List.copyOf(rows)) {
            if (context.mock().read(row.object(), MockSession.Manner.OUTSIDE) != null) {
                context.write(space, row.object(), null, MockRowText::ofDeleted);
                count++;
            }
        }
        modifications++;
        return count;
    }

    /** Reads other tables outside of the history while constraints are checked. */
    @Override
    public boolean fireBeforeRow(SessionLocal session, @Nullable Row oldRow, @Nullable Row newRow) {
        SqlContext context = context(session);
        context.beginConstraint();
        try {
            return super.fireBeforeRow(session, oldRow, newRow);
        } finally {
            context.endConstraint();
        }
    }

    @Override
    public void fireAfterRow(SessionLocal session, @Nullable Row oldRow, @Nullable Row newRow, boolean rollback) {
        SqlContext context = context(session);
        context.beginConstraint();
        try {
            super.fireAfterRow(session, oldRow, newRow, rollback);
        } finally {
            context.endConstraint();
        }
    }

    // ---------------------------------------------------------------- indexes

    @Override
    public Index addIndex(
            SessionLocal session,
            String indexName,
            int indexId,
            IndexColumn[] columns,
            int uniqueColumnCount,
            IndexType indexType,
            boolean create,
            @Nullable String indexComment) {
        if (indexType.isPrimaryKey()) {
            for (IndexColumn column : columns) {
                column.column.setPrimaryKey(true);
            }
        }
        MockIndex index = new MockIndex(this, indexId, indexName, columns, uniqueColumnCount, indexType);
        if (indexType.isPrimaryKey() && rows.isEmpty()) {
            primary = index;
        }
        for (TableRow row : rows) {
            Row values = newest(row);
            if (values != null) {
                if (indexType.isUnique() && !hasNull(index, values)) {
                    for (TableRow other : index.candidates(values)) {
                        if (index.isEqual(newest(other), values)) {
                            throw index.duplicate(values);
                        }
                    }
                }
                index.put(values, row);
            }
        }
        index.setTemporary(isTemporary());
        if (index.getCreateSQL() != null) {
            index.setComment(indexComment);
            session.getDatabase().addSchemaObject(session, index);
        }
        indexes.add(index);
        setModified();
        return index;
    }

    @Override
    public void removeIndex(Index index) {
        super.removeIndex(index);
        indexes.remove(index);
        if (index == primary) {
            primary = null;
        }
    }

    @Override
    public Index getScanIndex(SessionLocal session) {
        return scanIndex;
    }

    @Override
    public List<Index> getIndexes() {
        return indexes;
    }

    @Override
    public void removeChildrenAndResources(SessionLocal session) {
        super.removeChildrenAndResources(session);
        while (indexes.size() > 1) {
            Index index = indexes.get(1);
            index.remove(session);
            if (index.getName() != null) {
                database.removeSchemaObject(session, index);
            }
            indexes.remove(index);
        }
        MockSession by = engine.clientOf(session);
        if (by != null) {
            space.remove(by);
        }
        if (by != null && cellSpace != null) {
            cellSpace.remove(by);
        }
        close(session);
        invalidate();
    }

    // ---------------------------------------------------------------- H2 callbacks

    @Override
    public void close(SessionLocal session) {
        // rows are used by this table only and are discarded with it
    }

    @Override
    public void checkSupportAlter() {
        // an altered table is copied row by row
    }

    @Override
    public TableType getTableType() {
        return TableType.TABLE;
    }

    @Override
    public long getMaxDataModificationId() {
        return modifications;
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public boolean canGetRowCount(SessionLocal session) {
        return false;
    }

    @Override
    public boolean canTruncate() {
        if (!database.getReferentialIntegrity()) {
            return true;
        }
        for (Constraint constraint : getConstraints()) {
            if (constraint.getConstraintType() == Constraint.Type.REFERENTIAL
                    && constraint.getRefTable() == this
                    && constraint.getTable() != this
                    && !engine.running().isTarget(constraint.getTable().getName())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean canDrop() {
        return true;
    }

    @Override
    public long getRowCount(SessionLocal session) {
        long count = 0;
        Cursor cursor = scanIndex.find(session, null, null, false);
        while (cursor.next()) {
            count++;
        }
        return count;
    }

    @Override
    public long getRowCountApproximation(SessionLocal session) {
        return rows.size();
    }
}
