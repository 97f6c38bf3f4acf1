/**
 * The workloads of applications: transactions as programs whose next operation may depend on earlier results.
 *
 * <p>A {@link io.nightjar.datasets.workload.ClientWorkload} draws the programs of each session from a seed. {@code
 * Simulation} runs them against a {@code Store}, one step of one transaction at a time, and passes the observations of
 * the clients to a {@code TxnRecorder}; {@code SliceRecorder} makes slices of them. A workload also states the
 * conditions that are true when all have ended ({@code Assertion}). This package checks no histories and depends on no
 * file format.
 *
 * <p>Read {@link io.nightjar.datasets.workload.ClientWorkload} first, then {@code Program}.
 */
@NullMarked
package io.nightjar.datasets.workload;

import org.jspecify.annotations.NullMarked;
