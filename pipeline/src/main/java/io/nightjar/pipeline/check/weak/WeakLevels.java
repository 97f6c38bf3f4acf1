package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.CausalOrder;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.ParallelTasks;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides read committed, read atomic and causal consistency of a history, each once, with shared intermediate results.
 * A caller of several levels requests the strongest first: if it holds, the others do, and nothing is derived for them.
 *
 * <p>A level holds by a theorem: the edges forced by its rule have no cycle. Not thread-safe.
 */
public final class WeakLevels {

    /*
     * Algorithm. Each level adds forced edges to sessions and reads, by its rule, and holds if a depth-first search
     * finds an order that respects them all. Reasons and cycles are searched only if no such order exists. Known orders
     * of versions are edges of every level. The causal rule has clocks with a column per session; if sessions are many,
     * writers are swept in blocks instead.
     *
     * If a level holds, the weaker levels hold. If it is violated, the weaker levels are decided first, because a cycle
     * that they forbid is a stronger finding; time is reserved for that.
     *
     * Invariant. Rules derive in pieces, each with separate edges, which are concatenated in the order of the pieces:
     * the same edges in the same order as one thread derives.
     */

    private static final long MAX_CLOCK_BYTES = 1L << 30;
    private static final int SHARE_FOR_CLOCKS = 3;
    private static final int MAX_CLOCK_COLUMNS = 256;
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

    /** @param budget checked continuously; a level that exceeds it is undecided */
    public WeakLevels(ClientHistory history, Budget budget) {
        this(history, budget, Math.min(MAX_CLOCK_BYTES, budget.memoryBytes() / SHARE_FOR_CLOCKS));
    }

    /** @param maxBytes memory limit of the clocks or bits of the causal check */
    public WeakLevels(ClientHistory history, Budget budget, long maxBytes) {
        this.history = history;
        this.budget = budget;
        this.maxBytes = maxBytes;
        this.writeSets = new WriteSets(history);
    }

    public LevelAnswer readCommitted() {
        if (readCommitted == null) {
            readCommitted = holds(readAtomic) || holds(causal) ? LevelAnswer.holds() : decideReadCommitted();
        }
        return readCommitted;
    }

    public LevelAnswer readAtomic() {
        if (readAtomic == null) {
            readAtomic = holds(causal) ? LevelAnswer.holds() : decideReadAtomic();
        }
        return readAtomic;
    }

    public LevelAnswer causal() {
        if (causal == null) {
            causal = decideCausal();
        }
        return causal;
    }

    private static boolean holds(@Nullable LevelAnswer answer) {
        return answer != null && answer.verdict() == Verdict.HOLDS;
    }

    private LevelAnswer decideReadCommitted() {
        LevelEdges edges = new LevelEdges(history);
        int[] pieces = piecesOf(history.txnCount, history.firstReadOf);
        if (!derive(() -> new ReadCommittedRule(history, writeSets), pieces, edges, budget)) {
            return undecided(IsolationLevel.READ_COMMITTED, budget);
        }
        if (isFreeOfCycles(edges)) {
            return LevelAnswer.holds();
        }
        cyclesOfReadCommitted = new CommitCycles(history, writeSets, IsolationLevel.READ_COMMITTED, edges, null);
        return LevelAnswer.violated(cyclesOfReadCommitted.contradictions(), 0);
    }

    private LevelAnswer decideReadAtomic() {
        LevelEdges edges = new LevelEdges(history);
        int[] pieces = piecesOf(history.sessionCount, history.firstTxnOf);
        Budget whole = budget.largerPortion();
        boolean isDerived = derive(() -> new ReadAtomicRule(history, writeSets), pieces, edges, whole);
        if (isDerived && isFreeOfCycles(edges)) {
            return LevelAnswer.holds();
        }
        LevelAnswer weaker = readCommitted();
        if (!isDerived) {
            return orWeaker(undecided(IsolationLevel.READ_ATOMIC, whole), weaker);
        }
        cyclesOfReadAtomic =
                new CommitCycles(history, writeSets, IsolationLevel.READ_ATOMIC, edges, cyclesOfReadCommitted);
        return LevelAnswer.violated(cyclesOfReadAtomic.contradictions(), 0);
    }

    private LevelAnswer decideCausal() {
        if (causalOrder == null) {
            causalOrder = CausalOrder.of(history);
        }
        if (causalOrder == null) { // reads and sessions form a cycle, which read committed reports
            return orWeaker(undecided(IsolationLevel.CAUSAL, budget), readAtomic());
        }
        LevelEdges edges = new LevelEdges(history);
        Budget whole = budget.largerPortion();
        boolean isDerived = deriveCausal(edges, causalOrder, whole);
        if (isDerived && isFreeOfCycles(edges)) {
            return LevelAnswer.holds();
        }
        LevelAnswer weaker = readAtomic();
        if (!isDerived) {
            return orWeaker(undecided(IsolationLevel.CAUSAL, whole), weaker);
        }
        CommitCycles cycles = new CommitCycles(history, writeSets, IsolationLevel.CAUSAL, edges, cyclesOfReadAtomic);
        return LevelAnswer.violated(cycles.contradictions(), 0);
    }

    private boolean deriveCausal(LevelEdges edges, int[] order, Budget budget) {
        if (history.sessionCount > MAX_CLOCK_COLUMNS
                || CausalClocks.byteSize(history.txnCount, history.sessionCount) > maxBytes) {
            return new CausalSweep(history, writeSets, order, edges, maxBytes).derive(budget);
        }
        Chains sessions = Chains.ofSessions(history);
        CausalClocks clocks = CausalClocks.of(history, sessions, order, budget);
        if (clocks == null) {
            return false;
        }
        CausalRule rule = new CausalRule(history, sessions, clocks, order, budget.helpers());
        int[] pieces = piecesOf(history.keyCount, rule.firstReaderOf());
        return derive(rule::forThread, pieces, edges, budget) && edges.settle(sessions, history.txnCount);
    }

    private int[] piecesOf(int count, int[] firstStepOf) {
        return ParallelTasks.bounds(budget.helpers().pieces(history.readCount), count, firstStepOf);
    }

    /**
     * Derives the edges of a rule in concurrent pieces, and concatenates them in their order.
     *
     * @param bounds of the pieces
     * @return false if the budget is spent, or too much is forced
     */
    private boolean derive(Supplier<WeakRule> newRule, int[] bounds, LevelEdges edges, Budget budget) {
        int pieces = bounds.length - 1;
        if (pieces == 1) {
            return newRule.get().derive(bounds[0], bounds[1], edges, budget);
        }
        LevelEdges[] derived = new LevelEdges[pieces];
        AtomicBoolean isOver = new AtomicBoolean();
        budget.helpers().run(maxThreads(), pieces, () -> {
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

    /** Returns the number of threads whose scratch data per transaction and key fits into memory. */
    private int maxThreads() {
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
        edges.forgetSorted();
        if (order != null) {
            causalOrder = order;
        }
        return order != null;
    }

    /** Returns the violation of a weaker level, which is one of this level too, or else the level's verdict. */
    private static LevelAnswer orWeaker(LevelAnswer answer, LevelAnswer weaker) {
        return weaker.contradictions().isEmpty() ? answer : weaker;
    }

    /** @param budget budget of the level */
    private LevelAnswer undecided(IsolationLevel level, Budget budget) {
        String reason = budget.isSpent()
                ? "the time budget ran out before " + level.longName() + " was decided"
                : "the orders that " + level.longName() + " forces among " + history.txnCount
                        + " transactions do not fit into memory";
        return LevelAnswer.undecided(reason, 0);
    }
}
