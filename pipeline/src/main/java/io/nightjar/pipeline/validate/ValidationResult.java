package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.ValueType;
import java.util.List;

/** Facts of a history in which no contradiction was found; valid when all of it was added. */
public sealed interface ValidationResult permits Validation, MergedValidation {

    HistoryFacts facts();

    ValueType keyType();

    ValueType valueType();

    long sessionCount();

    /** Returns the cheap lint findings in the order of rule ids. */
    List<LintFinding> findings();
}
