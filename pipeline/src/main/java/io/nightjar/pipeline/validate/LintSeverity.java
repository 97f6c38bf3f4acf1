package io.nightjar.pipeline.validate;

import java.util.Locale;

/** Severity of a lint finding. None of them changes a verdict. */
public enum LintSeverity {
    ERROR,
    WARNING,
    INFO;

    /** Returns the word in JSON and in tables. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
