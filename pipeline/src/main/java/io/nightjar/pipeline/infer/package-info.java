/**
 * Station 3: who read what from whom.
 *
 * <p>Slices come in; out go {@link io.nightjar.pipeline.infer.OperationLog}, all operations of a history as columns with
 * dense ordinals, and {@link io.nightjar.pipeline.infer.ClientHistory}, what its committed transactions saw of each other,
 * together with the reads that no order of transactions can explain. For dependency cycles the orders of versions
 * ({@link io.nightjar.pipeline.infer.VersionOrders}) and {@link io.nightjar.pipeline.infer.DependencyGraph} go out instead.
 * Decides no level and knows no component. Read {@link io.nightjar.pipeline.infer.ClientHistory} first, for dependencies
 * {@link io.nightjar.pipeline.infer.DependencyInference}.
 */
@NullMarked
package io.nightjar.pipeline.infer;

import org.jspecify.annotations.NullMarked;
