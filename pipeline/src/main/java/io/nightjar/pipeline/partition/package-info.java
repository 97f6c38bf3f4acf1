/**
 * Partition stage (for timestamps, infer stage too): divides a history into parts that can be checked alone.
 *
 * <p>For values, {@link io.nightjar.pipeline.partition.SessionGroups} divides an {@link
 * io.nightjar.pipeline.infer.OperationLog} into groups of sessions that share no key. Inside a group the input is a
 * {@link io.nightjar.pipeline.infer.ClientHistory}, and the output {@link io.nightjar.pipeline.partition.Component}s,
 * each a separate history, for the check stage; the {@link io.nightjar.pipeline.partition.WitnessMerger} merges their
 * witnesses. Read {@link io.nightjar.pipeline.partition.CommunicationGraph} first.
 *
 * <p>For timestamps, the input is slices, each transaction is scanned once, and its operations are routed to key lanes:
 * {@link io.nightjar.pipeline.partition.LaneChunk}s, one for each lane that a slice touches. A lane contains every
 * operation on its keys, so lanes are checked alone ({@code check.timestamp}), in memory or one after another from
 * disk. Read {@link io.nightjar.pipeline.partition.TransactionScan} first.
 *
 * <p>On several machines, slices, chunks and components are transferred as bytes ({@link
 * io.nightjar.pipeline.partition.SliceCodec}, {@link io.nightjar.pipeline.partition.LaneCodec}, {@link
 * io.nightjar.pipeline.partition.ComponentCodec}), and {@link io.nightjar.pipeline.partition.SessionForest} determines
 * which sessions are unconnected.
 *
 * <p>The package does not depend on levels and decides none.
 */
@NullMarked
package io.nightjar.pipeline.partition;

import org.jspecify.annotations.NullMarked;
