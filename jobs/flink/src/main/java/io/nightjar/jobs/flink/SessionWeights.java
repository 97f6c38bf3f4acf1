package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;

/** Number of operations of each session; a transaction without operations counts as one. */
final class SessionWeights {

    private final LongOrdinals sessions = new LongOrdinals();
    private final LongColumn weightOf = new LongColumn();

    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int ops = slice.firstOpOf[txn + 1] - slice.firstOpOf[txn];
            add(slice.sessionId[txn], 1 + ops);
        }
    }

    /** Adds the weights of other sessions. */
    void add(WeightsMessage others) {
        for (int i = 0; i < others.ids().length; i++) {
            add(others.ids()[i], others.weights()[i]);
        }
    }

    private void add(long sessionId, long weight) {
        int session = sessions.ordinal(sessionId);
        if (session == weightOf.size()) {
            weightOf.add(0);
        }
        weightOf.set(session, weightOf.get(session) + weight);
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
