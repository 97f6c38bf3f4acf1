/**
 * Checks transactions while they arrive: feeds bring rows, the online check reports changes of verdicts, and kept rows
 * are
 * checked as a whole when the watch ends.
 *
 * <p>Input are growing sources. Output are changes of verdicts, and at the end the result of {@code check} on the same
 * rows.
 *
 * <p>Read {@link io.nightjar.jobs.watch.WatchRun} first, then {@link io.nightjar.pipeline.online.OnlineCheck}.
 */
@NullMarked
package io.nightjar.jobs.watch;

import org.jspecify.annotations.NullMarked;
