/**
 * The engine for one machine: drives the stations over the slices of a source, with threads, spill files and a bound on
 * memory.
 *
 * <p>In comes a source and what to decide; out goes a result, and rows for the lake. Knows no isolation level's meaning.
 *
 * <p>Read {@link io.nightjar.jobs.local.LocalEngine} first.
 */
package io.nightjar.jobs.local;
