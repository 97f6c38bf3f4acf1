package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.ObjectSpace;
import io.nightjar.jobs.mock.PredicateRead;
import java.util.ArrayList;
import java.util.List;
import org.h2.result.SearchRow;
import org.h2.table.Column;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Condition satisfied by the rows between two bounds of an index, in SQL that every reader of archives supports.
 *
 * @param parameters integers and texts
 */
record RangeCondition(String sql, List<Object> parameters) {

    /** Every row. */
    static final RangeCondition ALL = new RangeCondition("TRUE", List.of());

    /**
     * Returns the condition of a range; null if it cannot be expressed, as for dates or several columns with unequal
     * bounds.
     */
    static @Nullable RangeCondition of(Column[] columns, @Nullable SearchRow min, @Nullable SearchRow max) {
        StringBuilder sql = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        boolean isRange = false;
        for (Column column : columns) {
            Value from = min == null ? null : min.getValue(column.getColumnId());
            Value to = max == null ? null : max.getValue(column.getColumnId());
            if (from == null && to == null) {
                break;
            }
            boolean isEqual = from != null && to != null && from.getString() != null && from.equals(to);
            if (isRange || column.getName().indexOf('"') >= 0 || !isPlain(from, isEqual) || !isPlain(to, isEqual)) {
                return null;
            }
            if (isEqual) {
                add(sql, column, "=", from, parameters);
            } else {
                isRange = true;
                add(sql, column, ">=", from, parameters);
                add(sql, column, "<=", to, parameters);
            }
        }
        return sql.length() == 0 ? ALL : new RangeCondition(sql.toString(), parameters);
    }

    /** Returns whether all databases compare the bound alike: always for integers, for texts only on equality. */
    private static boolean isPlain(@Nullable Value bound, boolean isEqual) {
        if (bound == null) {
            return true;
        }
        return switch (bound.getValueType()) {
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT -> true;
            case Value.VARCHAR -> isEqual;
            default -> false;
        };
    }

    private static void add(
            StringBuilder sql, Column column, String operator, @Nullable Value bound, List<Object> parameters) {
        if (bound != null) {
            sql.append(sql.length() == 0 ? "" : " AND ");
            sql.append("\"" + column.getName() + "\" " + operator + " ?");
            parameters.add(bound.getValueType() == Value.VARCHAR ? bound.getString() : (Object) bound.getLong());
        }
    }

    /** Starts a predicate read for the condition, null where none is archived. */
    @Nullable
    PredicateRead search(MockSession session, ObjectSpace space) {
        return session.search(space, sql, parameters);
    }
}
