/**
 * Recording and replay of the statement order of a run.
 *
 * <p>{@link io.nightjar.jobs.mock.replay.StatementRecorder} writes the file that {@link
 * io.nightjar.jobs.mock.replay.RecordedRun} reads: the options of the mock, and one line for each step of a client.
 * {@link io.nightjar.jobs.mock.replay.StatementReplay} delays each client step until its turn. The package depends
 * neither on SQL nor on protocols.
 *
 * <p>Read {@link io.nightjar.jobs.mock.replay.StatementReplay} first.
 */
@NullMarked
package io.nightjar.jobs.mock.replay;

import org.jspecify.annotations.NullMarked;
