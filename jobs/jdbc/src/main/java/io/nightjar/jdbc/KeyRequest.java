package io.nightjar.jdbc;

import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Request for generated keys that makes a driver return the required columns of the rows that a statement writes. */
final class KeyRequest {

    private KeyRequest() {}

    /** @param wish keys requested by the application: nothing, a flag, or names of columns; they come first */
    static Object of(StatementPlan plan, JdbcProduct product, @Nullable Object wish) {
        List<String> columns = new ArrayList<>();
        boolean isForUs =
                !isAny(wish) && plan.asksForWriter(plan.table()); // the application's keys have no further column
        if (wish instanceof String[] names) {
            columns.addAll(Arrays.asList(names));
        } else if (isForUs) {
            columns.addAll(plan.table().columns());
            columns.add("xmin");
        } else if (product == JdbcProduct.POSTGRESQL) {
            return Statement.RETURN_GENERATED_KEYS; // all columns there
        } else {
            columns.addAll(plan.table().keyColumns());
        }
        for (String column : plan.table().columns()) {
            if (columns.stream().noneMatch(column::equalsIgnoreCase)) {
                columns.add(column);
            }
        }
        return columns.toArray(new String[0]);
    }

    static boolean isAny(@Nullable Object wish) {
        return wish instanceof String[]
                || wish instanceof int[]
                || wish instanceof Integer flag && flag == Statement.RETURN_GENERATED_KEYS;
    }
}
