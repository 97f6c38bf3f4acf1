package io.nightjar.datasets.inject;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** The last committed transaction of each session. */
final class SessionHeads {

    private static final int UNKNOWN = -1;

    private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
    private final List<FaultPlanner.Row> lastOf = new ArrayList<>();

    SessionHeads() {
        ordinalOf.defaultReturnValue(UNKNOWN);
    }

    int ordinal(long sessionId) {
        int session = ordinalOf.get(sessionId);
        if (session == UNKNOWN) {
            session = lastOf.size();
            ordinalOf.put(sessionId, session);
            lastOf.add(null);
        }
        return session;
    }

    /** Returns the last committed row of a session; null if it has committed nothing. */
    FaultPlanner.Row last(int session) {
        return lastOf.get(session);
    }

    void setLast(int session, FaultPlanner.Row row) {
        lastOf.set(session, row);
    }
}
