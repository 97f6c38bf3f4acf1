/**
 * Check stage for weak levels: read committed, read atomic and causal consistency from client observations.
 *
 * <p>A {@link io.nightjar.pipeline.infer.ClientHistory} is the input; the output is a {@link
 * io.nightjar.pipeline.check.LevelAnswer} for each level. Each level is a rule that forces some writers of a key before
 * others; the level holds if sessions, reads and forced edges have no cycle. The package uses no time, no values and no
 * other checker. Read {@link io.nightjar.pipeline.check.weak.WeakLevels} first, then {@link
 * io.nightjar.pipeline.check.weak.ReadCommittedRule}.
 */
@NullMarked
package io.nightjar.pipeline.check.weak;

import org.jspecify.annotations.NullMarked;
