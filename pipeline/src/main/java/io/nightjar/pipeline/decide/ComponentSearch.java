package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.Component;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Parameters for the search of components: all data required in addition to the component, so that any thread or
 * machine can run it.
 *
 * @param open the levels that are still to be decided
 * @param componentNanos time limit per component
 * @param crossChecks whether each component is searched in two ways that must agree
 */
public record ComponentSearch(Set<IsolationLevel> open, long componentNanos, boolean crossChecks) {

    /*
     * Bytes of the nodes, chains and edges of an order, without clock rows: those are omitted if they do not fit.
     */
    private static final long BYTES_PER_TXN = 150;
    private static final long BYTES_PER_READ = 30;

    /** @param number the component's, for the answer */
    public ComponentAnswer decide(int number, Component component, Budget budget) {
        long startNs = System.nanoTime();
        long neededBytes = neededBytes(component.history);
        Map<IsolationLevel, LevelAnswer> answers = neededBytes > budget.memoryBytes()
                ? unfit(component.history, neededBytes, budget)
                : new ComponentDecision(component.history, open, budget, componentNanos, crossChecks).decide();
        return new ComponentAnswer(number, component, answers, (System.nanoTime() - startNs) / 1e9);
    }

    /** Returns the minimum memory that a search requires for a component. */
    private static long neededBytes(ClientHistory history) {
        return BYTES_PER_TXN * history.txnCount + BYTES_PER_READ * history.externalReadCount();
    }

    /**
     * Returns the maximum memory that searching a history of the given size can require, for any partition into
     * components.
     */
    public static long maxBytes(long txnCount, long opCount, long sessionCount) {
        long rows = 2 * txnCount * sessionCount * Integer.BYTES;
        return 2 * rows + BYTES_PER_TXN * txnCount + BYTES_PER_READ * opCount;
    }

    private Map<IsolationLevel, LevelAnswer> unfit(ClientHistory history, long neededBytes, Budget budget) {
        Map<IsolationLevel, LevelAnswer> answers = new EnumMap<>(IsolationLevel.class);
        String reason = "the search among " + history.txnCount + " transactions needs " + neededBytes
                + " bytes of memory and has " + budget.memoryBytes() + "; give more --memory";
        for (IsolationLevel level : open) {
            answers.put(level, LevelAnswer.undecided(reason, 0));
        }
        return answers;
    }
}
