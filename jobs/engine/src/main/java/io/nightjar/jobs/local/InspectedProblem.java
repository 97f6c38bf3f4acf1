package io.nightjar.jobs.local;

/**
 * A problem of rows, or of a whole history.
 *
 * @param description the problem, in a few words
 * @param count of the rows with it
 * @param first the location of the first of them, and its full message
 * @param endsReading whether nothing after it was read
 */
public record InspectedProblem(String description, long count, String first, boolean endsReading) {}
