package io.nightjar.formats.parquet;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import java.util.EnumSet;
import java.util.Set;

/** The column groups to read; further data of operations requires the operations. */
final class ReadPlan {

    private final Set<ColumnGroup> groups;

    private ReadPlan(Set<ColumnGroup> groups) {
        this.groups = groups;
    }

    static ReadPlan of(Set<ColumnGroup> wanted) {
        Set<ColumnGroup> groups = EnumSet.noneOf(ColumnGroup.class);
        groups.addAll(wanted);
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            if (wanted.contains(column.group())) {
                groups.add(ColumnGroup.OPERATIONS);
            }
        }
        return new ReadPlan(groups);
    }

    boolean has(HistoryColumn column) {
        return column.group() == null || groups.contains(column.group());
    }

    boolean ops() {
        return groups.contains(ColumnGroup.OPERATIONS);
    }

    boolean extra() {
        return groups.contains(ColumnGroup.EXTRA);
    }
}
