/**
 * Engine for histories that outgrow one machine: a Flink batch job whose tasks run the same stages as the local engine.
 *
 * <p>The package decides no level. Tasks read splits, route chunks of columns, call {@code pipeline} and
 * {@code jobs.check} for a part of a history, and send the result on. Read {@link io.nightjar.jobs.flink.CheckJob}
 * first.
 */
@NullMarked
package io.nightjar.jobs.flink;

import org.jspecify.annotations.NullMarked;
