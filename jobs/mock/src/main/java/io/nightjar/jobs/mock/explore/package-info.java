/**
 * Repeated runs of a test against mocks, until it breaks or has been shown unbreakable.
 *
 * <p>A {@code Trial} is one run with given answers; {@link io.nightjar.jobs.mock.explore.Exploration} chooses the next
 * answers, and removes stale reads from a broken run. It starts no processes; {@code CommandTrial} runs one, and {@code
 * WorkloadTrial} runs the programs of a workload in the current thread.
 *
 * <p>Read {@link io.nightjar.jobs.mock.explore.Exploration} first.
 */
@NullMarked
package io.nightjar.jobs.mock.explore;

import org.jspecify.annotations.NullMarked;
