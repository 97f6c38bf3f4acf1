package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/** The nearest commits of one value to a key on either side of timestamps that are known beforehand; commits come in any order. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
final class NearestCommitQueries {

    /*
     * Layout. The sorted timestamps divide time into buckets. Each bucket keeps its two greatest commits for the
     * timestamp at its end, and its two smallest for the timestamp at its beginning: two, so that a transaction can be
     * excluded.
     */

    private long[] asked = new long[2];
    private int count;
    private int[] placeOf;
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

    void close() {
        int[] order = new int[count];
        for (int question = 0; question < count; question++) {
            order[question] = question;
        }
        IntArrays.mergeSort(order, (one, other) -> Long.compare(asked[one], asked[other]));
        placeOf = new int[count];
        long[] sorted = new long[count];
        for (int place = 0; place < count; place++) {
            placeOf[order[place]] = place;
            sorted[place] = asked[order[place]];
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
        for (int place = 1; place < count; place++) {
            for (int entry = 2 * place - 2; entry < 2 * place; entry++) {
                if (beforeTs[entry] != HistorySlice.NONE) {
                    keepBefore(place, beforeTs[entry], beforeId[entry]);
                }
            }
        }
        for (int place = count - 2; place >= 0; place--) {
            for (int entry = 2 * place + 2; entry < 2 * place + 4; entry++) {
                if (afterTs[entry] != HistorySlice.NONE) {
                    keepAfter(place, afterTs[entry], afterId[entry]);
                }
            }
        }
    }

    /** Returns the last commit at or before the timestamp, except that of one transaction; NONE if absent. */
    long before(int question, long exceptTxnId) {
        return nearest(beforeTs, beforeId, placeOf[question], exceptTxnId);
    }

    /** Returns the first commit after the timestamp, except that of one transaction; NONE if absent. */
    long after(int question, long exceptTxnId) {
        return nearest(afterTs, afterId, placeOf[question], exceptTxnId);
    }

    private static long nearest(long[] tsOf, long[] idOf, int place, long exceptTxnId) {
        boolean skip = tsOf[2 * place] != HistorySlice.NONE && idOf[2 * place] == exceptTxnId;
        return tsOf[2 * place + (skip ? 1 : 0)];
    }

    private void keepBefore(int place, long commit, long id) {
        insert(beforeTs, beforeId, place, commit, id, true);
    }

    private void keepAfter(int place, long commit, long id) {
        insert(afterTs, afterId, place, commit, id, false);
    }

    private static void insert(long[] tsOf, long[] idOf, int place, long commit, long id, boolean greaterFirst) {
        int first = 2 * place;
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
