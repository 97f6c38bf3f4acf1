/**
 * Station 5 for prefix, snapshot isolation and serializability: is there an order of commits that explains every read?
 *
 * <p>In comes one {@link io.nightjar.pipeline.infer.ClientHistory} whose reads are well formed; out goes an order, a
 * contradiction or how far a search got. Knows neither files nor threads nor how reads were matched with writes.
 *
 * <p>Read {@link io.nightjar.pipeline.check.commitorder.OrderChecker} first, then
 * {@link io.nightjar.pipeline.check.commitorder.OrderSaturation} for what is certain and
 * {@link io.nightjar.pipeline.check.commitorder.BacktrackingSearch} for what has to be guessed.
 */
@NullMarked
package io.nightjar.pipeline.check.commitorder;

import org.jspecify.annotations.NullMarked;
