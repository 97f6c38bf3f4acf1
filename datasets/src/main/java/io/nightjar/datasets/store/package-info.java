/**
 * Databases that answer: what a transaction reads, and whether it commits.
 *
 * <p>{@link io.nightjar.datasets.store.Store} is what a workload is run against. {@code SnapshotStore} does what a database with
 * snapshots does. {@code WeakFreeOrderStore}, {@code WeakCommitOrderStore} and {@code StrongCommitOrderStore} answer each
 * read with any version that their level allows, drawn from a seed; what they share is in {@code AbstractNondeterministicStore}. Keys are numbers from 0 on, values the caller's. Nothing here knows sessions' programs, files
 * or checkers.
 *
 * <p>Read {@link io.nightjar.datasets.store.Store} first.
 */
@NullMarked
package io.nightjar.datasets.store;

import org.jspecify.annotations.NullMarked;
