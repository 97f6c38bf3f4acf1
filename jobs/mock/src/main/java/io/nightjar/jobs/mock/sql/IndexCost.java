package io.nightjar.jobs.mock.sql;

import java.util.List;
import org.h2.index.IndexCondition;
import org.h2.index.IndexType;
import org.h2.result.SortOrder;
import org.h2.table.Column;
import org.h2.table.IndexColumn;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;

/** Cost model of an index, by which H2 chooses the index with the smallest number of reads. */
final class IndexCost {

    /*
     * Each visited row is a read in the history, so the choice matters more than in a database. The share of rows with
     * equal values in the leading columns is counted for a sample of rows, when tables are altered or loading ends:
     * both have a position in the order of statements, whereas preparing a statement has none, so a repeated run makes
     * the same choices. If the table had few rows at that time, the share is estimated.
     */

    private static final double NEVER = 1e15;
    private static final double COST_OF_A_ROW = 10;

    /** Added to the current row count, as the table is expected to grow. */
    private static final int MORE_ROWS = 1_000;

    private static final int FEW_ROWS = 64;
    private static final int SAMPLES = 5;
    private static final int MAX_COUNTED = 256;

    /** Estimated share of rows that agree in another column, among rows that agree in some. */
    private static final double GUESSED_SHARE = 0.1;

    private static final double SHARE_OF_A_RANGE = 0.25;
    private static final double SHARE_OF_A_SIDE = 1 / 3.0;
    private static final double COST_OF_SORTING = 100;
    private static final double ROWS_SORTED_AS_ONE_IS_READ = 10;

    /** Penalty of a secondary index that finds as many rows as the primary key. */
    private static final double OTHER_THAN_PRIMARY = 20;

    private final MockTable table;
    private final MockIndex index;
    private double all = MORE_ROWS;

    /** Share of rows with equal values, by number of leading columns; empty while estimated. */
    private double[] shareOf = {};

    IndexCost(MockTable table, MockIndex index) {
        this.table = table;
        this.index = index;
    }

    /** Counts the shares used until the next measurement. */
    void measure() {
        all = (double) table.rows().size() + MORE_ROWS;
        boolean isKnown =
                table.rows().size() >= FEW_ROWS && !index.getIndexType().isScan();
        shareOf = new double[isKnown ? index.getColumns().length + 1 : 0];
        for (int equal = 0; equal < shareOf.length; equal++) {
            shareOf[equal] = share(equal);
        }
    }

    /**
     * Returns the cost for H2's comparison.
     *
     * @param masks types of conditions by column, null for none
     */
    double of(int @Nullable [] masks, TableFilter @Nullable [] filters, int filter, @Nullable SortOrder order) {
        IndexType type = index.getIndexType();
        boolean isPrimary = table.isPrimary(index);
        if (table.isByCell() && !type.isScan() && !isPrimary) {
            return NEVER;
        }
        double found = type.isScan() || masks == null ? all : found(masks);
        double sorting = order == null ? 0 : COST_OF_SORTING + found / ROWS_SORTED_AS_ONE_IS_READ;
        if (order != null && !type.isScan() && hasOrder(order, filters == null ? null : filters[filter])) {
            sorting = 0;
        }
        return COST_OF_A_ROW * (found + sorting) + (isPrimary ? 0 : OTHER_THAN_PRIMARY);
    }

    private double found(int[] masks) {
        Column[] columns = index.getColumns();
        int equal = 0;
        while (equal < columns.length && has(masks, columns[equal], IndexCondition.EQUALITY)) {
            equal++;
        }
        if (equal > 0 && equal == index.getUniqueColumnCount()) {
            return 1;
        }
        double found = all * (equal < shareOf.length ? shareOf[equal] : Math.pow(GUESSED_SHARE, equal));
        if (equal < columns.length && has(masks, columns[equal], IndexCondition.RANGE)) {
            found *= SHARE_OF_A_RANGE;
        } else if (equal < columns.length
                && (has(masks, columns[equal], IndexCondition.START)
                        || has(masks, columns[equal], IndexCondition.END))) {
            found *= SHARE_OF_A_SIDE;
        }
        return Math.max(1, found);
    }

    private static boolean has(int[] masks, Column column, int condition) {
        return (masks[column.getColumnId()] & condition) == condition;
    }

    private double share(int equal) {
        if (equal == 0) {
            return 1;
        }
        List<TableRow> rows = table.rows();
        double guessed = Math.pow(GUESSED_SHARE, equal);
        int sampled = 0;
        long alike = 0;
        for (int i = 0; i < SAMPLES; i++) {
            TableRow row = rows.get((int) ((2L * i + 1) * rows.size() / (2 * SAMPLES)));
            int count = index.countAlike(table.newest(row), equal, MAX_COUNTED);
            if (count == MAX_COUNTED) {
                return Math.max(guessed, (double) MAX_COUNTED / rows.size());
            }
            alike += count;
            sampled += count > 0 ? 1 : 0;
        }
        return sampled == 0 ? guessed : (double) alike / sampled / rows.size();
    }

    /** Returns whether rows are in the requested order, or in its reverse. */
    private boolean hasOrder(SortOrder order, @Nullable TableFilter of) {
        IndexColumn[] columns = index.getIndexColumns();
        int[] directions = order.getSortTypesWithNullOrdering();
        boolean isReverse = directions.length > 0 && directions[0] != columns[0].sortType;
        for (int i = 0; i < Math.min(directions.length, columns.length); i++) {
            Column column = order.getColumn(i, of);
            boolean isSame = directions[i] == columns[i].sortType;
            if (column == null || !column.equals(columns[i].column) || isSame == isReverse) {
                return false;
            }
        }
        return true;
    }
}
