/**
 * The core of a mock, a database that answers with anything an isolation level allows, without SQL and protocols.
 *
 * <p>{@link io.nightjar.jobs.mock.MockStore} has the sessions, the objects that they read and write, and the lock under
 * which statements run one at a time. {@link io.nightjar.jobs.mock.MockSession} is the session of a client: it asks a
 * nondeterministic store which version a read returns, and records its operations for the archive. An object is a row
 * of a table, or anything else with a name; its content belongs to the caller. Packages below add SQL and protocols;
 * this package does not depend on them.
 *
 * <p>Read {@link io.nightjar.jobs.mock.MockSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock;

import org.jspecify.annotations.NullMarked;
