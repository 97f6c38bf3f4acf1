/**
 * SQL over HTTP with JSON, for languages without a driver of PostgreSQL.
 *
 * <p>{@code MockHttpServer} is a client of the mock's PostgreSQL server: each session name is a connection to it, so
 * that transactions, errors and settings behave as over PostgreSQL's protocol.
 */
@NullMarked
package io.nightjar.jobs.mock.http;

import org.jspecify.annotations.NullMarked;
