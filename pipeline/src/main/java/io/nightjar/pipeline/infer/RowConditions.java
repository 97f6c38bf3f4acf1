package io.nightjar.pipeline.infer;

/** Evaluation of the conditions that guards state. */
@FunctionalInterface
public interface RowConditions {

    /**
     * Returns whether a row matches a condition.
     *
     * @param guard the value of the guard
     * @param row the value written
     */
    boolean matches(String guard, String row);
}
