package io.nightjar.jobs.mock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ordered log of the choices of a run: answers to reads, and turns of sessions.
 *
 * @param taken for a read, the distance from the newest allowed version; for a turn, the index among the waiting
 *     sessions
 * @param bounds number of possibilities of each choice
 * @param isTurn whether a choice was a turn
 * @param contexts hash of the subject of each choice, to distinguish runs; empty if unknown
 * @param others next alternative of each choice, its bound if none is left; empty if unknown
 * @param locations location of each choice, equal in slightly different runs; empty if unknown
 */
public record ChoiceLog(int[] taken, int[] bounds, boolean[] isTurn, long[] contexts, int[] others, long[] locations) {

    public static final ChoiceLog NONE = of(new int[0], new int[0], new boolean[0]);

    /** Creates a log from the choices stored in a file. */
    public static ChoiceLog of(int[] taken, int[] bounds, boolean[] isTurn) {
        return new ChoiceLog(taken, bounds, isTurn, new long[0], new int[0], new long[0]);
    }

    public int count() {
        return taken.length;
    }

    /** Returns whether a choice agrees with the choice recorded at this position; true after the last. */
    boolean fits(int position, int bound, boolean ofTurn, long context) {
        return (position >= bounds.length || bounds[position] == bound)
                && (position >= isTurn.length || isTurn[position] == ofTurn)
                && (position >= contexts.length || contexts[position] == context);
    }

    /** Returns whether a choice is a read of an older version. */
    public boolean isStale(int choice) {
        return taken[choice] > 0 && !isTurn[choice];
    }

    /** Returns whether any choice was a turn. */
    public boolean hasTurns() {
        for (boolean one : isTurn) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of reads of older versions. */
    public int staleCount() {
        int count = 0;
        for (int choice = 0; choice < taken.length; choice++) {
            count += isStale(choice) ? 1 : 0;
        }
        return count;
    }

    /** Returns the first {@code count} choices. */
    public ChoiceLog first(int count) {
        return new ChoiceLog(
                Arrays.copyOf(taken, count),
                Arrays.copyOf(bounds, count),
                Arrays.copyOf(isTurn, count),
                contexts.length == 0 ? contexts : Arrays.copyOf(contexts, count),
                others.length == 0 ? others : Arrays.copyOf(others, count),
                locations.length == 0 ? locations : Arrays.copyOf(locations, count));
    }

    /**
     * Returns the next unexplored run in depth-first order: it changes the last choice with an alternative; null if
     * none has one.
     */
    public @Nullable ChoiceLog next() {
        int last = count() - 1;
        while (last >= 0 && others[last] >= bounds[last]) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        ChoiceLog next = first(last + 1);
        next.taken[last] = others[last];
        return next;
    }

    /**
     * Returns these choices bound to their locations, for runs that may differ slightly. At any other location, and
     * where fewer versions can be chosen, reads return the newest version.
     */
    public ChoiceLog atTheirLocations(int[] otherTaken) {
        return new ChoiceLog(otherTaken, new int[0], isTurn, new long[0], new int[0], locations);
    }

    /** Returns whether choices are identified by their location. */
    boolean isByLocation() {
        return locations.length > 0 && bounds.length == 0;
    }
}
