/**
 * HTTP servers of this program: one set of rules for permitted requests, and bounds on the time for which a client may
 * occupy a thread.
 *
 * <p>Its input is requests; requests that satisfy the rules are passed to the handlers of {@code serve}, {@code watch}
 * and {@code mock}. This package depends neither on lakes nor on histories.
 */
@NullMarked
package io.nightjar.jobs.http;

import org.jspecify.annotations.NullMarked;
