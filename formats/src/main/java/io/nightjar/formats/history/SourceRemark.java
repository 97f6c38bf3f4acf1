package io.nightjar.formats.history;

/**
 * Something a source found while it was read that no slice can say: events that are missing or occur twice, boundaries of
 * transactions that were cut or guessed.
 *
 * @param ruleId the lint rule that it is a finding of
 * @param count how often
 * @param example a place; null if there is none
 */
public record SourceRemark(String ruleId, long count, String example, String message) {}
