/**
 * The check of timestamps while transactions arrive, Aion made exact: the same axioms as
 * {@link io.nightjar.pipeline.check.timestamp}, final below the watermark, corrected if a row arrives later, and on
 * request provisional on arrival.
 *
 * <p>In come slices in any order and watermarks; out go changes of findings. It uses no files, threads or clocks: the
 * caller passes the time.
 *
 * <p>Read {@link io.nightjar.pipeline.online.OnlineCheck} first, then
 * {@link io.nightjar.pipeline.online.RegisterTimelines}.
 */
@NullMarked
package io.nightjar.pipeline.online;

import org.jspecify.annotations.NullMarked;
