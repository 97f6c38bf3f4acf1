package io.nightjar.jobs.flink;

import io.nightjar.formats.history.Column;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the second reading is for.
 *
 * @param bins where sessions go whose values are checked; null if none are
 * @param checksSessions whether the order in sessions is to be checked once more, since rows did not come in it
 * @param resolvesUnknown whether it must be found out which unknown transactions were read from
 * @param columns what is needed for it
 */
record RereadPlan(SessionBins bins, boolean checksSessions, boolean resolvesUnknown, Set<Column> columns) {

    boolean isNothing() {
        return bins == null && !checksSessions && !resolvesUnknown;
    }

    ByteSink encode() {
        ByteSink to = new ByteSink(256);
        to.putByte(checksSessions ? 1 : 0);
        to.putByte(resolvesUnknown ? 1 : 0);
        to.putByte(columns.size());
        columns.forEach(column -> to.putByte(column.ordinal()));
        to.putByte(bins == null ? 0 : 1);
        if (bins != null) {
            bins.encode(to);
        }
        return to;
    }

    static RereadPlan decode(ByteFeed from) {
        boolean checks = from.getByte() == 1;
        boolean resolves = from.getByte() == 1;
        Set<Column> columns = EnumSet.noneOf(Column.class);
        for (int left = from.getByte(); left > 0; left--) {
            columns.add(Column.values()[from.getByte()]);
        }
        return new RereadPlan(from.getByte() == 1 ? SessionBins.decode(from) : null, checks, resolves, columns);
    }
}
