/**
 * Simulated databases: they determine the results of reads, and which transactions commit.
 *
 * <p>A workload is run against a {@link io.nightjar.datasets.store.Store}. {@code SnapshotStore} behaves as a database
 * with snapshots. {@code WeakFreeOrderStore}, {@code WeakCommitOrderStore} and {@code StrongCommitOrderStore} return
 * for each read any version that their level allows, drawn from a seed; {@code AbstractNondeterministicStore} is their
 * common base. Keys are numbers from 0 on, values the caller's. This package depends on no programs of sessions, files
 * or checkers.
 *
 * <p>Read {@link io.nightjar.datasets.store.Store} first.
 */
@NullMarked
package io.nightjar.datasets.store;

import org.jspecify.annotations.NullMarked;
