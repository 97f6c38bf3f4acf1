package io.nightjar.pipeline.check;

/** A claim about some ordinals. */
@FunctionalInterface
public interface IntArrayPredicate {

    boolean test(int[] ordinals);
}
