/**
 * PostgreSQL's protocol, version 3, for mocks: messages, values, and what of its dialect H2 does not know.
 *
 * <p>{@link io.nightjar.jobs.mock.postgres.PostgresServer} takes connections, each on a thread of its own. Statements are cut into
 * {@code SqlWords} and become a {@code PostgresStatement}, which is either something that the connection does by itself, or SQL.
 *
 * <p>Read {@link io.nightjar.jobs.mock.postgres.PostgresConnection} first.
 */
@NullMarked
package io.nightjar.jobs.mock.postgres;

import org.jspecify.annotations.NullMarked;
