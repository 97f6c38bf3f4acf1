/**
 * Keeps in which order statements took effect in a run, and lets them take effect so again.
 *
 * <p>{@link io.nightjar.jobs.mock.replay.StatementRecorder} writes what {@link io.nightjar.jobs.mock.replay.RecordedRun} reads: how the mock
 * answered, and one line for each step of a client. {@link io.nightjar.jobs.mock.replay.StatementReplay} lets each step of clients wait until
 * it is its turn. Nothing here knows SQL or protocols.
 *
 * <p>Read {@link io.nightjar.jobs.mock.replay.StatementReplay} first.
 */
@NullMarked
package io.nightjar.jobs.mock.replay;

import org.jspecify.annotations.NullMarked;
