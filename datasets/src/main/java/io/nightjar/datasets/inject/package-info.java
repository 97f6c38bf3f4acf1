/**
 * The injection of named faults into a clean history, with the exact anomalies that a checker must report because of
 * them.
 *
 * <p>A history with timestamps, in the order of its commits, is read twice: {@link
 * io.nightjar.datasets.inject.FaultPlanner} searches for sites and chooses victims that do not disturb one another,
 * {@link io.nightjar.datasets.inject.FaultRewriter} changes them on the second pass. This package depends neither on
 * the origin of the history nor on its check.
 *
 * <p>Read {@link io.nightjar.datasets.inject.Fault} first.
 */
@NullMarked
package io.nightjar.datasets.inject;

import org.jspecify.annotations.NullMarked;
