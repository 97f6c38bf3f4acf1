/**
 * Stages 3 to 5 in one process: drives the checks of {@code pipeline} over rows, with threads, spill files and a bound
 * on memory.
 *
 * <p>Its input is the rows of a history, or of a part of it; its output is outcomes. Each engine calls it with its
 * rows: all rows on one machine, the rows of a bin in a task. Read {@link io.nightjar.jobs.check.TimestampCheck} first.
 */
@NullMarked
package io.nightjar.jobs.check;

import org.jspecify.annotations.NullMarked;
