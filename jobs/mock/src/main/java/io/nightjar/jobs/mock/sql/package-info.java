/**
 * SQL for mocks: the parser, planner, functions and constraints are H2's, the rows a mock's. No other package depends
 * on H2.
 *
 * <p>{@link io.nightjar.jobs.mock.sql.SqlEngine} opens a database whose tables are all {@code MockTable}s; {@link
 * io.nightjar.jobs.mock.sql.EngineSession} is a client's connection to it. An index returns the rows with any matching
 * version, reads each through the session when the statement advances to it, and omits the rows whose visible version
 * does not match.
 *
 * <p>Read {@link io.nightjar.jobs.mock.sql.EngineSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock.sql;

import org.jspecify.annotations.NullMarked;
