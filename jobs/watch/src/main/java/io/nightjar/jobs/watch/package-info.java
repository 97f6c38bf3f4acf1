/**
 * Checks transactions while they arrive: feeds bring rows, the online check judges them, kept rows are checked as a whole when
 * the watch ends.
 *
 * <p>In come sources that grow; out go changes of verdicts, and in the end what {@code check} says of the same rows.
 *
 * <p>Read {@link io.nightjar.jobs.watch.WatchRun} first, then {@link io.nightjar.pipeline.online.OnlineCheck}.
 */
@NullMarked
package io.nightjar.jobs.watch;

import org.jspecify.annotations.NullMarked;
