/**
 * Makes of a large history the smallest one that still shows an anomaly.
 *
 * <p>Its input is a source and the anomaly as it was reported; its output is a slice. The engine itself checks every
 * step, so that no explanation of an anomaly is trusted. Read {@link io.nightjar.jobs.shrink.HistoryShrinker} first.
 */
@NullMarked
package io.nightjar.jobs.shrink;

import org.jspecify.annotations.NullMarked;
