package io.nightjar.formats.parquet;

import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistoryColumn;
import java.util.EnumSet;
import java.util.Set;

/** Which groups of columns are read; what an operation says beyond its value cannot be had without operations. */
final class ReadPlan {

    private final Set<Column> groups;

    private ReadPlan(Set<Column> groups) {
        this.groups = groups;
    }

    static ReadPlan of(Set<Column> wanted) {
        Set<Column> groups = EnumSet.noneOf(Column.class);
        groups.addAll(wanted);
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            if (wanted.contains(column.group())) {
                groups.add(Column.OPERATIONS);
            }
        }
        return new ReadPlan(groups);
    }

    boolean has(HistoryColumn column) {
        return column.group() == null || groups.contains(column.group());
    }

    boolean ops() {
        return groups.contains(Column.OPERATIONS);
    }

    boolean extra() {
        return groups.contains(Column.EXTRA);
    }
}
