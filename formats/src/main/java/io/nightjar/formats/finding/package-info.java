/**
 * Data model of reports: one finding is one row of the anomaly table, with the evidence needed to replay it.
 *
 * <p>Checkers of stage 5 make findings, the verifier ({@code pipeline.verify}) replays each one against the raw
 * history, stage 6 adds sentences, stage 7 writes them. {@code ParticipantRows} retains the rows of participants.
 */
@NullMarked
package io.nightjar.formats.finding;

import org.jspecify.annotations.NullMarked;
