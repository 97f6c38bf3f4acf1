package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The timestamp up to which all commits are expected to have arrived. */
public final class Watermark {

    /*
     * Definitions. A mark has a time, or a number of transactions, and the largest commit until then. With a lateness
     * in seconds or transactions, the watermark is the largest commit of the newest mark that is older than the
     * lateness.
     *
     * A jump ahead is a commit farther from all others than the recent ones are from each other. It must not seal
     * transactions that are still to arrive, so it counts only once another transaction with no smaller commit confirms
     * it. The same is true of the very first commit.
     */

    private static final int TXNS_PER_MINIMUM = 50_000;
    /** No commit. */
    public static final long NOTHING = Long.MIN_VALUE;

    /** Minimum distance of marks. */
    private static final long STEP_MICROS = 5_000;

    /** Approximate number of steps of a watermark over transactions that arrive together. */
    private static final long MAX_STEPS = 64;

    private final Lateness lateness;
    private final long idleMicros;
    private final Deque<long[]> marks = new ArrayDeque<>();
    private long largest = NOTHING;
    private long confirmed = NOTHING;
    private long minCommit = Long.MAX_VALUE; // of the current group of transactions
    private long minCommitBefore = Long.MAX_VALUE; // of the previous group
    private int countOfMin;
    private long lastArrival = NOTHING;
    private long txnCount;
    private long reached = NOTHING;
    private long maxDisorder;

    private final Long2LongOpenHashMap lastCommitOf = new Long2LongOpenHashMap(); // by session
    private final Long2LongOpenHashMap lastSeenOf = new Long2LongOpenHashMap();

    /** @param idleMicros a session that is silent for this time does not hold the watermark back */
    public Watermark(Lateness lateness, long idleMicros) {
        this.lateness = lateness;
        this.idleMicros = idleMicros;
    }

    /** Observes arrived transactions. */
    public void observe(HistorySlice slice, long nowMicros) {
        long before = txnCount;
        txnCount += slice.txnCount;
        lastArrival = nowMicros;
        if (slice.commitTs == null) {
            return;
        }
        List<long[]> within = new ArrayList<>();
        long step = lateness.unit() == Lateness.Unit.TXNS
                ? Math.max(1, Math.max(lateness.amount(), slice.txnCount) / MAX_STEPS)
                : Long.MAX_VALUE;
        boolean bySession = lateness.unit() == Lateness.Unit.SESSIONS;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (txn > 0 && txn % step == 0) {
                within.add(new long[] {before + txn, top()});
            }
            long commit = slice.commitTs[txn];
            if (slice.status[txn] != TxnStatus.COMMITTED || commit == HistorySlice.NONE) {
                continue;
            }
            recordCommit(commit);
            if (commit >= largest) {
                confirmed = largest;
                largest = commit;
            } else {
                confirmed = Math.max(confirmed, commit);
                maxDisorder = Math.max(maxDisorder, (isJumpAhead() ? confirmed : largest) - commit);
            }
            if (bySession) {
                lastCommitOf.put(slice.sessionId[txn], commit);
                lastSeenOf.put(slice.sessionId[txn], nowMicros);
            }
        }
        for (long[] mark : within) {
            mark[1] = Math.min(mark[1], top()); // a later commit may have revealed a jump ahead
            marks.addLast(mark);
        }
        long position = lateness.unit() == Lateness.Unit.TXNS ? txnCount : nowMicros;
        long[] last = marks.peekLast();
        boolean isFine = lateness.unit() == Lateness.Unit.MICROS && last != null && position - last[0] < STEP_MICROS;
        if (!isFine && (lateness.unit() == Lateness.Unit.MICROS || lateness.unit() == Lateness.Unit.TXNS)) {
            marks.addLast(new long[] {position, top()});
        }
    }

    private void recordCommit(long commit) {
        if (countOfMin++ == TXNS_PER_MINIMUM) {
            minCommitBefore = minCommit;
            minCommit = Long.MAX_VALUE;
            countOfMin = 0;
        }
        minCommit = Math.min(minCommit, commit);
    }

    /** @param lastCommitOf by session */
    record State(
            long reached,
            long largest,
            long confirmed,
            long minCommit,
            long minCommitBefore,
            long maxDisorder,
            Map<Long, Long> lastCommitOf) {}

    State state() {
        return new State(reached, largest, confirmed, minCommit, minCommitBefore, maxDisorder, lastCommitOf);
    }

    /** Resumes from an earlier watermark, as if all earlier transactions had arrived now. */
    void resume(State before, long nowMicros) {
        reached = before.reached;
        largest = before.largest;
        confirmed = before.confirmed;
        minCommit = before.minCommit;
        minCommitBefore = before.minCommitBefore;
        maxDisorder = before.maxDisorder;
        lastCommitOf.putAll(before.lastCommitOf);
        lastCommitOf.keySet().forEach(session -> lastSeenOf.put(session, nowMicros));
        lastArrival = nowMicros;
        marks.addLast(new long[] {lateness.unit() == Lateness.Unit.TXNS ? txnCount : nowMicros, top()});
    }

    /** Returns the watermark at a time; never less than before. */
    public long at(long nowMicros) {
        long now =
                switch (lateness.unit()) {
                    case MICROS ->
                        lastArrival <= nowMicros - lateness.amount() ? top() : topBefore(nowMicros - lateness.amount());
                    case TXNS -> topBefore(txnCount - lateness.amount());
                    case TICKS -> top() < Long.MIN_VALUE + lateness.amount() ? NOTHING : top() - lateness.amount();
                    case SESSIONS -> minSessionCommit(nowMicros);
                };
        reached = Math.max(reached, now);
        return reached;
    }

    private long topBefore(long to) {
        long seen = reached;
        while (!marks.isEmpty() && marks.peekFirst()[0] <= to) {
            seen = marks.pollFirst()[1];
        }
        return seen;
    }

    private long minSessionCommit(long nowMicros) {
        long first = Long.MAX_VALUE;
        for (Long2LongOpenHashMap.Entry session : lastCommitOf.long2LongEntrySet()) {
            if (nowMicros - lastSeenOf.get(session.getLongKey()) < idleMicros) {
                first = Math.min(first, session.getLongValue() - 1); // its next one may commit at the same time
            }
        }
        return first == Long.MAX_VALUE ? NOTHING : Math.min(first, top());
    }

    /** Returns a commit so far ahead that it waits for another to confirm it; {@link #NOTHING} for none. */
    public long ahead() {
        return isJumpAhead() ? largest : NOTHING;
    }

    /** Returns the largest difference between the commit of an arrival and the largest commit before it. */
    public long maxDisorder() {
        return maxDisorder;
    }

    /** Returns the largest confirmed commit, or the largest one if it is not a jump ahead. */
    private long top() {
        return confirmed == NOTHING || isJumpAhead() ? confirmed : largest;
    }

    /** Returns whether the largest commit is a jump ahead that is not confirmed. */
    boolean isJumpAhead() {
        double span = (double) confirmed - Math.min(minCommit, minCommitBefore);
        return confirmed != NOTHING && (double) largest - confirmed > 1_000 + 2 * span;
    }

    long largest() {
        return largest;
    }
}
