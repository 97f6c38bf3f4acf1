package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceMode;

/**
 * How a run is answered.
 *
 * @param behind how many versions behind the newest the first answers are
 * @param bounds how many answers these choices had before; empty if not known
 * @param mode how what comes after is chosen
 * @param seed for that
 */
public record Answers(int[] behind, int[] bounds, ChoiceMode mode, long seed) {

    /** These, and the newest after them. */
    static Answers script(int[] behind, int[] bounds) {
        return new Answers(behind, bounds, ChoiceMode.NEWEST, 0);
    }

    /** How many are not the newest. */
    static int staleOf(int[] behind) {
        int count = 0;
        for (int choice : behind) {
            count += choice > 0 ? 1 : 0;
        }
        return count;
    }
}
