/**
 * What is reported: one finding is one row of the anomaly table, with the evidence that lets others replay it.
 *
 * <p>Checkers of station 5 make findings, the verifier ({@code pipeline.verify}) replays each one against the raw history,
 * station 6 gives them sentences, station 7 writes them. {@code Evidence} keeps the rows that findings speak of.
 */
@NullMarked
package io.nightjar.formats.finding;

import org.jspecify.annotations.NullMarked;
