package io.nightjar.jobs.sql;

import io.nightjar.jobs.lake.LakeTable;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the cells that a query returned to typed rows. */
public final class StoredRows {

    private StoredRows() {}

    /**
     * Returns all rows of a query that has few, whose columns are called as the components of a record are, and of the
     * records in it.
     */
    public static <R extends Record> List<R> read(SqlSession session, Class<R> type, String sql) {
        List<R> rows = new ArrayList<>();
        session.rows(sql).forEach(row -> rows.add(of(type, row)));
        return rows;
    }

    /** Returns a row by the names of its columns; ignores columns that the table does not have. */
    public static <R extends Record> R of(Class<R> type, Map<String, Object> cells) {
        return type.cast(record(type, cells));
    }

    private static Object record(Class<?> type, Map<String, Object> cells) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            types[i] = components[i].getType();
            values[i] = types[i].isRecord()
                    ? record(types[i], cells)
                    : value(types[i], cells.get(LakeTable.columnName(components[i])));
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true); // the record of a query is private to its caller
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("bug: a record has its constructor: record=" + type, impossible);
        }
    }

    /**
     * Returns the value of a cell. Empty cells of a table by another program are 0 or false where a row has no null.
     */
    private static @Nullable Object value(Class<?> type, @Nullable Object cell) {
        if (type == String.class) {
            return CellText.text(cell);
        }
        if (type == long.class || type == Long.class) {
            if (cell instanceof Number number) {
                return number.longValue();
            }
            return type == long.class ? (Object) 0L : null;
        }
        if (type == double.class) {
            return cell instanceof Number number ? number.doubleValue() : 0.0;
        }
        if (type == boolean.class) {
            return Boolean.TRUE.equals(cell);
        }
        throw new IllegalArgumentException("no cell of this type: type=" + type);
    }

    /** Returns the cells of a row by the names of its columns, in their order. */
    public static Map<String, Object> cells(Record row) {
        Map<String, Object> cells = new LinkedHashMap<>();
        LakeTable.forEachCell(row, cells::put);
        return cells;
    }
}
