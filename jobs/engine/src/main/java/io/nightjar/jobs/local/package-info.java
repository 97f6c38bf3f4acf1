/**
 * The engine for one machine: reads a history as often as the levels asked for need, has it checked and reported.
 *
 * <p>In comes a source and what to decide; out goes a result, and rows for the lake. Knows no isolation level's meaning.
 *
 * <p>Read {@link io.nightjar.jobs.local.LocalEngine} first.
 */
@NullMarked
package io.nightjar.jobs.local;

import org.jspecify.annotations.NullMarked;
