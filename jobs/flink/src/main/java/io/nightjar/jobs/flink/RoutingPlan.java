package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ColumnGroup;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plan of the second reading: the routing of rows.
 *
 * @param bins the bin of each session whose values are checked; null if none are
 * @param checksSessions whether session order must be checked again, since rows arrived in another order
 * @param resolvesUnknown whether unknown transactions with committed readers must be determined
 * @param columns the required columns
 */
record RoutingPlan(
        @Nullable SessionBins bins, boolean checksSessions, boolean resolvesUnknown, Set<ColumnGroup> columns)
        implements Serializable {

    boolean isNothing() {
        return bins == null && !checksSessions && !resolvesUnknown;
    }
}
