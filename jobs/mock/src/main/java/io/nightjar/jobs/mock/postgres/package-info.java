/**
 * PostgreSQL's protocol, version 3, for mocks: messages, values, and the parts of the dialect that H2 lacks.
 *
 * <p>Each client has a connection on a separate thread. Statements are split into {@code SqlWords} and become a {@code PostgresStatement}, which is either an action of the connection,
 * or SQL for H2.
 *
 * <p>Read {@link io.nightjar.jobs.mock.postgres.PostgresConnection} first.
 */
@NullMarked
package io.nightjar.jobs.mock.postgres;

import org.jspecify.annotations.NullMarked;
