package io.nightjar.jobs.mock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The choices of a run in their order: answers to reads, and whose turn it was.
 *
 * @param taken how many versions behind the newest that was allowed an answer was; of those who waited for their turn, who it was
 * @param bounds how many possibilities each choice had
 * @param isTurn whether a choice was about a turn
 * @param contexts what each choice was about, so that another run is told from this one; empty if not known
 * @param others what could be chosen next in place of each, that choice's bound if nothing; empty if not known
 * @param places where each was made, the same in runs that are a little different; empty if not known
 */
public record ChoiceLog(int[] taken, int[] bounds, boolean[] isTurn, long[] contexts, int[] others, long[] places) {

    public static final ChoiceLog NONE = of(new int[0], new int[0], new boolean[0]);

    /** Returns choices made of what a file keeps of them. */
    public static ChoiceLog of(int[] taken, int[] bounds, boolean[] isTurn) {
        return new ChoiceLog(taken, bounds, isTurn, new long[0], new int[0], new long[0]);
    }

    public int count() {
        return taken.length;
    }

    /** Whether a choice may be the one that stands at this place; true behind the last one. */
    boolean fits(int place, int bound, boolean ofTurn, long context) {
        return (place >= bounds.length || bounds[place] == bound)
                && (place >= isTurn.length || isTurn[place] == ofTurn)
                && (place >= contexts.length || contexts[place] == context);
    }

    /** Whether a choice is a read that did not return the newest. */
    public boolean isStale(int choice) {
        return taken[choice] > 0 && !isTurn[choice];
    }

    /** Whether any choice was about a turn. */
    public boolean hasTurns() {
        for (boolean one : isTurn) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    /** How many reads did not return the newest. */
    public int staleCount() {
        int count = 0;
        for (int choice = 0; choice < taken.length; choice++) {
            count += isStale(choice) ? 1 : 0;
        }
        return count;
    }

    /** The first ones. */
    public ChoiceLog first(int count) {
        return new ChoiceLog(
                Arrays.copyOf(taken, count),
                Arrays.copyOf(bounds, count),
                Arrays.copyOf(isTurn, count),
                contexts.length == 0 ? contexts : Arrays.copyOf(contexts, count),
                others.length == 0 ? others : Arrays.copyOf(others, count),
                places.length == 0 ? places : Arrays.copyOf(places, count));
    }

    /** The first run of those that are not tried yet, depth first: the last choice that can be another one is; null if none can. */
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
     * Returns these choices for runs that may be a little different: they are made where they were made before;
     * elsewhere, and where there is less to choose from, reads return the newest.
     */
    public ChoiceLog inTheirPlaces(int[] otherTaken) {
        return new ChoiceLog(otherTaken, new int[0], isTurn, new long[0], new int[0], places);
    }

    /** Whether choices are told by where they are made. */
    boolean isByPlace() {
        return places.length > 0 && bounds.length == 0;
    }
}
