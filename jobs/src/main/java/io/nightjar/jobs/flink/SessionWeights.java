package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;

/** How many operations each session has, transactions without any counted as one. */
final class SessionWeights {

    private final LongOrdinals sessions = new LongOrdinals();
    private final LongColumn weightOf = new LongColumn();

    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int session = sessions.ordinal(slice.sessionId[txn]);
            if (session == weightOf.size()) {
                weightOf.add(0);
            }
            int ops = slice.firstOpOf[txn + 1] - slice.firstOpOf[txn];
            weightOf.set(session, weightOf.get(session) + 1 + ops);
        }
    }

    long[] ids() {
        long[] ids = new long[sessions.size()];
        for (int session = 0; session < ids.length; session++) {
            ids[session] = sessions.name(session);
        }
        return ids;
    }

    long[] weights() {
        long[] weights = new long[weightOf.size()];
        for (int session = 0; session < weights.length; session++) {
            weights[session] = weightOf.get(session);
        }
        return weights;
    }
}
