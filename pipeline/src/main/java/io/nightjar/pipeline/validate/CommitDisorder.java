package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.BinarySearch;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measure of how nearly the committed rows of a history are in the order of their commits. */
final class CommitDisorder {

    /*
     * greatest[i] is the greatest commit_ts of the rows before the end of block i. The first block whose entry is
     * greater than the commit_ts of a later row holds the row that is furthest ahead of it. 8 bytes for each 1,024
     * rows.
     */

    private static final int BLOCK_BITS = 10;

    /** The number of rows below which the order does not matter. */
    private static final long FEW = 10_000;

    private final CommittedRows ofSlice = new CommittedRows();
    private long[] greatest = new long[64];
    private long rowCount; // committed ones with timestamps
    private long laggingCount;
    private long furthest;
    private long greatestSoFar = Long.MIN_VALUE;
    private @Nullable String example;

    void add(HistorySlice slice) {
        ofSlice.gather(slice);
        add(ofSlice);
    }

    void add(CommittedRows rows) {
        for (int i = 0; i < rows.count(); i++) {
            add(rows, i);
        }
    }

    private void add(CommittedRows rows, int i) {
        long commit = rows.commit(i);
        if (commit < greatestSoFar) {
            laggingCount++;
            long lag = lagInRows(commit);
            if (lag > furthest) {
                furthest = lag;
                example = rows.locationOf(i).toString();
            }
        } else {
            greatestSoFar = commit;
        }
        int block = (int) (rowCount >>> BLOCK_BITS);
        if (block == greatest.length) {
            greatest = Arrays.copyOf(greatest, 2 * block);
        }
        greatest[block] = greatestSoFar;
        rowCount++;
    }

    /** Returns the number of rows between the first row that commits later and the next row, to a block. */
    private long lagInRows(long commit) {
        int last = (int) (rowCount - 1 >>> BLOCK_BITS);
        long first = BinarySearch.first(0, last, block -> greatest[block] > commit);
        return rowCount - (first << BLOCK_BITS);
    }

    List<LintFinding> findings() {
        if (laggingCount == 0 || rowCount < FEW) {
            return List.of();
        }
        return List.of(LintFinding.of(
                LintRule.COMMIT_ORDER,
                laggingCount,
                example,
                "%s of %s committed rows follow a row that commits later, up to about %s rows; a check by timestamps"
                                .formatted(
                                        CountFormat.number(laggingCount),
                                        CountFormat.number(rowCount),
                                        CountFormat.number(furthest))
                        + " needs one pass of rows that are nearly in commit order"));
    }
}
