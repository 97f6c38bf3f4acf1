package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.CountingSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a history as a few chains, within each of which one follows the other by session order and reads.
 * The columns of a vector clock. Immutable by convention.
 */
public final class Chains {

    /*
     * Layout.
     *
     *   chain   0 .. chainCount
     *   txns    chain after chain: firstOf[chain] .. firstOf[chain + 1], each in causal order
     *
     * Algorithm. Sessions are chains. If they are many and short, clocks with a column per session would cost
     * transactions times sessions, so sessions are joined. Transactions are processed in causal order, by the length of
     * their longest path of predecessors, smallest first. Each is appended to a chain whose last transaction is in its
     * past: the chain of its session if that is free, else the chain of a transaction it read from, else any. Its past
     * is a clock over the chains so far, stored until the last of its direct successors has been placed.
     *
     * Cost. Transactions times direct predecessors times chains, so the caller limits the number of chains. Every cover
     * has at least as many chains as the largest set of transactions of which none precedes another. Transactions that
     * no transaction read from and that end their session are such a set, so short sessions with few writes make
     * thousands of chains at best.
     */

    /** Minimum average number of transactions of a session for sessions to be used as chains. */
    private static final int LONG_SESSION = 16;

    /** Up to how many sessions are chains as they are. */
    private static final int FEW_SESSIONS = 64;

    public final int chainCount;

    /** A chain by transaction. */
    public final int[] chainOf;

    /** The position of each transaction in its chain, from 0. */
    public final int[] positionOf;

    public final int[] firstOf;
    public final int[] txns;

    private Chains(int chainCount, int[] chainOf, int[] positionOf) {
        this.chainCount = chainCount;
        this.chainOf = chainOf;
        this.positionOf = positionOf;
        this.firstOf = CountingSort.firstOf(chainOf, chainCount);
        this.txns = new int[positionOf.length];
        for (int txn = 0; txn < txns.length; txn++) {
            txns[firstOf[chainOf[txn]] + positionOf[txn]] = txn;
        }
    }

    /** Returns the chains of a history whose session order and reads are free of cycles. */
    public static Chains of(ClientHistory history) {
        if (areSessionsFewOrLong(history)) {
            return ofSessions(history);
        }
        int[] order = CausalOrder.of(history);
        if (order == null) {
            throw new IllegalArgumentException("reads and sessions go in a circle: txnCount=" + history.txnCount);
        }
        return requireNonNull(of(history, order, Integer.MAX_VALUE), "no limit");
    }

    /**
     * @param causalOrder all transactions, in an order that respects sessions and reads
     * @param maxChains maximum number of chains
     * @return null if it would be exceeded
     */
    public static @Nullable Chains of(ClientHistory history, int[] causalOrder, int maxChains) {
        if (areSessionsFewOrLong(history) && history.sessionCount <= maxChains) {
            return ofSessions(history);
        }
        Joining joining = new Joining(history);
        if (joining.run(causalOrder, maxChains) && joining.chainCount < history.sessionCount) {
            return new Chains(joining.chainCount, joining.chainOf, joining.positionOf);
        }
        return history.sessionCount <= maxChains ? ofSessions(history) : null;
    }

    /** Returns the sessions as chains, for any number of sessions. */
    public static Chains ofSessions(ClientHistory history) {
        int[] chainOf = Arrays.copyOf(history.sessionOf, history.txnCount);
        int[] positionOf = new int[history.txnCount];
        for (int txn = 0; txn < positionOf.length; txn++) {
            positionOf[txn] = history.positionOf(txn);
        }
        return new Chains(history.sessionCount, chainOf, positionOf);
    }

    private static boolean areSessionsFewOrLong(ClientHistory history) {
        return history.sessionCount <= FEW_SESSIONS || history.txnCount / LONG_SESSION >= history.sessionCount;
    }

    /** The state of joining sessions to chains. */
    private static final class Joining {

        private static final int NO_CHAIN = -1;

        private final ClientHistory history;
        private final int[] chainOf;
        private final int[] positionOf;
        private int[] lengthOf = new int[64];
        private int chainCount;

        /** By transaction: how many of each chain are in its past, itself included. Null before and after. */
        private final int[][] clockOf;

        private final int[] followersLeftOf;

        Joining(ClientHistory history) {
            this.history = history;
            this.chainOf = new int[history.txnCount];
            this.positionOf = new int[history.txnCount];
            this.clockOf = new int[history.txnCount][];
            this.followersLeftOf = new int[history.txnCount];
        }

        /** Joins the transactions into chains; returns false if the maximum would be exceeded. */
        boolean run(int[] causalOrder, int maxChains) {
            for (int read = 0; read < history.readCount; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    followersLeftOf[history.writerOf[read]]++;
                }
            }
            for (int txn = 1; txn < history.txnCount; txn++) {
                if (followsInSession(txn)) {
                    followersLeftOf[txn - 1]++;
                }
            }
            int[] clock = new int[64];
            for (int txn : CausalOrder.byDepth(history, causalOrder)) {
                Arrays.fill(clock, 0, chainCount, 0);
                joinPast(txn, clock);
                int chain = chooseChain(txn, clock);
                if (chain == NO_CHAIN) {
                    if (chainCount == maxChains) {
                        return false;
                    }
                    chain = chainCount++;
                    if (chain == lengthOf.length) {
                        lengthOf = Arrays.copyOf(lengthOf, 2 * chain);
                    }
                    if (chain == clock.length) {
                        clock = Arrays.copyOf(clock, 2 * chain);
                    }
                }
                chainOf[txn] = chain;
                positionOf[txn] = lengthOf[chain]++;
                clock[chain] = lengthOf[chain];
                if (followersLeftOf[txn] > 0) {
                    clockOf[txn] = Arrays.copyOf(clock, chainCount);
                }
            }
            return true;
        }

        private void joinPast(int txn, int[] clock) {
            if (followsInSession(txn)) {
                join(txn - 1, clock);
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    join(history.writerOf[read], clock);
                }
            }
        }

        private void join(int earlier, int[] clock) {
            int[] past = clockOf[earlier];
            if (clock[chainOf[earlier]] <= positionOf[earlier]) {
                for (int chain = 0; chain < past.length; chain++) {
                    clock[chain] = Math.max(clock[chain], past[chain]);
                }
            }
            if (--followersLeftOf[earlier] == 0) {
                clockOf[earlier] = null;
            }
        }

        private int chooseChain(int txn, int[] clock) {
            if (followsInSession(txn) && isLast(txn - 1)) {
                return chainOf[txn - 1];
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                if (writer != ClientHistory.INITIAL && isLast(writer)) {
                    return chainOf[writer];
                }
            }
            for (int chain = 0; chain < chainCount; chain++) {
                if (clock[chain] == lengthOf[chain]) {
                    return chain;
                }
            }
            return NO_CHAIN;
        }

        private boolean isLast(int txn) {
            return positionOf[txn] + 1 == lengthOf[chainOf[txn]];
        }

        private boolean followsInSession(int txn) {
            return txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn];
        }
    }
}
