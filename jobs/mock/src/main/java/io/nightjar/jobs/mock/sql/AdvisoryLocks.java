package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locks identified by a number or name. They are in no history, and no session waits for them; requires the store's
 * lock.
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

    /**
     * Acquires a lock until the end of the transaction or session if no other session holds it; returns whether it did.
     */
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

    /** Releases a lock acquired until the end of the session; returns whether the session held it. */
    boolean release(String key, MockSession session) {
        Hold hold = held(key);
        if (hold == null || hold.holder != session || hold.times == 0) {
            return false;
        }
        hold.times--;
        return true;
    }

    /** Releases all locks acquired until the end of the session; returns their number. */
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

    /** Releases all locks of a closed session. */
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
