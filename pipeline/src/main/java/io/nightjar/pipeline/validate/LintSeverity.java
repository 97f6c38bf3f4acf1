package io.nightjar.pipeline.validate;

import java.util.Locale;

/** How much a lint finding matters. None of them changes a verdict. */
public enum LintSeverity {
    ERROR,
    WARNING,
    INFO;

    /** The word in JSON and in tables. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
