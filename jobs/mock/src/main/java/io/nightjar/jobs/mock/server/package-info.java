/**
 * Mocks as a whole: a store, its SQL, its wires and its archive, opened and closed together.
 *
 * <p>Read {@link io.nightjar.jobs.mock.server.MockDatabase} first.
 */
@NullMarked
package io.nightjar.jobs.mock.server;

import org.jspecify.annotations.NullMarked;
