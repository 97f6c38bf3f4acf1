/**
 * Stations 3 and 4 for timestamps: looks at each transaction once and deals its operations out to key lanes.
 *
 * <p>In come slices; out go {@link io.nightjar.pipeline.split.LaneChunk}s, one for each lane that a slice touches. A lane
 * holds every operation on its keys, so lanes are checked alone (station 5, {@code check.timestamp}), in memory or one
 * after another from disk. Knows no levels and no verdicts.
 *
 * <p>Read {@link io.nightjar.pipeline.split.TransactionScan} first.
 */
package io.nightjar.pipeline.split;
