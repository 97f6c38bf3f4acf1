package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.Component;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * How the components of a history are searched: all that is needed beside the component, so that any thread can do it, or
 * another machine.
 *
 * @param open the levels that are still to be decided
 * @param componentNanos how long one component may take
 * @param crossChecks whether each component is searched in two ways that must agree
 */
public record ComponentSearch(Set<IsolationLevel> open, long componentNanos, boolean crossChecks) {

    private static final IsolationLevel[] LEVELS = IsolationLevel.values();

    /* What the nodes, chains and edges of an order take, without clock rows: those are given up where they do not fit. */
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

    /** The least that a search holds of a component, whatever it finds. */
    private static long neededBytes(ClientHistory history) {
        return BYTES_PER_TXN * history.txnCount + BYTES_PER_READ * history.readCount;
    }

    /**
     * The most that searching a history of the given number of transactions and sessions can hold at once, however it is cut into
     * components: what memory there is for it need not be more.
     */
    public static long mostBytes(long txnCount, long opCount, long sessionCount) {
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

    public void encode(ByteSink to) {
        to.putVarint(open.size());
        open.forEach(level -> to.putVarint(level.ordinal()));
        to.putVarint(componentNanos);
        to.putByte(crossChecks ? 1 : 0);
    }

    public static ComponentSearch decode(ByteFeed from) {
        Set<IsolationLevel> open = EnumSet.noneOf(IsolationLevel.class);
        for (int count = from.getCount(); count > 0; count--) {
            open.add(LEVELS[from.getCount()]);
        }
        return new ComponentSearch(open, from.getVarint(), from.getByte() == 1);
    }
}
