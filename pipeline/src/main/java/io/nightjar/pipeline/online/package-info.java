/**
 * The check of timestamps while transactions arrive, Aion made exact: the same axioms as
 * {@link io.nightjar.pipeline.check.timestamp}, judged at once, corrected when something late arrives, and final below the
 * watermark.
 *
 * <p>In come slices in any order and watermarks; out go changes of findings. Knows neither files, threads nor clocks: who
 * calls it says what time it is.
 *
 * <p>Read {@link io.nightjar.pipeline.online.OnlineCheck} first, then
 * {@link io.nightjar.pipeline.online.RegisterTimelines}.
 */
@NullMarked
package io.nightjar.pipeline.online;

import org.jspecify.annotations.NullMarked;
