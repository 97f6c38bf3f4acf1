/**
 * SQL over HTTP with JSON, for languages without a driver of PostgreSQL.
 *
 * <p>{@code MockHttpServer} is a client of the mock's own server: each name of a session is a connection there, so that transactions,
 * errors and settings are what they are over PostgreSQL's protocol.
 */
@NullMarked
package io.nightjar.jobs.mock.http;

import org.jspecify.annotations.NullMarked;
