package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ColumnGroup;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the second reading: which rows go where.
 *
 * @param bins where sessions go whose values are checked; null if none are
 * @param checksSessions whether the order in sessions is to be checked once more, since rows did not come in it
 * @param resolvesUnknown whether it must be found out which unknown transactions were read from
 * @param columns what is needed for it
 */
record RoutingPlan(
        @Nullable SessionBins bins, boolean checksSessions, boolean resolvesUnknown, Set<ColumnGroup> columns)
        implements Serializable {

    boolean isNothing() {
        return bins == null && !checksSessions && !resolvesUnknown;
    }
}
