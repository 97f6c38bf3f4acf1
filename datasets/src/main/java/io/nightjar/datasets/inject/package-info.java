/**
 * Plants named faults in a clean history and says exactly what a checker must report because of them.
 *
 * <p>A history with timestamps, in the order of its commits, is read twice: {@link
 * io.nightjar.datasets.inject.FaultPlanner} looks for sites and chooses victims that do not disturb one another, {@link
 * io.nightjar.datasets.inject.FaultRewriter} changes them on the second pass. Nothing here knows how the history came to
 * be, nor how it is checked.
 *
 * <p>Read {@link io.nightjar.datasets.inject.Fault} first.
 */
@NullMarked
package io.nightjar.datasets.inject;

import org.jspecify.annotations.NullMarked;
