/**
 * Histories from a seed: a workload of many sessions against a simulated store.
 *
 * <p>In goes {@link io.nightjar.datasets.generate.GeneratorOptions}, out come slices in the order in which transactions
 * ended, one after the other, so that memory does not grow with the history. Faults are planted on the way out by
 * {@code datasets.inject}. Nothing here knows a file format, and nothing here checks anything.
 *
 * <p>Applications, and the stores that answer with anything a level allows, are run by {@code datasets.workload}. Independent
 * operations at a store of snapshots are made as columns by {@code HistorySimulator}, without an object for a transaction.
 *
 * <p>Read {@link io.nightjar.datasets.generate.HistoryGenerator} first, then {@code HistorySimulator}.
 */
@NullMarked
package io.nightjar.datasets.generate;

import org.jspecify.annotations.NullMarked;
