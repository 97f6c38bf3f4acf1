package io.nightjar.jobs.mock.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Column labels of a result, as far as the words of its query determine them. */
public final class ColumnLabels {

    /** Placeholder for any number of columns with names. */
    public static final String ALL = "*";

    private ColumnLabels() {}

    /**
     * Returns the label of a column.
     *
     * @param labels labels of the query's columns, null where H2's names match the client's expectation
     * @param name H2's name of the column
     */
    public static String of(@Nullable List<String> labels, int column, int count, String name) {
        if (labels == null) {
            return name;
        }
        int all = labels.indexOf(ALL);
        int position = all < 0 || column < all ? column : labels.size() - (count - column);
        boolean isKnown = position >= 0 && position < labels.size() && position > labels.lastIndexOf(ALL);
        boolean isNamed = isKnown || all > 0 && column < all;
        return isNamed && labels.get(position) != null ? labels.get(position) : name;
    }
}
