package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;

/**
 * A finding that the history does not confirm.
 *
 * @param reason the claim that could not be confirmed, with the numbers
 */
public record RefutedFinding(Finding finding, String reason) {}
