/**
 * The engine for one machine: reads a history as often as the requested levels need, checks it and reports the result.
 *
 * <p>Its input is a source and the request; its output is a result, and rows for the lake. Does not depend on the
 * meaning of isolation levels.
 *
 * <p>Read {@link io.nightjar.jobs.local.LocalEngine} first.
 */
@NullMarked
package io.nightjar.jobs.local;

import org.jspecify.annotations.NullMarked;
