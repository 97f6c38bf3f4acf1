package io.nightjar.formats.history;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Something a source found while it was read that no slice can say: events that are missing or occur twice, boundaries of
 * transactions that were cut or guessed.
 *
 * @param ruleId the lint rule that it is a finding of
 * @param count how often
 * @param example a place; null if there is none
 * @param doubt why no level can be said to hold because of it; null if one can
 */
public record SourceDiagnostic(
        String ruleId, long count, @Nullable String example, String message, @Nullable String doubt)
        implements Serializable {

    /** A remark that leaves verdicts as they are. */
    public SourceDiagnostic(String ruleId, long count, @Nullable String example, String message) {
        this(ruleId, count, example, message, null);
    }
}
