package io.nightjar.pipeline.check.frontier;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.Minimiser;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides prefix, snapshot isolation and serializability by searching for an order over the frontiers of sessions. */
public final class AntichainSearch {

    /*
     * Algorithm. Order edges that need no choice are derived first (EdgeDerivation), which leaves few frontiers of most
     * histories. Then DepthFirstSearch visits frontiers. If nothing is left to try, no order exists, and the
     * transactions are reduced to a small subset without one.
     *
     * Cost. With k sessions at most (n / k)^k frontiers exist, so for a fixed number of sessions the search is
     * polynomial.
     *
     * Source. docs/papers.md#biswas-enea, theorem 4.8
     */

    /** Default memory limit for failed frontiers. */
    public static final long DEFAULT_MEMO_BYTES = 256L << 20;

    private static final Set<IsolationLevel> LEVELS =
            EnumSet.of(IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);
    private static final String ALGORITHM = "antichain";

    /** Maximum time of the reduction relative to that of the search; {@link #REDUCING_NANOS} in any case. */
    private static final long REDUCING_FACTOR = 10;

    private static final long REDUCING_NANOS = 2_000_000_000L;

    private final ClientHistory history;
    private final Budget budget;
    private final long memoBytes;

    public AntichainSearch(ClientHistory history, Budget budget) {
        this(history, budget, Math.min(DEFAULT_MEMO_BYTES, budget.memoryBytes() / 2));
    }

    /** @param memoBytes memory limit for failed frontiers; above it none is added and the search continues */
    public AntichainSearch(ClientHistory history, Budget budget, long memoBytes) {
        this.history = history;
        this.budget = budget;
        this.memoBytes = memoBytes;
    }

    public LevelAnswer decide(IsolationLevel level) {
        return decide(level, null);
    }

    /**
     * @param precedence precedences known in every order of the level, among transactions (SER), or among halves (PC,
     *     SI): {@code 2 txn} the snapshot and {@code 2 txn + 1} the commit; null if none
     */
    public LevelAnswer decide(IsolationLevel level, @Nullable Digraph precedence) {
        if (!LEVELS.contains(level)) {
            throw new IllegalArgumentException("not a level to search for: level=" + level);
        }
        long startNs = System.nanoTime();
        DepthFirstSearch walk = walk(history, level, precedence, budget);
        if (walk.verdict() == Verdict.HOLDS) {
            return LevelAnswer.holds(walk.witness(), walk.stateCount());
        }
        if (walk.verdict() == Verdict.UNDECIDED) {
            return LevelAnswer.undecided(
                    "the time budget ran out during the search for an order: " + walk.furthest() + " of "
                            + history.txnCount + " transactions were ordered at best, after " + walk.stateCount()
                            + " states",
                    walk.stateCount());
        }
        long spentNs = System.nanoTime() - startNs;
        Budget toReduce = budget.portion(Math.max(REDUCING_NANOS, REDUCING_FACTOR * spentNs));
        return LevelAnswer.violated(List.of(contradiction(level, toReduce)), walk.stateCount());
    }

    private DepthFirstSearch walk(
            ClientHistory component, IsolationLevel level, @Nullable Digraph precedence, Budget until) {
        DepthFirstSearch walk = new DepthFirstSearch(component, level, precedence, memoBytes, until);
        walk.run();
        return walk;
    }

    // ---------------------------------------------------------------- no order exists

    private Contradiction contradiction(IsolationLevel level, Budget until) {
        int[] all = new int[history.txnCount];
        for (int txn = 0; txn < all.length; txn++) {
            all[txn] = txn;
        }
        int[] needed = Minimiser.minimise(all, txns -> isViolated(history.restrictedTo(txns), level, until), until);
        ClientHistory rest = history.restrictedTo(needed);
        IsolationLevel weakest = level;
        for (IsolationLevel weaker : LEVELS) {
            if (weaker.compareTo(weakest) < 0 && isViolated(rest, weaker, until)) {
                weakest = weaker;
            }
        }
        List<Integer> txns = new ArrayList<>();
        for (int txn : needed) {
            txns.add(txn);
        }
        return new Contradiction(weakest, anomaly(weakest), ALGORITHM, txns, List.of());
    }

    private boolean isViolated(ClientHistory component, IsolationLevel level, Budget until) {
        return walk(component, level, null, until).verdict() == Verdict.VIOLATED;
    }

    private static Anomaly anomaly(IsolationLevel level) {
        return switch (level) {
            case PREFIX -> Anomaly.NO_PREFIX_ORDER;
            case SNAPSHOT_ISOLATION -> Anomaly.NO_SNAPSHOT_ORDER;
            default -> Anomaly.NO_SERIAL_ORDER;
        };
    }
}
