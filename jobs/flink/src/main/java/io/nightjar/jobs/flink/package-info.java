/**
 * The engine for histories that outgrow one machine: a Flink batch job whose tasks call the same stations as the local engine.
 *
 * <p>Nothing is decided here. Tasks read splits, send chunks of columns to where they belong, call what {@code pipeline} and
 * {@code jobs.check} do with a part of a history, and send the outcome on. Read {@link io.nightjar.jobs.flink.CheckJob} first.
 */
@NullMarked
package io.nightjar.jobs.flink;

import org.jspecify.annotations.NullMarked;
