/**
 * A database that answers with anything an isolation level allows, without its SQL and its wires.
 *
 * <p>{@link io.nightjar.jobs.mock.MockStore} has the sessions, the objects that they read and write, and the lock that lets one
 * statement run at a time. {@link io.nightjar.jobs.mock.MockSession} is one client's: it asks a choosing store which version
 * a read returns, and notes what it did for the archive. An object is a row of a table, or anything else with a name; what is in it is
 * the caller's. Packages below bring SQL and protocols; nothing here knows them.
 *
 * <p>Read {@link io.nightjar.jobs.mock.MockSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock;

import org.jspecify.annotations.NullMarked;
