package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Lets transactions run one after the other: in the order of arrival, or in one that a chooser draws. */
final class TxnScheduler {

    /*
     * For a choice among those who wait it must be certain who does: nothing has happened for a while. Where not all choices are to
     * be tried, a client that is alone need not wait for others that may come. Sessions are told apart by what they have sent,
     * so that it does not matter which connection was first.
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

    /** @param openSessions how many there are now */
    TxnScheduler(ReentrantLock lock, long patienceMs, IntSupplier openSessions) {
        this.openSessions = openSessions;
        this.changed = lock.newCondition();
        this.patienceMs = patienceMs;
    }

    /**
     * Makes the next turn a choice from now on, once no session has done anything for the given time.
     *
     * @param mustBeCertain whether also a client that is alone waits for others that may come
     */
    void choose(AnswerChooser next, long settleMs, boolean mustBeCertain) {
        chooser = next;
        isCertain = mustBeCertain;
        settleNs = TimeUnit.MILLISECONDS.toNanos(settleMs);
    }

    /** A client has done something. */
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
