/**
 * Makes of a large history the smallest one that still shows an anomaly.
 *
 * <p>In come a source and what is known of the anomaly, out comes a slice. Every step is checked by the engine itself, so that
 * nothing is believed of what explains an anomaly. Read {@link io.nightjar.jobs.shrink.HistoryShrinker} first.
 */
@NullMarked
package io.nightjar.jobs.shrink;

import org.jspecify.annotations.NullMarked;
