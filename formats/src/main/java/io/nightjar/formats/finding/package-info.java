/**
 * What is reported: one finding is one row of the anomaly table, with the evidence that lets others replay it.
 *
 * <p>Checkers of station 5 make findings, station 6 gives them sentences, station 7 writes them. {@code FindingVerifier}
 * replays each one against the raw history and shares no code with the checkers; it must never learn to. {@code Evidence}
 * keeps the rows that findings speak of.
 */
package io.nightjar.formats.finding;
