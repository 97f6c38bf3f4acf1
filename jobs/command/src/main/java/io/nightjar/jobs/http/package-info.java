/**
 * HTTP servers of this program: one set of rules about who may send requests, and bounds on how long a client may keep a thread.
 *
 * <p>Requests come in, those that pass the rules go to the handlers of {@code serve}, {@code watch} and {@code mock}. This package knows
 * neither lakes nor histories.
 */
@NullMarked
package io.nightjar.jobs.http;

import org.jspecify.annotations.NullMarked;
