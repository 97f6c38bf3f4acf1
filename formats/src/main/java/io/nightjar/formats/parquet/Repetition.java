package io.nightjar.formats.parquet;

import org.apache.parquet.format.SchemaElement;

/** Number of occurrences of a field in its parent; the ordinal is Parquet's code. */
enum Repetition {
    REQUIRED,
    OPTIONAL,
    REPEATED;

    private static final Repetition[] VALUES = values();

    /** Returns the repetition that a field of a schema states. */
    static Repetition of(SchemaElement element) {
        return VALUES[element.getRepetition_type().getValue()];
    }
}
