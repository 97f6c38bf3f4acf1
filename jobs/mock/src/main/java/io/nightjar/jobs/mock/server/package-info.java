/**
 * Complete mocks: a store, its SQL engine, its servers and its archive, opened and closed together.
 *
 * <p>Read {@link io.nightjar.jobs.mock.server.MockDatabase} first.
 */
@NullMarked
package io.nightjar.jobs.mock.server;

import org.jspecify.annotations.NullMarked;
