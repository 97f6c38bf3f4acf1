/**
 * Station 4 (and 3, for timestamps): cuts a history into parts that can be checked alone.
 *
 * <p>For values, {@link io.nightjar.pipeline.partition.SessionGroups} cuts an {@link io.nightjar.pipeline.infer.OperationLog}
 * into groups of sessions that share no key. Inside a group a {@link io.nightjar.pipeline.infer.ClientHistory} comes in and
 * {@link io.nightjar.pipeline.partition.Component}s go out, each a history of its own, for the checkers of station 5; the
 * {@link io.nightjar.pipeline.partition.WitnessMerger} joins what they prove. Read
 * {@link io.nightjar.pipeline.partition.CommunicationGraph} first.
 *
 * <p>For timestamps, slices come in, each transaction is looked at once, and its operations are dealt out to key lanes:
 * {@link io.nightjar.pipeline.partition.LaneChunk}s, one for each lane that a slice touches. A lane holds every operation on
 * its keys, so lanes are checked alone ({@code check.timestamp}), in memory or one after another from disk. Read
 * {@link io.nightjar.pipeline.partition.TransactionScan} first.
 *
 * <p>On several machines, slices, chunks and components travel as bytes ({@link io.nightjar.pipeline.partition.SliceCodec},
 * {@link io.nightjar.pipeline.partition.LaneCodec}, {@link io.nightjar.pipeline.partition.ComponentCodec}), and
 * {@link io.nightjar.pipeline.partition.SessionForest} says which sessions have nothing to do with each other.
 *
 * <p>Knows no levels and decides nothing.
 */
@NullMarked
package io.nightjar.pipeline.partition;

import org.jspecify.annotations.NullMarked;
