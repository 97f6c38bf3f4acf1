package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.check.frontier.AntichainSearch;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides prefix consistency, snapshot isolation and serializability of one component, each only if it has to. */
final class ComponentDecision {

    /*
     * From strong to weak: an order that satisfies a level satisfies the weaker ones, so they hold without a search.
     * Conversely, a contradiction names the weakest level that it rules out, and all stronger levels are violated.
     *
     * Guesses and propagation come first. When their share of the budget is spent, the antichain search uses the rest,
     * if the sessions are few enough to store its states.
     */

    private static final int MAX_SESSIONS_TO_SEARCH = 64;
    private static final int MAX_TXNS_TO_SEARCH = 20_000;

    private final ClientHistory componentHistory;
    private final Set<IsolationLevel> wanted;
    private final Budget budget;
    private final long budgetNanos;
    private final boolean crossChecks;
    private final OrderChecker orders;
    private final Map<IsolationLevel, LevelAnswer> answers = new EnumMap<>(IsolationLevel.class);

    /** @param budgetNanos time limit of the component, within its budget */
    ComponentDecision(
            ClientHistory componentHistory,
            Set<IsolationLevel> wanted,
            Budget budget,
            long budgetNanos,
            boolean crossChecks) {
        this.componentHistory = componentHistory;
        this.wanted = wanted;
        this.budget = budget.portion(budgetNanos);
        this.budgetNanos = budgetNanos;
        this.crossChecks = crossChecks;
        this.orders = new OrderChecker(componentHistory, budget.portion(budgetNanos * 3 / 4));
    }

    Map<IsolationLevel, LevelAnswer> decide() {
        decide(IsolationLevel.SERIALIZABLE);
        decide(IsolationLevel.SNAPSHOT_ISOLATION);
        decide(IsolationLevel.PREFIX);
        answers.keySet().retainAll(wanted);
        return answers;
    }

    private void decide(IsolationLevel level) {
        if (!wanted.contains(level) || answers.containsKey(level)) {
            return;
        }
        LevelAnswer answer = search(level);
        answers.put(level, answer);
        switch (answer.verdict()) {
            case HOLDS -> weakerThan(level).forEach(weaker -> answers.put(weaker, answer));
            case VIOLATED -> ruleOut(answer);
            case UNDECIDED -> {}
        }
    }

    /** Rules out, by each contradiction, every level between the weakest that it contradicts and the strongest. */
    private void ruleOut(LevelAnswer answer) {
        for (IsolationLevel level : StrongLevels.ALL) {
            for (Contradiction contradiction : answer.contradictions()) {
                LevelAnswer known = answers.get(level);
                boolean isOpen = known == null || known.verdict() == Verdict.UNDECIDED;
                if (isOpen && contradiction.level().compareTo(level) <= 0) {
                    answers.put(level, LevelAnswer.violated(answer.contradictions(), answer.searchStates()));
                }
            }
        }
    }

    private static List<IsolationLevel> weakerThan(IsolationLevel level) {
        return StrongLevels.ALL.subList(0, StrongLevels.ALL.indexOf(level));
    }

    private LevelAnswer search(IsolationLevel level) {
        LevelAnswer first = orders.decide(level);
        boolean isSmall = componentHistory.sessionCount <= MAX_SESSIONS_TO_SEARCH
                && componentHistory.txnCount <= MAX_TXNS_TO_SEARCH;
        boolean isEachWriterKnown =
                componentHistory.observations == null; // its frontier would have to name the current versions
        boolean needsSecond = isEachWriterKnown && (crossChecks || first.verdict() == Verdict.UNDECIDED && isSmall);
        if (!needsSecond || budget.isSpent()) {
            return first;
        }
        LevelAnswer second = new AntichainSearch(componentHistory, budget.portion(budgetNanos / 2)).decide(level);
        if (first.verdict() == Verdict.UNDECIDED) {
            return second.verdict() == Verdict.UNDECIDED ? first : second;
        }
        if (second.verdict() != Verdict.UNDECIDED && second.verdict() != first.verdict()) {
            throw new AssertionError("two searches disagree: level=" + level.longName() + " orders=" + first.verdict()
                    + " antichain=" + second.verdict() + " transactions=" + componentHistory.txnCount + " sessions="
                    + componentHistory.sessionCount + " firstTxnId=" + componentHistory.txnIdOf[0]);
        }
        return first;
    }
}
