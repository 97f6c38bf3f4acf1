/**
 * Station 5, weak levels: read committed, read atomic and causal consistency from what clients saw.
 *
 * <p>A {@link io.nightjar.pipeline.infer.ClientHistory} comes in; a {@link io.nightjar.pipeline.check.LevelAnswer} for each
 * level goes out. Each level is a rule that forces some writers of a key before others; the level holds if sessions, reads
 * and what is forced have no cycle. Knows no time, no values and no other checker. Read {@link
 * io.nightjar.pipeline.check.weak.WeakLevels} first, then {@link io.nightjar.pipeline.check.weak.ReadCommittedRule}.
 */
@NullMarked
package io.nightjar.pipeline.check.weak;

import org.jspecify.annotations.NullMarked;
