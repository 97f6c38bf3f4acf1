/**
 * Station 5, check: dependency cycles, as Adya defined them and Elle finds them.
 *
 * <p>An {@link io.nightjar.pipeline.infer.OperationLog} comes in; out goes a
 * {@link io.nightjar.pipeline.check.cycle.DependencyAnswer}: anomalies in ordinals of the log, and which anomalies are proved
 * to be absent. Knows no level: which anomaly rules out which level is for the lattice. Read
 * {@link io.nightjar.pipeline.check.cycle.DependencyChecker} first, then {@code CycleSearch}.
 */
@NullMarked
package io.nightjar.pipeline.check.cycle;

import org.jspecify.annotations.NullMarked;
