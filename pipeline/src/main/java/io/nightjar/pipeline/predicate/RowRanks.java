package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.BinarySearch;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows by the values of one column: a smaller value has a smaller rank. */
final class RowRanks {

    /** The rank of a row without a value; no bounds allow it. */
    static final int NO_VALUE = -1;

    private static final int MIXED = -2;

    private final int @Nullable [] rankOf; // by row
    private final Object[] valueOf; // by rank

    private RowRanks(int @Nullable [] rankOf, Object[] valueOf) {
        this.rankOf = rankOf;
        this.valueOf = valueOf;
    }

    static RowRanks of(Object[][] rows, int column) {
        int[] order = new int[rows.length];
        long[] numbers = new long[rows.length];
        int count = 0;
        int type = -1;
        boolean areLongs = true;
        for (int row = 0; row < rows.length; row++) {
            Object value = column < rows[row].length ? rows[row][column] : null;
            if (value != null) {
                int valueType = typeOf(value);
                type = type == -1 || type == valueType ? valueType : MIXED;
                areLongs &= value instanceof Long;
                numbers[count] = value instanceof Long number ? number : 0;
                order[count++] = row;
            }
        }
        if (type == MIXED) {
            return new RowRanks(null, new Object[0]);
        }
        if (areLongs) {
            RadixSort.sort(numbers, order, count);
        } else {
            order = sorted(order, count, rows, column);
        }
        return ranked(order, count, rows, column);
    }

    private static int typeOf(Object value) {
        return value instanceof String ? 0 : value instanceof Boolean ? 1 : 2;
    }

    private static int[] sorted(int[] order, int count, Object[][] rows, int column) {
        return Arrays.stream(order, 0, count)
                .boxed()
                .sorted((one, other) -> RowValues.compare(rows[one][column], rows[other][column]))
                .mapToInt(row -> row)
                .toArray();
    }

    private static RowRanks ranked(int[] order, int count, Object[][] rows, int column) {
        int[] rankOf = new int[rows.length];
        Arrays.fill(rankOf, NO_VALUE);
        Object[] valueOf = new Object[count];
        int ranks = 0;
        for (int i = 0; i < count; i++) {
            Object value = rows[order[i]][column];
            if (ranks == 0 || RowValues.compare(valueOf[ranks - 1], value) != 0) {
                valueOf[ranks++] = value;
            }
            rankOf[order[i]] = ranks - 1;
        }
        return new RowRanks(rankOf, Arrays.copyOf(valueOf, ranks));
    }

    /** Returns the number of ranks. */
    int count() {
        return valueOf.length;
    }

    /** Returns whether all values are of one type. */
    boolean areComparable() {
        return rankOf != null;
    }

    int rankOf(int row) {
        return row == TableHistory.NONE ? NO_VALUE : requireNonNull(rankOf)[row];
    }

    /**
     * Returns the first rank that bounds allow, in the upper half, and the first rank after the allowed ones, in the
     * lower.
     */
    long range(RowBounds bounds, Object[] params) {
        int from = 0;
        int to = valueOf.length;
        for (RowBounds.Bound bound : bounds.bounds()) {
            Object constant = bound.constant().evaluate(null, params);
            if (constant == null) {
                return 0; // a comparison with NULL holds for no row
            }
            switch (bound.operator()) {
                case EQUAL -> {
                    from = Math.max(from, first(constant, false));
                    to = Math.min(to, first(constant, true));
                }
                case LESS -> to = Math.min(to, first(constant, false));
                case LESS_OR_EQUAL -> to = Math.min(to, first(constant, true));
                case GREATER -> from = Math.max(from, first(constant, true));
                case GREATER_OR_EQUAL -> from = Math.max(from, first(constant, false));
                case DIFFERENT -> throw new AssertionError("bug: an inequality bounds no range");
            }
        }
        return (long) from << 32 | Math.max(from, to);
    }

    /** Returns the first rank whose value is not less than a constant, or is greater. */
    private int first(Object constant, boolean isGreater) {
        return BinarySearch.first(0, valueOf.length, rank -> {
            int comparison = RowValues.compare(valueOf[rank], constant);
            return comparison > 0 || comparison == 0 && !isGreater;
        });
    }
}
