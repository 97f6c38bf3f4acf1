/**
 * Runs a test again and again against mocks, until it breaks or cannot.
 *
 * <p>A {@code Trial} is one run with given answers; {@link io.nightjar.jobs.mock.explore.Exploration} decides which answers to try
 * next, and takes stale reads out of a run that has broken. It knows no processes; {@code CommandTrial} runs one,
 * and {@code WorkloadTrial} the programs of a workload in this thread.
 *
 * <p>Read {@link io.nightjar.jobs.mock.explore.Exploration} first.
 */
@NullMarked
package io.nightjar.jobs.mock.explore;

import org.jspecify.annotations.NullMarked;
