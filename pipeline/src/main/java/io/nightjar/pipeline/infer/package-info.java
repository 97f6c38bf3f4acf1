/**
 * Infer stage: the writer of every read.
 *
 * <p>Input: slices. Output: {@link io.nightjar.pipeline.infer.OperationLog}, all operations of a history as columns
 * with dense ordinals, and {@link io.nightjar.pipeline.infer.ClientHistory}, the reads and writes of its committed
 * transactions, together with the reads that no order of transactions can explain. For dependency cycles the orders of
 * versions ({@link io.nightjar.pipeline.infer.VersionOrders}) and {@link io.nightjar.pipeline.infer.DependencyGraph}
 * are the output instead. The package decides no level and does not depend on components. Read {@link
 * io.nightjar.pipeline.infer.ClientHistory} first, for dependencies {@link
 * io.nightjar.pipeline.infer.DependencyInference}.
 */
@NullMarked
package io.nightjar.pipeline.infer;

import org.jspecify.annotations.NullMarked;
