package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locks by numbers or names that clients agree on. They are in no history, and no session waits for one; used with the
 * store's lock held.
 */
final class AdvisoryLocks {

    private static final long NO_TRANSACTION = -1;

    private static final class Hold {

        private final MockSession holder;
        private int times;
        private long transaction = NO_TRANSACTION;

        private Hold(MockSession holder) {
            this.holder = holder;
        }

        private boolean isOver() {
            return times == 0 && transaction != holder.endedTxns();
        }
    }

    private final Map<String, Hold> holds = new HashMap<>();

    /** Takes a lock, up to the end of the transaction or of the session, if no other session has it. */
    boolean take(String key, MockSession session, boolean isOfTransaction) {
        Hold hold = held(key);
        if (hold == null) {
            hold = new Hold(session);
            holds.put(key, hold);
        }
        if (hold.holder != session) {
            return false;
        }
        if (isOfTransaction) {
            hold.transaction = session.endedTxns();
        } else {
            hold.times++;
        }
        return true;
    }

    /** Gives back a lock that was taken up to the end of the session; whether there was one. */
    boolean release(String key, MockSession session) {
        Hold hold = held(key);
        if (hold == null || hold.holder != session || hold.times == 0) {
            return false;
        }
        hold.times--;
        return true;
    }

    /** Gives back all that were taken up to the end of the session; how many these were. */
    int releaseAll(MockSession session) {
        int released = 0;
        for (Hold hold : holds.values()) {
            if (hold.holder == session) {
                released += hold.times;
                hold.times = 0;
            }
        }
        return released;
    }

    boolean isFree(String key) {
        return held(key) == null;
    }

    /** A session is over. */
    void closed(MockSession session) {
        holds.values().removeIf(hold -> hold.holder == session);
    }

    private @Nullable Hold held(String key) {
        Hold hold = holds.get(key);
        if (hold != null && hold.isOver()) {
            holds.remove(key);
            return null;
        }
        return hold;
    }
}
