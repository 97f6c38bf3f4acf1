/**
 * The verifier: it replays every finding against the raw rows of the history, assigns its classic name, and refutes
 * findings that the rows do not confirm.
 *
 * <p>In: findings, and every slice of the history, once or twice. Out: {@code RefutedFinding}s, which are bugs, and the
 * findings with their patterns. It must not depend on a checker or a maker of findings, nor they on it: an error shared
 * by both would never be noticed. {@code ArchitectureTest} enforces this.
 */
@NullMarked
package io.nightjar.pipeline.verify;

import org.jspecify.annotations.NullMarked;
