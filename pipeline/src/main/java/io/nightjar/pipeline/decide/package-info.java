/**
 * Partition and check stages for evidence from values: assignment of checks to levels, and their order.
 *
 * <p>A {@link io.nightjar.pipeline.infer.ClientHistory} and the requested levels are the input; answers, contradictions
 * and a witness are the output. Checkers are independent of each other; this package depends on all of them, and it has
 * no threads: the caller decides which parts run concurrently. Read {@link io.nightjar.pipeline.decide.LevelDecision}
 * first.
 */
@NullMarked
package io.nightjar.pipeline.decide;

import org.jspecify.annotations.NullMarked;
