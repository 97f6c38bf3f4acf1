/**
 * The verifier: it replays every finding against the raw rows of the history, gives it its classic name, and refutes what
 * the rows do not bear out.
 *
 * <p>In: findings, and every slice of the history, once or twice. Out: {@code RefutedFinding}s, which are faults of ours, and
 * the findings with their patterns. It must know no checker and no maker of findings, and none of them may know it: what
 * both would get wrong in the same way would never be noticed. {@code ArchitectureTest} holds both to that.
 */
@NullMarked
package io.nightjar.pipeline.verify;

import org.jspecify.annotations.NullMarked;
