/**
 * Histories from a seed: a workload of many sessions against a simulated store.
 *
 * <p>Its input is {@link io.nightjar.datasets.generate.GeneratorOptions}; its output is slices in the order in which
 * transactions ended, one after the other, so that memory does not grow with the history. Faults are injected into the
 * output by {@code datasets.inject}. This package depends on no file format, and checks nothing.
 *
 * <p>Applications, and the stores that return any value that a level allows, are run by {@code datasets.workload}.
 * Independent operations at a store of snapshots are made as columns by {@code HistorySimulator}, without an object for
 * a transaction.
 *
 * <p>Read {@link io.nightjar.datasets.generate.HistoryGenerator} first, then {@code HistorySimulator}.
 */
@NullMarked
package io.nightjar.datasets.generate;

import org.jspecify.annotations.NullMarked;
