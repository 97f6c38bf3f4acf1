/**
 * What the sessions of an application do: transactions as programs whose next operation may depend on what was read.
 *
 * <p>A {@link io.nightjar.datasets.workload.ClientWorkload} draws the programs of each session from a seed. {@code Simulation} runs
 * them against a {@code Store}, one step of one transaction at a time, and hands what the clients saw to a {@code
 * TxnRecorder}; {@code SliceRecorder} makes slices of that. A workload also says what is true
 * when all have ended ({@code Assertion}). Nothing here checks histories or knows a file format.
 *
 * <p>Read {@link io.nightjar.datasets.workload.ClientWorkload} first, then {@code Program}.
 */
@NullMarked
package io.nightjar.datasets.workload;

import org.jspecify.annotations.NullMarked;
