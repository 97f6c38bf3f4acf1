/**
 * Station 5 for timestamps, Chronos: does the order that the database's own clock gives satisfy the level's axioms?
 *
 * <p>In come the chunks of one lane, gathered in a {@link io.nightjar.pipeline.check.timestamp.Lane}, and sessions; out go
 * findings and counts. Knows neither files nor threads; who calls it decides which lanes run where.
 *
 * <p>Read {@link io.nightjar.pipeline.check.timestamp.LaneCheck} first, then
 * {@link io.nightjar.pipeline.check.timestamp.SnapshotSweep}.
 */
@NullMarked
package io.nightjar.pipeline.check.timestamp;

import org.jspecify.annotations.NullMarked;
