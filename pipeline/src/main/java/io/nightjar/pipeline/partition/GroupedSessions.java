package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** Sessions in groups that have no key in common, so that each group can be checked alone. */
public final class GroupedSessions {

    private final LongOrdinals sessions; // in the order of their ids
    private final int[] groupOf; // by ordinal
    private final int groupCount;

    private GroupedSessions(LongOrdinals sessions, int[] groupOf, int groupCount) {
        this.sessions = sessions;
        this.groupOf = groupOf;
        this.groupCount = groupCount;
    }

    /** @param rootOf one session for each group, by session; all as ordinals */
    static GroupedSessions of(LongOrdinals unsorted, int[] rootOf) {
        int count = unsorted.size();
        long[] ids = new long[count];
        int[] sorted = new int[count];
        for (int session = 0; session < count; session++) {
            ids[session] = unsorted.name(session);
            sorted[session] = session;
        }
        RadixSort.sort(ids, sorted, count);
        LongOrdinals sessions = new LongOrdinals();
        int[] groupOf = new int[count];
        int[] groupOfRoot = new int[count];
        Arrays.fill(groupOfRoot, LongOrdinals.NONE);
        int groupCount = 0;
        for (int i = 0; i < count; i++) {
            int root = rootOf[sorted[i]];
            if (groupOfRoot[root] == LongOrdinals.NONE) {
                groupOfRoot[root] = groupCount++;
            }
            groupOf[sessions.ordinal(ids[i])] = groupOfRoot[root];
        }
        return new GroupedSessions(sessions, groupOf, groupCount);
    }

    public int groupCount() {
        return groupCount;
    }

    public int sessionCount() {
        return sessions.size();
    }

    /** Returns the id of a session; ids are in order. */
    public long sessionId(int session) {
        return sessions.name(session);
    }

    /** Returns the group of a session id, from 0; groups are in the order of their smallest session ids. */
    public int groupOf(long sessionId) {
        int session = sessions.find(sessionId);
        if (session == LongOrdinals.NONE) {
            throw new IllegalArgumentException("session not among those grouped: sessionId=" + sessionId
                    + "; check whether the history was written to during the check");
        }
        return groupOf[session];
    }
}
