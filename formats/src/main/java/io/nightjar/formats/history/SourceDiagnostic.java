package io.nightjar.formats.history;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A diagnostic of a source that slices cannot contain: missing or repeated events, incomplete transactions or guessed
 * boundaries.
 *
 * @param ruleId the lint rule that reports it
 * @param count number of occurrences
 * @param example a location; null if none is known
 * @param doubt reason why no level can hold because of it; null if a level can
 */
public record SourceDiagnostic(
        String ruleId, long count, @Nullable String example, String message, @Nullable String doubt)
        implements Serializable {

    /** Creates a diagnostic that does not affect verdicts. */
    public SourceDiagnostic(String ruleId, long count, @Nullable String example, String message) {
        this(ruleId, count, example, message, null);
    }
}
