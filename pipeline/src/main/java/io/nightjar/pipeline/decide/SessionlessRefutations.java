package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.decide.ValueVerdicts.Refutation;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Selection of the contradictions that do not need session order: the few transactions of each are checked again, each
 * in a separate session. A level that this check rules out is ruled out in the whole history.
 */
public final class SessionlessRefutations {

    private SessionlessRefutations() {}

    /**
     * Finds refutations that rule out some levels when each transaction is a separate session.
     *
     * @param found with session order
     * @param wanted some of the six
     * @param maxTries maximum number of refutations checked
     */
    public static List<Refutation> among(
            List<Refutation> found, Set<IsolationLevel> wanted, int maxTries, Budget budget) {
        List<Refutation> left = new ArrayList<>();
        for (Refutation refutation : found.subList(0, Math.min(maxTries, found.size()))) {
            if (!budget.isSpent()) {
                left.addAll(decideAlone(refutation, wanted, budget));
            }
        }
        return left;
    }

    private static List<Refutation> decideAlone(Refutation refutation, Set<IsolationLevel> wanted, Budget budget) {
        Contradiction contradiction = refutation.contradiction();
        int[] txns = contradiction.txns().stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        ClientHistory alone = refutation.history().restrictedTo(txns).withoutSessions();
        LevelDecision decision = new LevelDecision(alone, wanted, false, Long.MAX_VALUE / 4, false);
        List<Component> components = decision.begin(budget);
        List<ComponentAnswer> answers = new ArrayList<>();
        for (int number = 0; number < components.size(); number++) {
            answers.add(decision.decide(number, budget));
        }
        return decision.finish(answers).refutations();
    }
}
