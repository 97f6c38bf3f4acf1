package io.nightjar.jobs.mock.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the columns of a result are called, as far as the words of its query say it. */
public final class ColumnLabels {

    /** Stands for any number of columns, which have names. */
    public static final String ALL = "*";

    private ColumnLabels() {}

    /**
     * Returns what the column at a place is called.
     *
     * @param labels of the query's columns, null for those that H2 names as clients expect it
     * @param name what H2 calls it
     */
    public static String of(@Nullable List<String> labels, int column, int count, String name) {
        if (labels == null) {
            return name;
        }
        int all = labels.indexOf(ALL);
        int place = all < 0 || column < all ? column : labels.size() - (count - column);
        boolean isKnown = place >= 0 && place < labels.size() && place > labels.lastIndexOf(ALL);
        boolean isNamed = isKnown || all > 0 && column < all;
        return isNamed && labels.get(place) != null ? labels.get(place) : name;
    }
}
