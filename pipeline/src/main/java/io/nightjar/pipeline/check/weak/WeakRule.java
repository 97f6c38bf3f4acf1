package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;

/**
 * Derivation of the edges that a level's rule forces, a piece of the work at a time, with separate scratch data: for
 * one thread.
 */
interface WeakRule {

    /**
     * Derives the edges of a range of transactions, sessions or keys.
     *
     * @param into receives the edges
     * @return false if the budget is spent, or too much is forced
     */
    boolean derive(int first, int end, LevelEdges into, Budget budget);
}
