package io.nightjar.formats.finding;

/**
 * A finding that the history does not bear out.
 *
 * @param reason the claim that could not be confirmed, with the numbers
 */
public record Refutation(Finding finding, String reason) {}
