/**
 * Components shared by the protocols of a mock: the server, the tokenizer of SQL, a client's transaction, and the
 * common settings.
 *
 * <p>Read {@link io.nightjar.jobs.mock.wire.WireSession} first.
 */
@NullMarked
package io.nightjar.jobs.mock.wire;

import org.jspecify.annotations.NullMarked;
