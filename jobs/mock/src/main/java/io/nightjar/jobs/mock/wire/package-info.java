/**
 * What the protocols of a mock share: taking clients, cutting texts of SQL into words, a client's transaction, and the settings that all
 * clients have.
 *
 * <p>Read {@link io.nightjar.jobs.mock.wire.WireSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock.wire;

import org.jspecify.annotations.NullMarked;
