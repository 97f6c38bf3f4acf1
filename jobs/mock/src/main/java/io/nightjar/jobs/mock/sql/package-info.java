/**
 * SQL for mocks: the parser, planner, functions and constraints are H2's, the rows a mock's. The one package that knows H2.
 *
 * <p>{@link io.nightjar.jobs.mock.sql.SqlEngine} opens a database whose tables are all {@code MockTable}s;
 * {@link io.nightjar.jobs.mock.sql.EngineSession} is a client's connection to it. An index hands out the rows that any version of has
 * what is looked for, reads each through the session when the statement comes to it, and leaves out those whose version is
 * another one.
 *
 * <p>Read {@link io.nightjar.jobs.mock.sql.EngineSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock.sql;

import org.jspecify.annotations.NullMarked;
