/**
 * Check stage for timestamps, Chronos: test whether the order of the database's clock satisfies the level's axioms.
 *
 * <p>Input: the chunks of one lane, collected in a {@link io.nightjar.pipeline.check.timestamp.Lane}, and sessions.
 * Output: findings and counts. The package depends neither on files nor on threads; the caller assigns lanes.
 *
 * <p>Read {@link io.nightjar.pipeline.check.timestamp.LaneCheck} first, then
 * {@link io.nightjar.pipeline.check.timestamp.SnapshotSweep}.
 */
@NullMarked
package io.nightjar.pipeline.check.timestamp;

import org.jspecify.annotations.NullMarked;
