/**
 * Check stage: dependency cycles, as Adya defined them and Elle finds them.
 *
 * <p>An {@link io.nightjar.pipeline.infer.OperationLog} is the input; the output is a {@link
 * io.nightjar.pipeline.check.cycle.DependencyAnswer}: anomalies in ordinals of the log, and which anomalies are proved
 * to be absent. The package does not depend on levels: the lattice determines which anomaly rules out which level. Read
 * {@link io.nightjar.pipeline.check.cycle.DependencyChecker} first, then {@code CycleSearch}.
 */
@NullMarked
package io.nightjar.pipeline.check.cycle;

import org.jspecify.annotations.NullMarked;
