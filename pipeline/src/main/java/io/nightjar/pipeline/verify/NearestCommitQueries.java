package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/** The nearest commits of one value to a key on either side of timestamps that are known beforehand; commits come in any order. */
final class NearestCommitQueries {

    /*
     * Layout. The sorted timestamps divide time into buckets. Each bucket keeps its two greatest commits for the
     * timestamp at its end, and its two smallest for the timestamp at its beginning: two, so that a transaction can be
     * excluded.
     */

    private long[] asked = new long[2];
    private int count;
    private int[] positionOf;
    private long[] beforeTs; // two for each timestamp, the nearer first; NONE if missing
    private long[] beforeId;
    private long[] afterTs;
    private long[] afterId;

    int ask(long ts) {
        if (count == asked.length) {
            asked = Arrays.copyOf(asked, count * 2);
        }
        asked[count] = ts;
        return count++;
    }

    @SetsFields
    void close() {
        int[] order = new int[count];
        for (int question = 0; question < count; question++) {
            order[question] = question;
        }
        IntArrays.mergeSort(order, (one, other) -> Long.compare(asked[one], asked[other]));
        positionOf = new int[count];
        long[] sorted = new long[count];
        for (int position = 0; position < count; position++) {
            positionOf[order[position]] = position;
            sorted[position] = asked[order[position]];
        }
        asked = sorted;
        beforeTs = new long[2 * count];
        beforeId = new long[2 * count];
        afterTs = new long[2 * count];
        afterId = new long[2 * count];
        Arrays.fill(beforeTs, HistorySlice.NONE);
        Arrays.fill(afterTs, HistorySlice.NONE);
    }

    void offer(long commit, long id) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (asked[middle] >= commit) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low < count) {
            keepBefore(low, commit, id);
        }
        if (low > 0) {
            keepAfter(low - 1, commit, id);
        }
    }

    void settle() {
        for (int position = 1; position < count; position++) {
            for (int entry = 2 * position - 2; entry < 2 * position; entry++) {
                if (beforeTs[entry] != HistorySlice.NONE) {
                    keepBefore(position, beforeTs[entry], beforeId[entry]);
                }
            }
        }
        for (int position = count - 2; position >= 0; position--) {
            for (int entry = 2 * position + 2; entry < 2 * position + 4; entry++) {
                if (afterTs[entry] != HistorySlice.NONE) {
                    keepAfter(position, afterTs[entry], afterId[entry]);
                }
            }
        }
    }

    /** Returns the last commit at or before the timestamp, except that of one transaction; NONE if absent. */
    long before(int question, long exceptTxnId) {
        return nearest(beforeTs, beforeId, positionOf[question], exceptTxnId);
    }

    /** Returns the first commit after the timestamp, except that of one transaction; NONE if absent. */
    long after(int question, long exceptTxnId) {
        return nearest(afterTs, afterId, positionOf[question], exceptTxnId);
    }

    private static long nearest(long[] tsOf, long[] idOf, int position, long exceptTxnId) {
        boolean skip = tsOf[2 * position] != HistorySlice.NONE && idOf[2 * position] == exceptTxnId;
        return tsOf[2 * position + (skip ? 1 : 0)];
    }

    private void keepBefore(int position, long commit, long id) {
        insert(beforeTs, beforeId, position, commit, id, true);
    }

    private void keepAfter(int position, long commit, long id) {
        insert(afterTs, afterId, position, commit, id, false);
    }

    private static void insert(long[] tsOf, long[] idOf, int position, long commit, long id, boolean greaterFirst) {
        int first = 2 * position;
        if (isNearer(commit, tsOf[first], greaterFirst)) {
            tsOf[first + 1] = tsOf[first];
            idOf[first + 1] = idOf[first];
            tsOf[first] = commit;
            idOf[first] = id;
        } else if (isNearer(commit, tsOf[first + 1], greaterFirst)) {
            tsOf[first + 1] = commit;
            idOf[first + 1] = id;
        }
    }

    private static boolean isNearer(long commit, long than, boolean greaterFirst) {
        return than == HistorySlice.NONE || (greaterFirst ? commit > than : commit < than);
    }
}
