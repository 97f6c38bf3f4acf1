package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.CausalOrder;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.Helpers;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides read committed, read atomic and causal consistency of a history, each once, sharing what they have in common.
 *
 * <p>A level that holds says so by a theorem: nothing that its rule forces goes in a circle. Not thread-safe.
 */
public final class WeakLevels {

    /*
     * Each level adds forced edges to sessions and reads, by its rule, and holds if a depth-first search finds an order
     * that keeps them all. Reasons and cycles are looked for only where there is none. Known orders of versions are
     * edges of every level.
     *
     * Rules derive in pieces, each with edges of its own, and the edges come behind each other in the order of the pieces: the
     * same edges as one thread derives, in the same order.
     *
     * The causal rule has clocks with a column for each session. Where sessions are many, writers are swept in blocks
     * instead.
     */

    private static final long MOST_CLOCK_BYTES = 1L << 30;
    private static final int SHARE_FOR_CLOCKS = 3;
    private static final int MOST_CLOCK_COLUMNS = 256;
    private static final int SHARE_FOR_RULES = 16;
    private static final long BYTES_PER_ENTRY = 16;

    private final ClientHistory history;
    private final Budget budget;
    private final long maxBytes;
    private final WriteSets writeSets;

    private @Nullable LevelAnswer readCommitted;
    private @Nullable LevelAnswer readAtomic;
    private @Nullable LevelAnswer causal;

    private int @Nullable [] causalOrder;
    private @Nullable CommitCycles cyclesOfReadCommitted;
    private @Nullable CommitCycles cyclesOfReadAtomic;

    /** @param budget asked all along; a level that it does not suffice for is undecided */
    public WeakLevels(ClientHistory history, Budget budget) {
        this(history, budget, Math.min(MOST_CLOCK_BYTES, budget.memoryBytes() / SHARE_FOR_CLOCKS));
    }

    /** @param maxBytes what the clocks or bits of the causal check may take */
    public WeakLevels(ClientHistory history, Budget budget, long maxBytes) {
        this.history = history;
        this.budget = budget;
        this.maxBytes = maxBytes;
        this.writeSets = new WriteSets(history);
    }

    public LevelAnswer readCommitted() {
        if (readCommitted == null) {
            LevelEdges edges = new LevelEdges(history);
            int[] pieces = piecesOf(history.txnCount, history.firstReadOf);
            if (!derive(() -> new ReadCommittedRule(history, writeSets), pieces, edges)) {
                readCommitted = undecided(IsolationLevel.READ_COMMITTED);
            } else if (isFreeOfCycles(edges)) {
                readCommitted = LevelAnswer.holds();
            } else {
                cyclesOfReadCommitted =
                        new CommitCycles(history, writeSets, IsolationLevel.READ_COMMITTED, edges, null);
                readCommitted = LevelAnswer.violated(cyclesOfReadCommitted.contradictions(), 0);
            }
        }
        return readCommitted;
    }

    public LevelAnswer readAtomic() {
        if (readAtomic == null) {
            LevelAnswer weaker = readCommitted();
            LevelEdges edges = new LevelEdges(history);
            int[] pieces = piecesOf(history.sessionCount, history.firstTxnOf);
            if (!derive(() -> new ReadAtomicRule(history, writeSets), pieces, edges)) {
                readAtomic = orWeaker(undecided(IsolationLevel.READ_ATOMIC), weaker);
            } else if (isFreeOfCycles(edges)) {
                readAtomic = LevelAnswer.holds();
            } else {
                cyclesOfReadAtomic =
                        new CommitCycles(history, writeSets, IsolationLevel.READ_ATOMIC, edges, cyclesOfReadCommitted);
                readAtomic = LevelAnswer.violated(cyclesOfReadAtomic.contradictions(), 0);
            }
        }
        return readAtomic;
    }

    public LevelAnswer causal() {
        if (causal == null) {
            LevelAnswer weaker = readAtomic();
            if (causalOrder == null) {
                causalOrder = CausalOrder.of(history);
            }
            if (causalOrder == null) { // reads and sessions go in a circle, which read committed has reported
                causal = orWeaker(undecided(IsolationLevel.CAUSAL), weaker);
                return causal;
            }
            LevelEdges edges = new LevelEdges(history);
            if (!deriveCausal(edges, causalOrder)) {
                causal = orWeaker(undecided(IsolationLevel.CAUSAL), weaker);
            } else if (isFreeOfCycles(edges)) {
                causal = LevelAnswer.holds();
            } else {
                CommitCycles cycles =
                        new CommitCycles(history, writeSets, IsolationLevel.CAUSAL, edges, cyclesOfReadAtomic);
                causal = LevelAnswer.violated(cycles.contradictions(), 0);
            }
        }
        return causal;
    }

    private boolean deriveCausal(LevelEdges edges, int[] order) {
        if (history.sessionCount > MOST_CLOCK_COLUMNS
                || CausalClocks.byteSize(history.txnCount, history.sessionCount) > maxBytes) {
            return new CausalSweep(history, writeSets, order, edges, maxBytes).derive(budget);
        }
        Chains sessions = Chains.ofSessions(history);
        CausalClocks clocks = CausalClocks.of(history, sessions, order, budget);
        if (clocks == null) {
            return false;
        }
        CausalRule rule = new CausalRule(history, sessions, clocks, order);
        int[] pieces = piecesOf(history.keyCount, rule.firstReaderOf());
        return derive(rule::forThread, pieces, edges) && edges.settle(sessions, history.txnCount);
    }

    private int[] piecesOf(int count, int[] firstStepOf) {
        return Helpers.bounds(budget.helpers().pieces(history.readCount), count, firstStepOf);
    }

    /**
     * Lets a rule derive what it forces, in pieces side by side, and puts them together in their order.
     *
     * @param bounds of the pieces
     * @return false if the budget is spent, or too much is forced
     */
    private boolean derive(Supplier<WeakRule> newRule, int[] bounds, LevelEdges edges) {
        int pieces = bounds.length - 1;
        if (pieces == 1) {
            return newRule.get().derive(bounds[0], bounds[1], edges, budget);
        }
        LevelEdges[] derived = new LevelEdges[pieces];
        AtomicBoolean isOver = new AtomicBoolean();
        budget.helpers().run(mostThreads(), pieces, () -> {
            WeakRule rule = newRule.get();
            return piece -> {
                LevelEdges into = edges.ofPiece(pieces);
                if (isOver.get() || !rule.derive(bounds[piece], bounds[piece + 1], into, budget)) {
                    isOver.set(true);
                }
                derived[piece] = into;
            };
        });
        for (int piece = 0; piece < pieces && !isOver.get(); piece++) {
            edges.addAll(derived[piece]);
            derived[piece] = null;
        }
        return !isOver.get();
    }

    /** As many threads as have room for what a rule notes of transactions and keys. */
    private int mostThreads() {
        long each = BYTES_PER_ENTRY * ((long) history.txnCount + history.keyCount);
        return (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, budget.memoryBytes() / SHARE_FOR_RULES / Math.max(1, each)));
    }

    private boolean isFreeOfCycles(LevelEdges edges) {
        if (edges.staleReadCount() > 0) {
            return false;
        }
        edges.sort(history.txnCount);
        int[] order = CausalOrder.of(history, edges.firstBeforeOf, edges.before);
        if (order != null) {
            causalOrder = order;
        }
        return order != null;
    }

    /** A violation of a weaker level is one of this level too, whatever became of its own check. */
    private static LevelAnswer orWeaker(LevelAnswer own, LevelAnswer weaker) {
        return weaker.contradictions().isEmpty() ? own : weaker;
    }

    private LevelAnswer undecided(IsolationLevel level) {
        String reason = budget.isSpent() ? "budget spent" : "more orderings are forced than memory holds";
        return LevelAnswer.undecided(reason + ": check=" + level.longName() + " txnCount=" + history.txnCount, 0);
    }
}
