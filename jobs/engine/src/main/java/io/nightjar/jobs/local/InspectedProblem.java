package io.nightjar.jobs.local;

/**
 * Something for which rows, or a whole history, are not what they should be.
 *
 * @param what is wrong, in a few words
 * @param count of the rows with it
 * @param first the place of the first of them, and what is wrong there in full
 * @param endsReading whether nothing behind it was looked at
 */
public record InspectedProblem(String what, long count, String first, boolean endsReading) {}
