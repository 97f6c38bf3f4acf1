package io.nightjar.pipeline.infer;

import org.jspecify.annotations.Nullable;

/** Evaluation of the conditions that guards state. */
public interface RowConditions {

    /**
     * Returns whether a row matches a condition.
     *
     * @param guard the value of the guard
     * @param row the value written
     */
    boolean matches(String guard, String row);

    /**
     * Returns the least and the greatest number to which the parts of all rows add up, without own rows, if a computed
     * answer is right; null if no parts are known.
     *
     * @param answer the value of its guards
     */
    long @Nullable [] range(String answer);

    /**
     * Returns the part that a row adds to a computed answer; null if it is not known.
     *
     * @param row the value written
     */
    @Nullable
    Long part(String answer, String row);
}
