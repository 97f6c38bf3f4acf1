/**
 * Check stage for prefix, snapshot isolation and serializability: search for an order of commits that explains every
 * read.
 *
 * <p>Input: one {@link io.nightjar.pipeline.infer.ClientHistory} whose reads are well formed. Output: an order, a
 * contradiction, or the progress of a search. The package depends neither on files nor on threads nor on how reads were
 * matched with writes.
 *
 * <p>Read {@link io.nightjar.pipeline.check.commitorder.OrderChecker} first, then {@link
 * io.nightjar.pipeline.check.commitorder.OrderSaturation} for forced edges and {@link
 * io.nightjar.pipeline.check.commitorder.BacktrackingSearch} for guesses.
 */
@NullMarked
package io.nightjar.pipeline.check.commitorder;

import org.jspecify.annotations.NullMarked;
