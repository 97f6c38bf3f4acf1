package io.nightjar.formats.parquet;

import io.nightjar.formats.history.Column;
import java.util.Set;

/** Which groups of columns are read; what an operation says beyond its value cannot be had without operations. */
record ReadPlan(
        boolean timestamps, boolean clientTimes, boolean ops, boolean versions, boolean writers, boolean extra) {

    static ReadPlan of(Set<Column> wanted) {
        boolean versions = wanted.contains(Column.VERSIONS);
        boolean writers = wanted.contains(Column.WRITERS);
        return new ReadPlan(
                wanted.contains(Column.TIMESTAMPS),
                wanted.contains(Column.CLIENT_TIMES),
                wanted.contains(Column.OPERATIONS) || versions || writers,
                versions,
                writers,
                wanted.contains(Column.EXTRA));
    }
}
