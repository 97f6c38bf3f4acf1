package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The assumption that transactions far apart in an order of the source come in that order. */
final class NearbyOrder {

    /*
     * Algorithm. A transaction follows, of each session, the last transaction that is more than the distance before it.
     * An order found under the assumption explains the history without it too; a contradiction proves nothing.
     */

    private static final int DISTANCE_PER_SESSION = 8;

    /** Bytes of an assumed edge, as a read and as an edge of the graph. */
    private static final long BYTES_PER_EDGE = 96;

    private NearbyOrder() {}

    /**
     * Returns the history with the assumption as a part of it; null if the history is too short, or the assumed edges
     * take more than half of the memory.
     */
    static @Nullable ClientHistory of(ClientHistory history, long[] numberOf, Budget budget) {
        int count = history.txnCount;
        long distance = (long) DISTANCE_PER_SESSION * history.sessionCount;
        if (count <= 2 * distance || (long) count * history.sessionCount > budget.memoryBytes() / 2 / BYTES_PER_EDGE) {
            return null;
        }
        long[] numbers = Arrays.copyOf(numberOf, count);
        int[] txns = new int[count];
        for (int txn = 0; txn < count; txn++) {
            txns[txn] = txn;
        }
        RadixSort.sort(numbers, txns, count);
        int[] lastOf = new int[history.sessionCount];
        Arrays.fill(lastOf, -1);
        IntColumn seer = new IntColumn();
        IntColumn seen = new IntColumn();
        for (int i = 0; i < count; i++) {
            int txn = txns[i];
            for (int session = 0; session < lastOf.length && i > distance; session++) {
                boolean isOther = session != history.sessionOf[txn];
                if (isOther && lastOf[session] >= 0) {
                    seer.add(txn);
                    seen.add(lastOf[session]);
                }
            }
            if (i >= distance) {
                int far = txns[(int) (i - distance)];
                int session = history.sessionOf[far];
                lastOf[session] = Math.max(lastOf[session], far);
            }
        }
        int[] firstSightOf = CountingSort.firstOf(seer, count);
        return history.withSights(firstSightOf, CountingSort.values(seer, seen, firstSightOf));
    }
}
