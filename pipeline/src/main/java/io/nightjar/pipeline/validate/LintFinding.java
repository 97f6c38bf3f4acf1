package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.SanitizedText;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One lint rule that applies to a history: a row of {@code lint_findings}.
 *
 * @param count number of occurrences, in the unit of the message; at least 1
 * @param example location of one occurrence, or null if none is known
 * @param message description of the finding and its meaning
 */
public record LintFinding(LintRule rule, LintSeverity severity, long count, @Nullable String example, String message)
        implements Serializable {

    public LintFinding {
        example = SanitizedText.flat(example);
        message = SanitizedText.flat(message);
    }

    static LintFinding of(LintRule rule, long count, @Nullable String example, String message) {
        return new LintFinding(rule, rule.severity(), count, example, message);
    }

    public String ruleId() {
        return rule.id();
    }
}
