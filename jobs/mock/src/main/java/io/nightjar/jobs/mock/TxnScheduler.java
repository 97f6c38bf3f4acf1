package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Scheduler that runs transactions one after the other: in the order of arrival, or in an order drawn by a chooser. */
final class TxnScheduler {

    /*
     * A choice among waiting sessions requires certainty about the set: no event has occurred for some time. Where not
     * all choices are explored, a single client need not wait for others that may connect. Sessions are identified by
     * the statements they sent, so that the order of connections does not matter.
     */

    private final Condition changed;
    private final long patienceMs;
    private final List<MockSession> waiting = new ArrayList<>();
    private final IntSupplier openSessions;
    private @Nullable AnswerChooser chooser;
    private boolean isCertain;
    private long settleNs;
    private long lastEventNs = System.nanoTime();
    private @Nullable MockSession holder;

    /** @param openSessions returns the current number of sessions */
    TxnScheduler(ReentrantLock lock, long patienceMs, IntSupplier openSessions) {
        this.openSessions = openSessions;
        this.changed = lock.newCondition();
        this.patienceMs = patienceMs;
    }

    /**
     * Makes the next turn a choice from now on, once no session has done anything for the given time.
     *
     * @param mustBeCertain whether a single client also waits for others that may connect
     */
    void choose(AnswerChooser next, long settleMs, boolean mustBeCertain) {
        chooser = next;
        isCertain = mustBeCertain;
        settleNs = TimeUnit.MILLISECONDS.toNanos(settleMs);
    }

    /** Records an action of a client. */
    void event() {
        lastEventNs = System.nanoTime();
    }

    /** Waits until it is the session's turn. */
    void take(MockSession session) {
        if (holder == session) {
            return;
        }
        event();
        session.trace().waitForTurn(holder != null);
        waiting.add(session);
        long sinceNs = System.nanoTime();
        MockSession before = holder;
        try {
            while (holder != session) {
                if (holder != before) {
                    before = holder;
                    sinceNs = System.nanoTime();
                }
                await(sinceNs);
            }
        } finally {
            waiting.remove(session);
        }
    }

    private void await(long sinceNs) {
        long now = System.nanoTime();
        long leftNs;
        if (holder == null) {
            leftNs = isAlone() ? 0 : lastEventNs + settleNs - now;
            if (leftNs <= 0) {
                holder = next();
                changed.signalAll();
                return;
            }
        } else {
            leftNs = sinceNs + TimeUnit.MILLISECONDS.toNanos(patienceMs) - now;
            if (leftNs <= 0) {
                MockSession tooSlow = holder;
                holder = null;
                tooSlow.kill();
                return;
            }
        }
        try {
            changed.awaitNanos(leftNs);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MockException("57P01", "the server ends");
        }
    }

    private boolean isAlone() {
        return chooser == null || !isCertain && openSessions.getAsInt() == 1;
    }

    private MockSession next() {
        if (chooser == null || waiting.size() == 1) {
            return waiting.get(0);
        }
        waiting.sort(Comparator.comparingLong(
                        (MockSession session) -> session.trace().signature())
                .thenComparingInt(MockSession::number));
        long about = 0;
        for (MockSession session : waiting) {
            about = CanonicalOrder.mix(about, session.trace().signature());
        }
        chooser.about(about);
        return waiting.get(
                chooser.turn(waiting.size(), next -> waiting.get(next).isKnown()));
    }

    void over(MockSession session) {
        if (holder == session) {
            holder = null;
            event();
            changed.signalAll();
        }
    }
}
