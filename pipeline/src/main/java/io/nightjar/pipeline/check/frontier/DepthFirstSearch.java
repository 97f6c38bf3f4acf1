package io.nightjar.pipeline.check.frontier;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Depth-first search for an order that never visits a failed frontier again. */
final class DepthFirstSearch {

    /*
     * Layout.
     *
     *   trail     the steps that have happened, in their order
     *   choices   points with several possible next steps, and the step being tried: lengthAtChoice[choice],
     *             stepChosen[choice]
     *
     * Algorithm. Steps that need no choice are made at once. At a choice the possible steps are tried by rank, the
     * smallest first; since undoing restores the frontier exactly, the next step to try is the smallest that is larger
     * than the previous one, and no list of steps is stored. A frontier has failed when all of its choices have.
     */

    private static final int SESSIONS_PER_TIME_CHECK = 0x3FF;

    private final TxnSteps steps;
    private final ClientHistory history;
    private final Precedence precedence;
    private final Budget budget;
    private final long memoBytes;

    private Frontier frontier;
    private FailedFrontiers failed;
    private int[] rankOf;
    private int[] trail;
    private int length;
    private int[] lengthAtChoice;
    private int[] stepChosen;
    private int choiceCount;

    private Verdict verdict = Verdict.UNDECIDED;
    private long stateCount;
    private int furthest;
    private int sessionsLookedAt;
    private boolean isSpent;

    DepthFirstSearch(
            ClientHistory history, IsolationLevel level, @Nullable Digraph known, long memoBytes, Budget budget) {
        this.history = history;
        this.budget = budget;
        this.memoBytes = memoBytes;
        steps = new TxnSteps(history, level);
        precedence = new Precedence(steps, known);
    }

    Verdict verdict() {
        return verdict;
    }

    /** Returns the number of visited frontiers with a choice, each as often as it was visited. */
    long stateCount() {
        return stateCount;
    }

    /** Returns the maximum number of transactions ordered. */
    int furthest() {
        return steps.isSplit ? furthest / 2 : furthest;
    }

    void run() {
        run(EdgeDerivation.isWorthwhile(steps));
    }

    void run(boolean saturates) {
        if (budget.isSpent()) {
            return;
        }
        EdgeDerivation saturation = saturates ? new EdgeDerivation(steps, precedence, budget) : null;
        if (saturation == null ? !precedence.sort() : !saturation.run()) {
            verdict = Verdict.VIOLATED;
            return;
        }
        prepare(saturation);
        walk();
    }

    @SetsFields
    private void prepare(@Nullable EdgeDerivation saturation) {
        rankOf = ranks(saturation);
        frontier = new Frontier(steps, precedence);
        failed = new FailedFrontiers(frontier.packed().length, memoBytes);
        trail = new int[steps.stepCount];
        lengthAtChoice = new int[steps.stepCount];
        stepChosen = new int[steps.stepCount];
    }

    private void walk() {
        takeForcedSteps();
        while (length < steps.stepCount) {
            if (isSpent) {
                return;
            }
            stateCount++;
            int step = failed.contains(frontier.packed()) ? TxnSteps.NONE : nextChoice(-1);
            if (step != TxnSteps.NONE) {
                lengthAtChoice[choiceCount] = length;
                choose(step);
            } else if (!tryNext()) {
                verdict = isSpent ? Verdict.UNDECIDED : Verdict.VIOLATED;
                return;
            }
        }
        verdict = Verdict.HOLDS;
    }

    /** Backtracks to the last choice with an untried step and tries it; returns false if no step remains. */
    private boolean tryNext() {
        while (choiceCount > 0) {
            choiceCount--;
            while (length > lengthAtChoice[choiceCount]) {
                frontier.undo(trail[--length]);
            }
            int step = nextChoice(rankOf[stepChosen[choiceCount]]);
            if (isSpent) {
                return false;
            }
            if (step != TxnSteps.NONE) {
                choose(step);
                return true;
            }
            failed.add(frontier.packed());
        }
        return false;
    }

    private void choose(int step) {
        stepChosen[choiceCount++] = step;
        happen(step);
        takeForcedSteps();
    }

    /** Returns the step that may happen with the smallest rank above one, or {@link TxnSteps#NONE}. */
    private int nextChoice(int rank) {
        int best = TxnSteps.NONE;
        for (int session = 0; session < history.sessionCount; session++) {
            int step = frontier.next(session);
            checkTime();
            if (step != TxnSteps.NONE
                    && rankOf[step] > rank
                    && (best == TxnSteps.NONE || rankOf[step] < rankOf[best])
                    && frontier.mayHappen(step)) {
                best = step;
            }
        }
        return best;
    }

    private void takeForcedSteps() {
        int idle = 0;
        int session = 0;
        while (idle < history.sessionCount && !isSpent) {
            int step = frontier.next(session);
            checkTime();
            if (step != TxnSteps.NONE && frontier.mayHappen(step) && frontier.isForced(step)) {
                happen(step);
                idle = 0;
            } else {
                idle++;
                session = session + 1 == history.sessionCount ? 0 : session + 1;
            }
        }
    }

    private void happen(int step) {
        frontier.happen(step);
        trail[length++] = step;
        furthest = Math.max(furthest, length);
    }

    private void checkTime() {
        if ((++sessionsLookedAt & SESSIONS_PER_TIME_CHECK) == 0 && budget.isSpent()) {
            isSpent = true;
        }
    }

    // ---------------------------------------------------------------- ranks

    /**
     * Returns the ranks of the steps: by a hint's number first; then by how many steps must come before; then by the order of
     * precedence.
     */
    private int[] ranks(@Nullable EdgeDerivation saturation) {
        int count = steps.stepCount;
        long[] numbers = new long[count];
        int[] sorted = Arrays.copyOf(precedence.order, count);
        if (saturation != null) {
            for (int i = 0; i < count; i++) {
                numbers[i] = saturation.rank(sorted[i]);
            }
            RadixSort.sort(numbers, sorted, count);
        }
        if (history.hints.length > 0) {
            for (int i = 0; i < count; i++) {
                numbers[i] = history.hints[0][steps.txnOf(sorted[i])];
            }
            RadixSort.sort(numbers, sorted, count);
        }
        int[] ranks = new int[count];
        for (int rank = 0; rank < count; rank++) {
            ranks[sorted[rank]] = rank;
        }
        return ranks;
    }

    // ---------------------------------------------------------------- the order found

    CommitOrder witness() {
        int[] snapshotOf = new int[history.txnCount];
        int[] commitOf = steps.isSplit ? new int[history.txnCount] : snapshotOf;
        for (int position = 0; position < length; position++) {
            int txn = steps.txnOf(trail[position]);
            if (steps.isCommit(trail[position])) {
                commitOf[txn] = position;
            } else {
                snapshotOf[txn] = position;
            }
        }
        return steps.isSplit ? new CommitOrder(snapshotOf, commitOf) : CommitOrder.serial(commitOf);
    }
}
